package redact

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// fold says that the view goes on at at with what is at from in the source.
type fold struct{ at, from int }

type folds []fold

// source is where byte i of the view comes from.
func (f folds) source(i int) int {
	n, _ := slices.BinarySearchFunc(f, i, func(x fold, i int) int { return x.at - i - 1 }) // the first behind i
	if n == 0 {
		return i
	}
	return f[n-1].from + i - f[n-1].at
}

// unfold returns s as it is meant: its \u00XX escapes of printable ASCII decoded,
// as text often holds JSON that is encoded once more; digits, dashes and blanks
// of other alphabets as those of ASCII; nothing where a sign has no width. A
// secret must not hide behind any of them. f is nil where s is the view.
func unfold(s string) (view string, f folds) {
	if !folded(s) {
		return s, nil
	}
	b := make([]byte, 0, len(s))
	from := 0
	for i := 0; i < len(s); {
		c, n := s[i], 1
		width := 1
		if c == '\\' {
			c, n, width = unicodeEscape(s, i)
		} else if c >= 0xc2 {
			c, n, width = plainSign(s, i)
		}
		if width < 0 { // n bytes as they are
			i += n
			continue
		}
		if n > 1 {
			b = append(b, s[from:i]...)
			b = append(b, c)
			b = b[:len(b)-1+width]
			from = i + n
			f = append(f, fold{len(b), from})
		}
		i += n
	}
	return string(append(b, s[from:]...)), f
}

// folded is a quick look for what unfold changes.
func folded(s string) bool {
	if strings.Contains(s, `\u00`) {
		return true
	}
	for i := 0; i+1 < len(s); i++ {
		if s[i] >= 0xc2 {
			if _, n, width := plainSign(s, i); n > 1 && width >= 0 {
				return true
			}
		}
	}
	return false
}

// plainSign is the ASCII sign that stands for the one at i: n bytes become width.
func plainSign(s string, i int) (c byte, n, width int) {
	if i+1 >= len(s) {
		return s[i], 1, 1
	}
	switch b := s[i+1]; s[i] {
	case 0xc2:
		if b == 0xa0 {
			return ' ', 2, 1 // no-break space
		}
		if b == 0xad {
			return 0, 2, 0 // soft hyphen
		}
	case 0xe2, 0xe3, 0xef:
		if i+2 < len(s) {
			return wideSign(uint32(s[i])<<16|uint32(b)<<8|uint32(s[i+2]), s[i])
		}
	}
	return s[i], 1, 1
}

func wideSign(v uint32, first byte) (c byte, n, width int) {
	switch {
	case v >= 0xe28080 && v <= 0xe2808a, v == 0xe280af, v == 0xe38080:
		return ' ', 3, 1
	case v >= 0xe28090 && v <= 0xe28095, v == 0xe28892, v == 0xefbc8d, v == 0xefb98d, v == 0xe385a1, v == 0xefb998, v == 0xefb9a3:
		return '-', 3, 1
	case v >= 0xe2808b && v <= 0xe2808d, v == 0xe281a0, v == 0xefbbbf:
		return 0, 3, 0 // no width
	case v >= 0xefbc90 && v <= 0xefbc99:
		return '0' + byte(v-0xefbc90), 3, 1
	case v == 0xefbc8e:
		return '.', 3, 1
	case v == 0xefbc9a:
		return ':', 3, 1
	case v == 0xefbc9d:
		return '=', 3, 1
	}
	return first, 1, 1
}

// unicodeEscape decodes an escape at i with any number of backslashes, as each
// level of encoding doubles them. A width of -1 leaves n bytes as they are.
func unicodeEscape(s string, i int) (c byte, n, width int) {
	u := i
	for u < len(s) && s[u] == '\\' {
		u++
	}
	if u+5 <= len(s) && s[u] == 'u' {
		if v, ok := hex4(s, u+1); ok && v >= 0x20 && v < 0x7f {
			return byte(v), u + 5 - i, 1
		}
	}
	return '\\', u - i, -1
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
