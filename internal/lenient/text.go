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
	return string([]rune(s))
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

// fromUTF16 turns a text with a UTF-16 byte order mark into UTF-8; PowerShell pipes send such.
func fromUTF16(b []byte) ([]byte, bool) {
	if len(b) < 2 || b[0]^b[1] != 0x01 || b[0] < 0xfe {
		return b, false
	}
	big := b[0] == 0xfe
	units := make([]uint16, 0, len(b)/2)
	for i := 2; i+1 < len(b); i += 2 {
		hi, lo := b[i], b[i+1]
		if !big {
			hi, lo = lo, hi
		}
		units = append(units, uint16(hi)<<8|uint16(lo))
	}
	return []byte(string(utf16.Decode(units))), true
}
