package terms

import "unicode"

// class says how a rune makes words.
type class uint8

const (
	separator class = iota
	latin           // a-z and 0-9, after folding
	hangul          // a syllable
	dense           // written without blanks: Chinese, Japanese, Thai and its neighbours
	other           // any other letter, digit or mark
)

// foldedLatin are the letters of U+00C0 to U+017F without their marks.
const foldedLatin = "aaaaaaaceeeeiiiidnooooo*ouuuuytsaaaaaaaceeeeiiiidnooooo/ouuuuytyaaaaaaccccccccddddeeeeeeeeeegggg" +
	"gggghhhhiiiiiiiiiiiijjkkkllllllllllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs"

// fold makes one rune of those that differ in case, width or marks alone, and says what it is. A mark that is dropped is -1.
func fold(r rune) (rune, class) {
	if r >= 0xFF01 && r <= 0xFF5E { // full width
		r -= 0xFEE0
	}
	switch {
	case r < 0x80:
		return foldASCII(r)
	case r < 0xC0:
		return r, separator
	case r < 0x180:
		r = rune(foldedLatin[r-0xC0])
		return foldASCII(r)
	case r >= 0xAC00 && r <= 0xD7A3, r >= 0x1100 && r <= 0x11FF: // syllables, and the letters that syllables are composed of
		return r, hangul
	case r >= 0x300 && r <= 0x36F:
		return -1, other
	case r >= 0x3131 && r <= 0x318E: // letters that stand alone: ㅋㅋ
		return r, separator
	case isDense(r):
		return r, dense
	case r == 'ё' || r == 'Ё':
		return 'е', other
	case r == 'й' || r == 'Й':
		return 'и', other
	case r == Joint || r == unicode.ReplacementChar:
		return r, separator
	case isWord(r) && !(r >= 0xFE00 && r <= 0xFE0F): // not what chooses a variant
		return unicode.ToLower(r), other
	}
	return r, separator
}

func foldASCII(r rune) (rune, class) {
	switch {
	case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
		return r, latin
	case r >= 'A' && r <= 'Z':
		return r + 'a' - 'A', latin
	}
	return r, separator
}

// isDense reports whether words of a script are written without blanks.
func isDense(r rune) bool {
	switch {
	case r < 0x0E00:
		return false
	case r <= 0x0EFF: // Thai, Lao
	case r >= 0x3041 && r <= 0x30FF && r != '・': // kana
	case r >= 0x3400 && r <= 0x4DBF, r >= 0x4E00 && r <= 0x9FFF, r >= 0xF900 && r <= 0xFAFF, r >= 0x20000 && r <= 0x3FFFF:
	case r == '々', r == '〆', r >= 0xFF66 && r <= 0xFF9D:
	default:
		return false
	}
	return isWord(r)
}

func isWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r)
}

// compose joins a rune to the one before where both are one character: the letters of a Korean syllable, as file names of macOS
// have them, and the marks of kana.
func compose(before, r rune) (rune, bool) {
	const syllables, vowels, finals = 0xAC00, 21, 28
	switch {
	case before >= 0x1100 && before <= 0x1112 && r >= 0x1161 && r <= 0x1175:
		return syllables + ((before-0x1100)*vowels+(r-0x1161))*finals, true
	case before >= syllables && before <= 0xD7A3 && (before-syllables)%finals == 0 && r >= 0x11A8 && r <= 0x11C2:
		return before + (r - 0x11A7), true
	case r == 0x3099 && before == 'ウ':
		return 'ヴ', true
	case r == 0x3099 && before >= 0x304B && before <= 0x30DB:
		return before + 1, true
	case r == 0x309A && before >= 0x306F && before <= 0x30DB:
		return before + 2, true
	}
	return 0, false
}
