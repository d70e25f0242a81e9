package redact

import "strings"

// flagAt reads the command-line flag that starts with the '-' at i.
func (sc *scanner) flagAt(i int) span {
	s := sc.s
	if !sc.shell || i+2 >= len(s) || i > 0 && !isSpace(s[i-1]) && !isQuote(s[i-1]) && s[i-1] != '(' && s[i-1] != '[' && s[i-1] != ',' && !afterNewline(s, i) {
		return span{}
	}
	nameStart := i + 1
	if s[i+1] == '-' {
		nameStart++
	}
	end := nameStart
	for end < len(s) && end-i < maxKey && (isAlnum(s[end]) || s[end] == '-' || s[end] == '_') {
		end++
	}
	if end == nameStart {
		return span{}
	}
	sc.steps += classSteps + end - i
	if hit, ok := sc.commandFlag(i, end); ok {
		return hit
	}
	if end >= len(s) || s[end] != '=' && s[end] != ' ' && s[end] != '"' && s[end] != '\'' || nameStart == i+1 && end-nameStart < 5 {
		return span{}
	}
	name := s[nameStart:end]
	if class := classify(name); class < keyWeak || class > keySecret || name == "key" || name == "auth" || plural(name) {
		return span{}
	}
	start, stop := argument(s, end, true)
	sc.steps += judgeSteps + 3*(stop-i)
	return sc.passwordArgument(start, stop, s[end] == '=')
}

// plural flags choose among secrets: --export-secret-keys.
func plural(name string) bool {
	return strings.HasSuffix(name, "s") && !strings.HasSuffix(name, "ss") && name != "credentials"
}

func afterNewline(s string, i int) bool {
	return i > 1 && s[i-1] == 'n' && s[i-2] == '\\'
}

// commandFlag tries the flags whose meaning depends on the command.
func (sc *scanner) commandFlag(i, end int) (span, bool) {
	s := sc.s
	if end < len(s) && (isBlank(s[end]) || s[end] == '=' || isQuote(s[end])) && end-i > 2 {
		for _, rule := range flagTable()[s[i:end]] {
			if hit := sc.flagValue(rule, i, end, s[i+1] == '-'); hit.typ != "" {
				return hit, true
			}
		}
	}
	if s[i+1] == '-' {
		return span{}, false
	}
	attached := !isBlank(s[i+2])
	for _, rule := range flagTable()[s[i:i+2]] {
		if attached && !rule.attached && !isQuote(s[i+2]) || !attached && !rule.spaced {
			continue
		}
		if hit := sc.flagValue(rule, i, i+2, isQuote(s[i+2])); hit.typ != "" {
			return hit, true
		}
	}
	return span{}, false
}

func (sc *scanner) flagValue(rule commandFlag, i, end int, long bool) span {
	if !sc.command(i, rule.names...) {
		return span{}
	}
	start, stop := argument(sc.s, end, long)
	sc.steps += stop - i
	if open, end := sc.quotedPart(rule.kind, start, stop); end > open {
		return span{open, end, "cli_password"}.when(secretArgument(sc.s[open:end]))
	}
	v := sc.s[start:stop]
	from, typ, ok := flagSecret(rule.kind, v)
	if !ok {
		return span{}
	}
	if hit, ok := sc.token(min(start+from, len(sc.s)-1)); ok && hit.end >= stop {
		return hit
	}
	return span{start + from, stop, typ}
}

// quotedPart is the password of an argument that is quoted from there on: me:"two words".
func (sc *scanner) quotedPart(kind, start, stop int) (open, end int) {
	var sep byte
	switch kind {
	case afterColon:
		sep = ':'
	case afterPercent:
		sep = '%'
	case afterComma:
		sep = ','
	default:
		return 0, 0
	}
	if stop < start+2 || strings.IndexByte(sc.s[start:stop], sep) != stop-start-1 {
		return 0, 0
	}
	open, delim := openQuote(sc.s, stop)
	if delim == "" {
		return 0, 0
	}
	end = closeQuote(sc.s, open, delim)
	sc.steps += end - open
	return open, end
}

// passwordArgument masks a flag's value. sure means that the value belongs to the
// flag beyond doubt; a word after a blank may also be prose about the flag.
func (sc *scanner) passwordArgument(start, stop int, sure bool) span {
	v := sc.s[start:stop]
	if from, typ, ok := flagSecret(passSource, v); from > 0 {
		return span{start + from, stop, typ}.when(ok)
	}
	if !secretArgument(v) || !sure && (v[0] == '-' || v[0] == '|' || v[0] == '#' || strings.HasPrefix(v, "...")) {
		return span{}
	}
	if hit, ok := sc.token(start); ok && hit.end >= stop {
		return hit
	}
	return span{start, stop, "cli_password"}
}

// argument returns the bounds of the value of a flag whose name ends at i.
func argument(s string, i int, long bool) (start, stop int) {
	if long && s[i] == '=' {
		i++
	}
	for long && i < len(s) && isQuote(s[i]) && i+1 < len(s) && (s[i+1] == ',' || s[i+1] == ' ') {
		i++ // the end of a quoted list element: "--password", "…"
		for i < len(s) && (s[i] == ',' || s[i] == ' ') {
			i++
		}
	}
	for i < len(s) && isBlank(s[i]) {
		i++
	}
	if open, delim := openQuote(s, i); delim != "" {
		return open, closeQuote(s, open, delim)
	}
	stop = i
	for stop < len(s) && s[stop] > ' ' && !isQuote(s[stop]) && strings.IndexByte(";|&)<>", s[stop]) < 0 {
		if s[stop] == '\\' && stop+1 < len(s) && (isQuote(s[stop+1]) || s[stop+1] == 'n' || s[stop+1] == '\\') {
			break
		}
		stop++
	}
	return i, stop
}

// lastLine is what follows the last line break, real or encoded, that isn't
// escaped: a command goes on after a backslash.
func lastLine(text, lineBreak string) string {
	for at := strings.LastIndex(text, lineBreak); at >= 0; at = strings.LastIndex(text[:at], lineBreak) {
		if at == 0 || text[at-1] != '\\' {
			return text[at+len(lineBreak):]
		}
	}
	return text
}
