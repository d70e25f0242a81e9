package lenient

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// unquote gives the content of a JSON string, quotes included in raw; a truncated string has no closing one. What is no
// escape stays as it is, a lone surrogate and an invalid byte become U+FFFD.
func unquote(raw []byte) string {
	raw = raw[1:]
	if n := len(raw); n > 0 && raw[n-1] == '"' {
		raw = raw[:n-1]
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return valid(string(raw))
	}
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); {
		next := bytes.IndexByte(raw[i:], '\\')
		if next < 0 {
			out = append(out, raw[i:]...)
			break
		}
		out = append(out, raw[i:i+next]...)
		i += next
		var r rune
		if r, i = escape(raw, i); r >= 0 {
			out = utf8.AppendRune(out, r)
		}
	}
	return valid(string(out))
}

// valid replaces every invalid byte by U+FFFD, as JavaScript and encoding/json do.
func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	out := make([]byte, 0, len(s)+len(s)/8)
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		out = utf8.AppendRune(out, r)
		i += size
	}
	return string(out)
}

var simple = [256]rune{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escape reads the escape at raw[i] (a backslash). A truncated one gives -1; an unknown one the byte behind it.
func escape(raw []byte, i int) (rune, int) {
	if i+1 >= len(raw) {
		return -1, len(raw)
	}
	c := raw[i+1]
	if c != 'u' {
		if r := simple[c]; r != 0 {
			return r, i + 2
		}
		r, size := utf8.DecodeRune(raw[i+1:])
		return r, i + 1 + size
	}
	r, ok := hex4(raw, i+2)
	if !ok {
		return utf8.RuneError, min(i+6, len(raw))
	}
	if !utf16.IsSurrogate(r) {
		return r, i + 6
	}
	if i+7 < len(raw) && raw[i+6] == '\\' && raw[i+7] == 'u' {
		if low, ok := hex4(raw, i+8); ok {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				return pair, i + 12
			}
		}
	}
	return utf8.RuneError, i + 6
}

func hex4(raw []byte, i int) (rune, bool) {
	if i+4 > len(raw) {
		return 0, false
	}
	var r rune
	for _, c := range raw[i : i+4] {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return 0, false
		}
	}
	return r, true
}
