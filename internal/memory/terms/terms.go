// Package terms turns text into what it is found by, the same for both stores and for questions.
package terms

import (
	"strings"
	"unicode"
)

// Of are the terms of a text, in their order, with repeats.
func Of(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// Query are the terms of a question, each once, without words that every text has.
func Query(text string) []string {
	var out []string
	seen := map[string]bool{}
	for _, t := range Of(text) {
		if !seen[t] {
			seen[t] = true
			out = append(out, t)
		}
	}
	return out
}
