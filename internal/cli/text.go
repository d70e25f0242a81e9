package cli

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text from payloads is data: it may hold escape sequences that move the cursor, set the window's title or write to the
// clipboard, and Unicode controls that reorder a line. Everything printed for people goes through plain.

// plain makes a text harmless on a terminal: every control or invisible character is shown as an escape like \x1b, every
// space is a plain one. The result is one line.
func plain(s string) string {
	if isPlain(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&b, `\x%02x`, s[i])
		} else {
			plainRune(&b, r)
		}
		i += size
	}
	return b.String()
}

func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

func plainRune(b *strings.Builder, r rune) {
	switch {
	case unicode.IsPrint(r):
		b.WriteRune(r)
	case r == '\n':
		b.WriteString(`\n`)
	case r == '\t':
		b.WriteByte(' ')
	case r == '\r':
		b.WriteString(`\r`)
	case unicode.Is(unicode.Zs, r):
		b.WriteByte(' ')
	case r < 0x100:
		fmt.Fprintf(b, `\x%02x`, r)
	default:
		fmt.Fprintf(b, `\u{%x}`, r)
	}
}

// plainJSON does the same for a line of JSON without changing its meaning: JSON itself escapes the controls below space,
// so what is left are DEL, the C1 controls and the Unicode format characters, which can only be inside strings.
func plainJSON(line []byte) []byte {
	if !needsEscape(line) {
		return line
	}
	var b bytes.Buffer
	for len(line) > 0 {
		r, size := utf8.DecodeRune(line)
		switch {
		case r == '\n', r == '\r', r == '\t': // only between tokens in valid JSON
			b.WriteByte(' ')
		case r == utf8.RuneError && size == 1:
			b.WriteString(`\ufffd`)
		case hidden(r) && r > 0xffff:
			r1, r2 := utf16Pair(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, r1, r2)
		case hidden(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.Write(line[:size])
		}
		line = line[size:]
	}
	return b.Bytes()
}

func needsEscape(line []byte) bool {
	for _, c := range line {
		if c < ' ' || c > '~' {
			return true
		}
	}
	return false
}

func hidden(r rune) bool {
	return !unicode.IsPrint(r) && !unicode.Is(unicode.Zs, r)
}

func utf16Pair(r rune) (hi, lo rune) {
	r -= 0x10000
	return 0xd800 + r>>10, 0xdc00 + r&0x3ff
}

// shorten cuts a plain text to a width in columns and marks the cut. A width of 0 leaves it alone.
func shorten(s string, width int) string {
	if width <= 0 || columns(s) <= width {
		return s
	}
	used := 0
	for i, r := range s {
		w := runeColumns(r)
		if used+w > width-1 {
			return s[:i] + "…"
		}
		used += w
	}
	return s
}

// fill makes a plain text at least so wide.
func fill(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-columns(s)))
}

func columns(s string) int {
	n := 0
	for _, r := range s {
		n += runeColumns(r)
	}
	return n
}

// runeColumns is 2 for the wide blocks of East Asian scripts and emoji, 0 for combining marks, else 1. It need not be
// exact: it only keeps columns straight.
func runeColumns(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case r >= 0x1100 && r <= 0x115f, r >= 0x2e80 && r <= 0xa4cf && r != 0x303f, r >= 0xac00 && r <= 0xd7a3,
		r >= 0xf900 && r <= 0xfaff, r >= 0xfe30 && r <= 0xfe6f, r >= 0xff00 && r <= 0xff60, r >= 0xffe0 && r <= 0xffe6,
		r >= 0x1f300 && r <= 0x1faff, r >= 0x20000 && r <= 0x3fffd:
		return 2
	}
	return 1
}
