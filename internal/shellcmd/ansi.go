package shellcmd

import (
	"strings"
	"unicode/utf8"
)

// ansiC is the text of $'…'.
func ansiC(s string) string {
	if !strings.Contains(s, "\\") {
		return s
	}
	var out []byte
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 >= len(s) {
			out = append(out, s[i])
			continue
		}
		i++
		if plain := strings.IndexByte(`abeEfnrtv\'"?`, s[i]); plain >= 0 {
			out = append(out, "\a\b\x1b\x1b\f\n\r\t\v\\'\"?"[plain])
			continue
		}
		if s[i] == 'c' {
			if i+1 < len(s) {
				out = append(out, s[i+1]&0x1f)
				i++
			}
			continue
		}
		n, size := coded(s[i:])
		switch {
		case size == 0:
			out = append(out, '\\', s[i])
			continue
		case n == 0:
			// The string ends at a NUL.
			return strings.ToValidUTF8(string(out), "\uFFFC")
		case s[i] == 'u' || s[i] == 'U':
			out = utf8.AppendRune(out, rune(n))
		default:
			out = append(out, byte(n))
		}
		i += size - 1
	}
	return strings.ToValidUTF8(string(out), "\uFFFC")
}

// coded reads the number of a character behind its backslash; size is how long that is with its letter, 0 where there is none.
func coded(s string) (n, size int) {
	most := 0
	switch c := s[0]; {
	case c == 'x':
		most = 2
	case c == 'u':
		most = 4
	case c == 'U':
		most = 8
	case c >= '0' && c <= '7':
		return digits(s, 8, 3)
	default:
		return 0, 0
	}
	if n, size = digits(s[1:], 16, most); size > 0 {
		size++
	}
	return n, size
}

func digits(s string, base, most int) (n, size int) {
	for size < most && size < len(s) {
		d := strings.IndexByte("0123456789abcdef", s[size]|0x20)
		if s[size] >= '0' && s[size] <= '9' {
			d = int(s[size] - '0')
		}
		if d < 0 || d >= base {
			break
		}
		n = n*base + d
		size++
	}
	return n, size
}
