package redact

import "strings"

// tellingWord is a cheap look at a word before a blank: could it end the name of
// a secret?
func tellingWord(w string) bool {
	switch len(w) {
	case 3, 5, 6, 8, 10:
		switch strings.ToLower(w) {
		case "key", "token", "secret", "password", "passwd", "passphrase":
			return true
		}
	}
	return false
}

// spacedSecret matches where only a blank stands between name and value: .netrc,
// ENV in a Dockerfile, setx, "aws configure set", and people who tell a password.
func (sc *scanner) spacedSecret(i, end int) span {
	s := sc.s
	start := i
	for start > sc.done && end-start < maxKey && keyByte(s[start-1]) && s[start-1] < 0x80 {
		start--
	}
	class := classify(s[start:end])
	sc.steps += classSteps
	if class == keyPlain {
		return span{}
	}
	sc.steps += judgeSteps
	from := end
	told := false
	for _, verb := range [...]string{" is ", " was ", " are "} {
		if strings.HasPrefix(s[end:], verb) {
			from, told = end+len(verb)-1, true
		}
	}
	from, stop := argument(s, from, false)
	v := strings.TrimRight(s[from:stop], ".,;:!?")
	stop = from + len(v)
	if v == "" || isPlaceholder(v) || nameLike(v) || strings.ContainsAny(v, "([{<$") {
		return span{}
	}
	k := kindsOf(v)
	switch {
	case class == keyAWS:
		return span{from, stop, "aws_secret_key"}.when(len(v) == 40 && awsSecret(v))
	case told:
		return span{from, stop, "field_secret"}.when(len(v) >= 6 && k.digit && k.letter() && !dotted(v) && !pathLike(v) && !uuid(v))
	case envName(s[start:end]):
		return span{from, stop, "env_secret"}.when(len(v) >= 4 && v[0] != '=' && envLine(sc.lineBefore(start, 24)))
	case s[start:end] == "password":
		before := sc.lineBefore(start, 256)
		return span{from, stop, "field_secret"}.when(strings.Contains(before, "login ") &&
			(strings.HasPrefix(before, "machine ") || k.digit && k.letter() && len(v) >= 8))
	}
	return span{}
}

// lineBefore is the line before i, at most reach bytes of it.
func (sc *scanner) lineBefore(i, reach int) string {
	before := sc.s[max(sc.done, i-reach):i]
	sc.steps += 2 * len(before)
	return lastLine(lastLine(before, "\n"), `\n`)
}

// envLine says that a line sets a variable: ENV NAME value, setx NAME value.
func envLine(before string) bool {
	before = before[strings.LastIndexAny(before, "\"'`")+1:]
	switch strings.TrimSpace(before) {
	case "ENV", "setx", "setenv", "set -x", "set -gx", "set -Ux":
		return true
	}
	return false
}

func (sp span) when(ok bool) span {
	if ok {
		return sp
	}
	return span{}
}

// elementAt matches <password>value</password> at its first '>'.
func (sc *scanner) elementAt(i int) span {
	s := sc.s
	if !sc.shell || i <= sc.done || !tellingEnd(s[i-1]) && !isQuote(s[i-1]) {
		return span{}
	}
	start := i
	for start > sc.done && i-start < maxKey && keyByte(s[start-1]) {
		start--
	}
	name := s[start:i]
	if start == i { // <entry key="password">
		name = sc.attributeBefore(i)
	} else if start == sc.done || s[start-1] != '<' {
		return span{}
	}
	if name == "" {
		return span{}
	}
	end := i + 1
	for end < len(s) && s[end] != '<' && s[end] != '\n' && end-i < maxAuthority {
		end++
	}
	sc.steps += end - i
	if !strings.HasPrefix(s[end:], "</") {
		return span{}
	}
	class, v := classify(name), s[i+1:end]
	if class != keySecret && (class != keyWeak || !looksSecret(v)) || v == "" || isPlaceholder(v) || nameLike(v) ||
		strings.ContainsAny(v, "{$") || kindsOf(v).space && !passphrase(pair{class: class}, v) {
		return span{}
	}
	return span{i + 1, end, "field_secret"}
}

// attributeBefore is the value of the attribute key or name that ends at i:
// <add key="…" , <property name='…'.
func (sc *scanner) attributeBefore(i int) string {
	s := sc.s
	if i <= sc.done || !isQuote(s[i-1]) {
		return ""
	}
	quote, end := s[i-1], i-1
	for end > sc.done && s[end-1] == '\\' {
		end--
	}
	start := end
	for start > sc.done && end-start < maxKey && s[start-1] != quote && s[start-1] > ' ' && s[start-1] != '\\' {
		start--
	}
	sc.steps += i - start
	at := start
	for at > sc.done && (s[at-1] == quote || s[at-1] == '\\') && start-at < 4 {
		at--
	}
	if at == start || at <= sc.done || s[at-1] != '=' {
		return ""
	}
	for _, name := range [...]string{" key=", " name=", " id=", " Name=", " Key="} {
		if strings.HasSuffix(s[sc.done:at], name) {
			return s[start:end]
		}
	}
	return ""
}

// attributeKey names the value of <add key="DbPassword" value="…"/>.
func (sc *scanner) attributeKey(p *pair, start int) bool {
	end := start
	for end > sc.done && isSpace(sc.s[end-1]) && start-end < 8 {
		end--
	}
	if end == start || p.colon {
		return false
	}
	p.key = sc.attributeBefore(end)
	p.class, p.keyQuoted = classify(p.key), true
	return p.class == keySecret || p.class == keyWeak
}
