package redact

import "strings"

// koreanSecret matches "비밀번호는 X 입니다": a particle stands where other
// languages have a colon.
func (sc *scanner) koreanSecret(i int) (span, int) {
	s := sc.s
	at := 0
	for _, word := range [...]string{"비밀번호", "비번", "패스워드", "암호"} {
		if strings.HasPrefix(s[i:], word) {
			at = i + len(word)
		}
	}
	if at == 0 {
		return span{}, i + 3
	}
	next := at
	for _, particle := range [...]string{"는", "은", "가", "이", "를", "을"} {
		if strings.HasPrefix(s[at:], particle) {
			at += len(particle)
		}
	}
	if !sc.shell || at == next || at >= len(s) || !isBlank(s[at]) && !isQuote(s[at]) {
		return span{}, next
	}
	start, stop := koreanValue(s, at)
	v := s[start:stop]
	if len(v) < 4 || isPlaceholder(v) || nameLike(v) || strings.ContainsAny(v, "([{<$") || pathLike(v) || dotted(v) {
		return span{}, next
	}
	k := kindsOf(v)
	if k.digit && (k.letter() || k.other) && len(v) >= 6 || statement(s[stop:]) {
		return span{start, stop, "field_secret"}, 0
	}
	return span{}, next
}

// koreanValue is the ASCII word or the quoted text at i.
func koreanValue(s string, i int) (start, stop int) {
	for i < len(s) && isBlank(s[i]) {
		i++
	}
	if open, delim := openQuote(s, i); delim != "" {
		return open, closeQuote(s[:min(len(s), open+maxJudged)], open, delim)
	}
	stop = i
	for stop < len(s) && s[stop] > ' ' && s[stop] < 0x7f && !isQuote(s[stop]) && s[stop] != '\\' {
		stop++
	}
	for stop > i && strings.IndexByte(".,;:!?)", s[stop-1]) >= 0 {
		stop--
	}
	return i, stop
}

// statement says that a sentence ends with "is".
func statement(rest string) bool {
	rest = strings.TrimLeft(rest[:min(len(rest), maxLabel)], "\\\"'` ")
	for _, end := range [...]string{"입니다", "이에요", "예요", "이야", "야", "이다", "임", "이고", "이며"} {
		if strings.HasPrefix(rest, end) {
			return true
		}
	}
	return false
}

// koreanLine judges "비밀번호: X" up to the end of its line.
func (sc *scanner) koreanLine(p pair, v string) bool {
	if !p.colon || p.keyQuoted || p.key[0] < 0x80 || len(v) < 4 || strings.Trim(v, asciiSigns) != "" {
		return false
	}
	return sc.lineEnds(p.end) || statement(sc.s[p.end:])
}

// asciiSigns are what passwords are made of.
const asciiSigns = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*()-_=+[]{};:,.<>/?|~"
