package redact

import "strings"

// namedSecret decides whether the value of p is a secret. The more the text looks
// like a program, the more the value itself has to prove.
func (sc *scanner) namedSecret(p pair, v string) bool {
	switch p.class {
	case keyAWS:
		return len(v) >= 16 && !nameLike(v) && !kindsOf(v).space && (p.quoted || kindsOf(v).digit && !dotted(v) && !strings.ContainsAny(v, "([{"))
	case keyAzure:
		return len(v) >= 20 && sets().base64.run(v, 0) >= 20
	case keySig:
		return len(v) >= 20 && p.query && kindsOf(v).digit
	}
	switch {
	case p.query:
		return p.class == keySecret && !nameLike(v) || looksSecret(v)
	case p.colon && p.keyQuoted && p.quoted:
		return sc.literal(p, v)
	case !sc.shell:
		return false
	case p.quoted:
		return sc.literal(p, v)
	}
	return sc.bareSecret(p, v)
}

// literal judges a quoted value.
func (sc *scanner) literal(p pair, v string) bool {
	env := envName(p.key) && !p.colon && !p.spaced
	switch {
	case nameLike(v), p.quoted && concatenated(v):
		return false
	case p.class == keyWeak:
		return looksSecret(v) || sc.connection(p) || env && strings.HasSuffix(p.key, "TOKEN") && !pathLike(v)
	case env:
		return true
	}
	return len(v) >= 4 && (!kindsOf(v).space || passphrase(p, v)) && !pathLike(v) && !strings.Contains(v, "${") && !strings.Contains(v, "{{") &&
		!formatted(v) && !dotted(v) && !sentence(v)
}

// concatenated says that the quote before v ends a string of program text:
// "TOKEN=" + token.
func concatenated(v string) bool {
	v = strings.TrimLeft(v, " ")
	return v != "" && strings.IndexByte("+,.)", v[0]) >= 0
}

// formatted is a template: "%s", "{token}".
func formatted(v string) bool {
	return strings.Contains(v, "%s") || strings.Contains(v, "%v") || strings.Contains(v, "%d") ||
		strings.HasPrefix(v, "{") || strings.HasPrefix(v, "#{")
}

// sentence is text for people in a script that needs no blanks, or a label.
func sentence(v string) bool {
	k := kindsOf(v)
	if k.upper || k.lower || k.digit {
		return strings.HasSuffix(v, ":") || strings.HasSuffix(v, "?")
	}
	return true
}

// bareSecret judges an unquoted value in commands or program text.
func (sc *scanner) bareSecret(p pair, v string) bool {
	if nameLike(v) || strings.ContainsAny(v, "([{<>") || pathLike(v) || sc.callFollows(p.end) || strings.HasPrefix(v, "$") {
		return false
	}
	strong := p.class == keySecret
	if strong && sc.headerLine(p) || sc.connection(p) || sc.prompt(p, v) || strong && sc.koreanLine(p, v) {
		return true
	}
	if p.colon || p.spaced {
		k := kindsOf(v)
		if strong && (uuid(v) || digitRun(v) == len(v) && len(v) >= 6 && sc.lineEnds(p.end)) {
			return true
		}
		return (strong && len(v) >= 6 && k.digit && k.letter() || looksSecret(v)) && !dotted(v) && !echoes(p.key, v)
	}
	if envName(p.key) {
		return strong || looksSecret(v) || strings.HasSuffix(p.key, "TOKEN") && !identifier(v)
	}
	if !strong {
		return looksSecret(v)
	}
	return len(v) >= 4 && !echoes(p.key, v) && !dotted(v) && !(identifier(v) && sc.isArgument(p))
}

func (sc *scanner) callFollows(end int) bool {
	return end < len(sc.s) && (sc.s[end] == '(' || sc.s[end] == '[')
}

// isArgument says that p stands in the brackets of a call: f(password=pw).
func (sc *scanner) isArgument(p pair) bool {
	i := p.keyStart
	for i > 0 && isSpace(sc.s[i-1]) {
		i--
	}
	before := i > 0 && (sc.s[i-1] == '(' || sc.s[i-1] == ',')
	after := p.end < len(sc.s) && (sc.s[p.end] == ')' || sc.s[p.end] == ',')
	return before || after
}

// echoes is program text that passes a value on under its own name:
// token = token2, password: passwordInput.
func echoes(key, v string) bool {
	low := strings.ToLower(v)
	if i := strings.LastIndexAny(key, "._-"); i >= 0 {
		key = key[i+1:]
	}
	return strings.HasPrefix(low, strings.ToLower(key)) && identifier(strings.TrimRight(v, "0123456789"))
}
