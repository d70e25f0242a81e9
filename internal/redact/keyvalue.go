package redact

import "strings"

// pair is a named value in text.
type pair struct {
	key        string
	class      keyClass
	keyStart   int
	keyQuoted  bool
	colon      bool // ':' rather than '='
	spaced     bool // blanks round the separator
	query      bool // ?key=value or &key=value
	start, end int  // the value, without its quotes
	quoted     bool
}

// maxJudged is how much of a value decides whether it's a secret. Without a bound
// a text made of keys alone would cost the square of its length.
const maxJudged = 192

// keyValue judges the separator at i, whose value starts at from. A secret that
// runs past what is judged is masked to its end.
func (sc *scanner) keyValue(i, from int) span {
	if sc.ident {
		return span{}
	}
	sc.near = min(len(sc.s), from+maxJudged)
	near := sc.near
	hit := sc.namedValue(i, from)
	sc.near = len(sc.s)
	if hit.typ == "" || hit.end != near || near == len(sc.s) {
		return hit
	}
	if whole := sc.namedValue(i, from); whole.typ != "" {
		return whole
	}
	hit.end = bareEnd(sc.s, near, false, true)
	return hit
}

// namedValue is keyValue without a bound.
func (sc *scanner) namedValue(i, from int) span {
	p := pair{colon: sc.s[i] == ':' || sc.s[i] == '%' && sc.s[i+2]|0x20 == 'a'}
	from, ok := sc.operator(i, from)
	if !ok || !sc.readKey(&p, i) {
		return span{}
	}
	sc.readValue(&p, from)
	sc.steps += judgeSteps + p.end - p.start
	p.start = afterMarks(sc.s, p.start, p.end)
	p.end = sc.cutPhrase(p)
	v := sc.s[p.start:p.end]
	if v == "" {
		return span{}
	}
	switch p.class {
	case keyAuth:
		return sc.authValue(p)
	case keyCookie:
		return sc.cookieValue(p)
	}
	if isPlaceholder(v) || !sc.namedSecret(p, v) {
		return span{}
	}
	if hit, ok := sc.named(p.start); ok && hit.end >= p.end {
		return hit
	}
	if hit, ok := sc.pem(p.start); ok && hit.start == p.start {
		return hit
	}
	return span{p.start, p.end, p.typ()}
}

// afterMarks steps over what is masked already at the start of a value.
func afterMarks(s string, start, end int) int {
	for strings.HasPrefix(s[start:end], markPrefix) {
		n := strings.IndexByte(s[start:end], ']')
		if n < 0 || sets().word.run(s, start+len(markPrefix)) != start+n || n > maxTypeName+len(markPrefix) {
			break
		}
		start += n + 1
	}
	return start
}

func (p pair) typ() string {
	switch {
	case p.class == keyAWS:
		return "aws_secret_key"
	case p.class == keyAzure:
		return "azure_key"
	case p.class == keySig:
		return "azure_sas"
	case p.colon || p.query:
		return "field_secret"
	}
	return "env_secret"
}

// operator sorts comparisons out and steps over ":=" and "=>".
func (sc *scanner) operator(i, from int) (int, bool) {
	s := sc.s
	if from >= len(s) || s[i] == '%' {
		return from, from < len(s)
	}
	if s[i] == ':' {
		return from, s[from] != '=' && s[from] != ':' && (i == 0 || s[i-1] != ':')
	}
	if s[from] == '=' || i > 0 && strings.IndexByte("=!<>+-*/~^|&", s[i-1]) >= 0 {
		return from, false
	}
	if s[from] == '>' {
		from++
	}
	return from, true
}

// readKey reads the name before the separator at i.
func (sc *scanner) readKey(p *pair, i int) bool {
	s := sc.s
	end := i
	if end > sc.done && s[end-1] == ':' { // the ":=" of Go
		end--
	}
	for end > sc.done && isBlank(s[end-1]) && i-end < 24 {
		end--
		p.spaced = true
	}
	end = sc.brackets(end)
	if end > sc.done && isQuote(s[end-1]) {
		p.keyQuoted = true
		end = sc.insideQuote(end - 1)
	}
	if end <= sc.done || !tellingEnd(s[end-1]) {
		return false
	}
	start := end
	for start > sc.done && end-start < maxKey && keyByte(s[start-1]) {
		start--
	}
	sc.steps += end - start + classSteps
	start = afterEscape(s, start, end)
	if strings.HasSuffix(s[:start], markPrefix) {
		return false // the name of a mark
	}
	p.key, p.keyStart = s[start:end], start
	switch p.key {
	case "str", "string":
		return sc.typedKey(p, start)
	case "value", "Value":
		return sc.attributeKey(p, start)
	}
	p.class = classify(p.key)
	if p.class == keyPlain && !p.colon && strings.HasSuffix(p.key, "_KEY") && envName(p.key) {
		p.class = keyWeak
	}
	p.query = start > 0 && strings.IndexByte("?&#", s[start-1]) >= 0 && !p.colon
	return p.class != keyPlain
}

// insideQuote steps over the backslashes before a closing quote, and over what a
// careless name ends with: "password ": "password[]":
func (sc *scanner) insideQuote(end int) int {
	for end > sc.done && sc.s[end-1] == '\\' {
		end--
	}
	quote := end
	for end > sc.done && quote-end < 4 && strings.IndexByte(" :'[]", sc.s[end-1]) >= 0 {
		end--
	}
	return end
}

// brackets steps over the index after a name: password[], password[0], env["X"].
func (sc *scanner) brackets(end int) int {
	s := sc.s
	if end <= sc.done || s[end-1] != ']' && s[end-1] != '?' {
		return end
	}
	end--
	if s[end] == '?' {
		return end
	}
	at := end
	for at > sc.done && end-at < 4 && isDigit(s[at-1]) {
		at--
	}
	if at > sc.done && s[at-1] == '[' {
		return at - 1
	}
	return end
}

// typedKey steps over a type: "password: str = …", "password string = …".
func (sc *scanner) typedKey(p *pair, i int) bool {
	end := i
	for end > sc.done && i-end < 8 && (isBlank(sc.s[end-1]) || sc.s[end-1] == ':') {
		end--
	}
	start := end
	for start > sc.done && end-start < maxKey && keyByte(sc.s[start-1]) {
		start--
	}
	p.key, p.keyStart = sc.s[start:end], start
	p.class = classify(p.key)
	return end < i && p.class != keyPlain
}

func keyByte(b byte) bool { return isAlnum(b) || b == '_' || b == '-' || b == '.' || b >= 0x80 }

// afterEscape drops the letter of an escape that precedes a name: in "\npassword"
// the backslash and its 'n' are text.
func afterEscape(s string, start, end int) int {
	if start > 0 && s[start-1] == '\\' && start < end && strings.IndexByte("nrt", s[start]) >= 0 {
		return start + 1
	}
	return start
}

// readValue finds the bounds of the value that follows a separator.
func (sc *scanner) readValue(p *pair, from int) {
	s := sc.s
	j := from
	for j < len(s) && isBlank(s[j]) && j-from < 64 {
		j++
		p.spaced = true
	}
	if j+1 < len(s) && strings.IndexByte("fbruFBRU", s[j]) >= 0 && isQuote(s[j+1]) {
		j++ // the prefix of a string literal
	}
	if j+1 < len(s) && s[j] == '$' && isQuote(s[j+1]) {
		j++
	}
	if start, delim := openQuote(s, j); delim != "" {
		p.quoted = true
		if n := len(delim); len(s)-start > 2*n && s[start:start+n] == delim && s[start+n:start+2*n] == delim {
			start += 2 * n // TOML and Python: """two words"""
		}
		p.start, p.end = start, closeQuote(s[:max(sc.near, start)], start, delim)
		sc.steps += p.end - start
		return
	}
	p.start = j
	if delim := sc.assignment(p); delim != "" {
		p.quoted = true
		p.end = closeQuote(s[:max(sc.near, j)], j, delim)
		sc.steps += p.end - j
		return
	}
	p.end = sc.bareEnd(j, p.query, !p.colon && !p.spaced && envName(p.key))
	for p.end > p.start && !p.query && (s[p.end-1] == ',' || p.spaced && s[p.end-1] == '.') {
		p.end--
	}
}
