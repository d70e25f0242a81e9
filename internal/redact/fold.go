package redact

import (
	"strings"
	"unicode/utf8"
)

// unfold returns s with its \u00XX escapes of printable ASCII decoded, and where
// each byte came from. Text often holds JSON that is encoded once more, and a
// secret must not hide behind an escape. at is nil where nothing was decoded.
func unfold(s string) (view string, at []int) {
	if !strings.Contains(s, `\u00`) {
		return s, nil
	}
	var b strings.Builder
	b.Grow(len(s))
	at = make([]int, 0, len(s)+1)
	for i := 0; i < len(s); {
		at = append(at, i)
		c, n := unicodeEscape(s, i)
		b.WriteByte(c)
		i += n
	}
	return b.String(), append(at, len(s))
}

// unicodeEscape decodes one byte of s at i: an escape with any number of
// backslashes (each level of encoding doubles them), or the byte itself.
func unicodeEscape(s string, i int) (c byte, n int) {
	if s[i] != '\\' {
		return s[i], 1
	}
	u := i
	for u < len(s) && s[u] == '\\' {
		u++
	}
	if u+5 > len(s) || s[u] != 'u' {
		return s[i], 1
	}
	if v, ok := hex4(s, u+1); ok && v >= 0x20 && v < 0x7f {
		return byte(v), u + 5 - i
	}
	return s[i], 1
}

// hex4 reads four hexadecimal digits.
func hex4(s string, i int) (v rune, ok bool) {
	if i+4 > len(s) {
		return 0, false
	}
	for _, b := range []byte(s[i : i+4]) {
		if !isHex(b) {
			return 0, false
		}
		d := rune(b - '0')
		if !isDigit(b) {
			d = rune(b|0x20) - 'a' + 10
		}
		v = v<<4 | d
	}
	return v, true
}

// quoted is s as a JSON string. Invalid UTF-8 becomes U+FFFD.
func quoted(s string) []byte {
	const hexDigits = "0123456789abcdef"
	dst := append(make([]byte, 0, len(s)+2), '"')
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c == '\t':
			dst = append(dst, '\\', 't')
		case c == '\r':
			dst = append(dst, '\\', 'r')
		case c < 0x20:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		case c < utf8.RuneSelf:
			dst = append(dst, c)
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			dst = utf8.AppendRune(dst, r)
			i += n
			continue
		}
		i++
	}
	return append(dst, '"')
}
