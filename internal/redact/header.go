package redact

import (
	"encoding/base64"
	"strings"
)

// splitScheme returns the length of an authentication scheme with the blanks
// after it, or 0.
func splitScheme(v string) int {
	for _, scheme := range [...]string{
		"bearer", "basic", "token", "digest", "negotiate", "apikey", "api-key", "bot", "jwt", "key", "splunk", "hawk", "mac",
		"aws4-hmac-sha256", "sharedkey", "ghtoken", "ntlm", "oauth",
	} {
		if !foldPrefix(v, scheme) {
			continue
		}
		n := len(scheme)
		for n < len(v) && isBlank(v[n]) {
			n++
		}
		if n > len(scheme) {
			return n
		}
	}
	return 0
}

func schemeType(v string) string {
	if foldPrefix(v, "basic") {
		return "basic_auth"
	}
	return "bearer"
}

// authValue masks the credentials of an Authorization header and keeps its scheme.
func (sc *scanner) authValue(p pair) span {
	v := sc.s[p.start:sc.headerEnd(p)]
	n := splitScheme(v)
	word := v[n:]
	if i := strings.IndexAny(word, " \t,"); i >= 0 && !foldPrefix(v, "digest") && !foldPrefix(v, "aws4") {
		word = word[:i]
	}
	word = strings.TrimRight(word, ")}];")
	rest := strings.TrimLeft(v[n+len(word):], " ")
	switch {
	case isPlaceholder(word), nameLike(word), strings.HasPrefix(word, "${"), strings.HasPrefix(word, "#{"), strings.ContainsAny(word, "(<"), formatted(word):
		return span{}
	case n > 0 && !kindsOf(word).digit && !kindsOf(word).upper && rest != "" && isLetter(rest[0]):
		return span{} // prose: "Bearer authentication is required"
	case n == 0 && !looksSecret(word) && !(p.quoted && len(word) >= 8 && kindsOf(word).digit && rest == "" && !dotted(word)):
		return span{}
	}
	return span{p.start + n, p.start + n + len(word), schemeType(v)}
}

// headerEnd is the end of a header's line: unlike other values it has blanks.
func (sc *scanner) headerEnd(p pair) int {
	if p.quoted {
		return p.end
	}
	i := p.start
	digest := foldPrefix(sc.s[i:], "digest ") // its parameters are quoted
	for i < sc.near && sc.s[i] != '\n' && sc.s[i] != '\r' && (!isQuote(sc.s[i]) || digest && sc.s[i] == '"') {
		if !digest && sc.s[i] == '\\' && i+1 < len(sc.s) && (isQuote(sc.s[i+1]) || strings.IndexByte("nr\\", sc.s[i+1]) >= 0) {
			break
		}
		i++
	}
	return i
}

// cookieValue masks a Cookie or Set-Cookie header: name=value pairs.
func (sc *scanner) cookieValue(p pair) span {
	if !p.colon && !p.keyQuoted || strings.HasSuffix(p.key, "s") {
		return span{}
	}
	end := sc.headerEnd(p)
	if !cookiePairs(sc.s[p.start:end]) {
		return span{}
	}
	return span{p.start, end, "cookie"}
}

func cookiePairs(v string) bool {
	for part := range strings.SplitSeq(v, ";") {
		name, value, ok := strings.Cut(strings.TrimSpace(part), "=")
		if !ok || name == "" || sets().dotted.run(name, 0) != len(name) {
			continue
		}
		switch strings.ToLower(name) {
		case "path", "domain", "max-age", "expires", "samesite", "httponly", "secure":
			continue
		}
		if value != "" && !isBlank(value[0]) && !isPlaceholder(value) && !nameLike(value) && !strings.ContainsAny(value, "(<{$") {
			return true
		}
	}
	return false
}

// bareScheme matches credentials that follow "Bearer " or "Basic " anywhere.
func (sc *scanner) bareScheme(i int) (span, bool) {
	s := sc.s
	basic := foldPrefix(s[i:], "basic ")
	if !basic && !foldPrefix(s[i:], "bearer ") {
		return span{}, false
	}
	start := i + strings.IndexByte(s[i:], ' ') + 1
	end := sc.runEnd(sc.sets.bearer, start)
	for end > start && s[end-1] == '.' {
		end--
	}
	v := s[start:end]
	if basic {
		return span{start, end, "basic_auth"}, basicPair(v)
	}
	if len(v) < 16 || !looksSecret(v) && !jwtLike(v) {
		return span{}, false
	}
	return span{start, end, "bearer"}, true
}

func jwtLike(v string) bool {
	sc := scanner{s: v, sets: sets()}
	_, ok := sc.jwt(0)
	return ok
}

// basicPair decodes the user:password of Basic credentials.
func basicPair(v string) bool {
	if len(v) < 8 {
		return false
	}
	plain, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(v, "="))
	if err != nil || !strings.Contains(string(plain), ":") {
		return false
	}
	for _, b := range plain {
		if b < 0x20 || b == 0x7f {
			return false
		}
	}
	return true
}
