package inert

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// visible is a line without what nobody sees: escape sequences, control characters, marks that turn the direction or have no
// width, characters that only carry data.
func visible(line string) string {
	if printable(line) {
		return line
	}
	var out strings.Builder
	out.Grow(len(line))
	for i := 0; i < len(line); {
		r, size := utf8.DecodeRuneInString(line[i:])
		switch {
		case r == 0x1b || r == 0x9b:
			i += size + escape(line[i+size:], r)
			continue
		case r == utf8.RuneError && size == 1:
			out.WriteRune(utf8.RuneError)
		case r == '\t' || r != ' ' && unicode.Is(unicode.Zs, r):
			out.WriteByte(' ')
		case hidden(r):
		default:
			out.WriteRune(r)
		}
		i += size
	}
	return out.String()
}

func printable(line string) bool {
	for i := range len(line) {
		if line[i] < ' ' || line[i] > '~' {
			return false
		}
	}
	return true
}

// escape is the length of the rest of a terminal's escape sequence (ECMA-48).
func escape(rest string, begin rune) int {
	i := 0
	if begin == 0x1b {
		if rest == "" {
			return 0
		}
		switch rest[0] {
		case '[':
			i = 1
		case ']', 'P', 'X', '^', '_': // a text follows, up to its end or, of one that has none, of the line
			for i = 1; i < len(rest); i++ {
				if rest[i] == 0x07 {
					return i + 1
				}
				if rest[i] == 0x1b {
					return min(i+2, len(rest))
				}
			}
			return len(rest)
		default:
			for i < len(rest) && rest[i] >= 0x20 && rest[i] <= 0x2f {
				i++
			}
			if i < len(rest) && rest[i] < utf8.RuneSelf {
				i++
			}
			return i
		}
	}
	for i < len(rest) && rest[i] >= 0x20 && rest[i] <= 0x3f {
		i++
	}
	if i < len(rest) && rest[i] >= 0x40 && rest[i] <= 0x7e {
		i++
	}
	return i
}

// hidden are characters that nobody sees: controls, formats (of width none, of direction, tags), selectors of a glyph's form, fillers,
// characters of no standard.
func hidden(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r < 0xa0:
		return true
	case r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0100 && r <= 0xe01ef, r >= 0xe0000 && r <= 0xe007f:
		return true
	case r == 0x034f, r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5, r == 0x3164, r == 0xffa0, r == 0x2800:
		return true
	case r >= 0xe000 && r <= 0xf8ff, r >= 0xf0000:
		return true
	case r >= 0xfdd0 && r <= 0xfdef, r&0xfffe == 0xfffe:
		return true
	}
	return r >= 0xa0 && (unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Co, r))
}
