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
	if class == keyPlain {
		return span{}
	}
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
	if !sc.shell || i <= sc.done || !tellingEnd(s[i-1]) {
		return span{}
	}
	start := i
	for start > sc.done && i-start < maxKey && keyByte(s[start-1]) {
		start--
	}
	if start == sc.done || s[start-1] != '<' {
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
	class, v := classify(s[start:i]), s[i+1:end]
	if class != keySecret && (class != keyWeak || !looksSecret(v)) || v == "" || isPlaceholder(v) || nameLike(v) ||
		strings.ContainsAny(v, "{$") || kindsOf(v).space {
		return span{}
	}
	return span{i + 1, end, "field_secret"}
}
