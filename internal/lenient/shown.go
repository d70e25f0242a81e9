package lenient

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Shown is a text for people without what could act on a terminal or turn its direction.
func Shown(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		if unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Bidi_Control, r) {
			return utf8.RuneError
		}
		return r
	}, strings.ReplaceAll(s, "\r\n", "\n"))
}

// longWord is how far Cut looks back for the begin of a word.
const longWord = 512

// Cut is at most the first bytes of a text. It ends before the word that it would split: who masks the text later could not
// know half a secret for one.
func Cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	s = s[:most+1]
	if at := strings.LastIndexFunc(s, unicode.IsSpace); at >= max(0, most-longWord) {
		return s[:at]
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}
