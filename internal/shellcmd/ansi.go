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
		var n, size int
		switch c := s[i]; c {
		case 'x':
			n, size = digits(s[i+1:], 16, 2)
		case 'u':
			n, size = digits(s[i+1:], 16, 4)
		case 'U':
			n, size = digits(s[i+1:], 16, 8)
		case 'c':
			if i+1 < len(s) {
				out = append(out, s[i+1]&0x1f)
				i++
			}
			continue
		case '0', '1', '2', '3', '4', '5', '6', '7':
			n, size = digits(s[i:], 8, 3)
			i--
		default:
			out = append(out, '\\', c)
			continue
		}
		if size == 0 {
			out = append(out, '\\', s[i])
			continue
		}
		if n == 0 {
			// The string ends at a NUL.
			return string(out)
		}
		if s[i] == 'u' || s[i] == 'U' {
			out = utf8.AppendRune(out, rune(n))
		} else {
			out = append(out, byte(n))
		}
		i += size
	}
	return strings.ToValidUTF8(string(out), "\uFFFC")
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
