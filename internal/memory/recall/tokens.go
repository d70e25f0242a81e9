package recall

import "unicode"

// Tokens estimates how many tokens a model makes of a text, rather too many than too few, since every model has its own way: of a run
// of Latin letters one for the first three and each further three, of a digit, a sign and a line break one each, of a syllable of
// Hangul or another letter beyond Latin two, of what is none of these three; blanks between words cost nothing.
func Tokens(text string) int {
	n, letters, blanks := 0, 0, 0
	for _, r := range text {
		switch {
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z':
			if letters%3 == 0 {
				n++
			}
			letters++
			blanks = 0
			continue
		case r == ' ':
			if blanks++; blanks > 1 {
				n++
			}
			letters = 0
			continue
		case r < 0x80:
			n++
		case r < 0x250:
			n += 2
		case unicode.IsLetter(r), unicode.IsDigit(r), r >= 0x2000 && r < 0x2070:
			n += 2
		default:
			n += 3
		}
		letters, blanks = 0, 0
	}
	return n
}
