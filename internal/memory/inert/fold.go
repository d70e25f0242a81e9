package inert

import (
	"strings"
	"unicode"
)

// fold is a line as it is compared: lower case, without accents and marks of emphasis, letters of other scripts and widths that look
// like Latin ones written as those, and one blank between words.
func fold(line string) string {
	var out strings.Builder
	out.Grow(len(line))
	for word := range strings.FieldsSeq(line) {
		if n := out.Len(); n > 0 {
			out.WriteByte(' ')
		}
		before := out.Len()
		foldWord(&out, word)
		if out.Len() == before && before > 0 { // nothing but marks
			text := out.String()[:before-1]
			out.Reset()
			out.WriteString(text)
		}
	}
	return out.String()
}

func foldWord(out *strings.Builder, word string) {
	if ascii(word) {
		for i := range len(word) {
			switch c := word[i]; {
			case c >= 'A' && c <= 'Z':
				out.WriteByte(c + 'a' - 'A')
			case c == '*' || c == '~' || c == '`' || c == '\\':
			default:
				out.WriteByte(c)
			}
		}
		return
	}
	latin := strings.ContainsFunc(word, func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= 0xc0 && r < 0x250 })
	for _, r := range word {
		r = unicode.ToLower(r)
		switch {
		case r >= 0xff01 && r <= 0xff5e:
			r = unicode.ToLower(r - 0xff01 + '!')
		case r >= 0x1d400 && r <= 0x1d6a3: // the alphabets of mathematics: 52 letters each
			r = 'a' + (r-0x1d400)%26
		case r >= 0x24d0 && r <= 0x24e9:
			r = 'a' + r - 0x24d0
		case latin:
			r = alike(r)
		}
		if r >= 0x300 && unicode.Is(unicode.Mn, r) || r == '*' || r == '~' || r == '`' || r == '\\' {
			continue
		}
		out.WriteRune(r)
	}
}

// alike is the Latin letter that one of another script looks like, in a line that has Latin ones too, and the bare one of a letter
// with an accent.
func alike(r rune) rune {
	if r < 0xc0 {
		return r
	}
	const (
		others = "аеорсухіјѕԁһӏњмткв" + "αεορνικτυχ" + "àáâãäåçèéêëìíîïñòóôõöøùúûüýÿıłśšžźżćčęąėęğő"
		latins = "aeopcyxijsdhlhmtkb" + "aeopvikтyx" + "aaaaaaceeeeiiiinoooooouuuuyyilsszzzcceaeego"
	)
	at := strings.IndexRune(others, r)
	if at < 0 {
		return r
	}
	n := 0
	for range others[:at] {
		n++
	}
	for _, l := range latins {
		if n == 0 {
			if l == 'т' {
				return 't'
			}
			return l
		}
		n--
	}
	return r
}

// spaced joins letters that stand apart: i g n o r e.
func spaced(line string) string {
	fields := strings.Fields(line)
	apart := 0
	for _, f := range fields {
		if len(f) == 1 && letter(f[0]) {
			apart++
		}
	}
	if apart < 8 || apart*2 < len(fields) {
		return ""
	}
	return strings.Join(fields, "")
}
