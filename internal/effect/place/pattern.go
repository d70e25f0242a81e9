package place

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// hasPattern tells whether a text has a character of shell patterns.
func hasPattern(text string) bool { return strings.ContainsAny(text, "*?[") }

// firstVague is where the first part begins that is not known or is a pattern; -1 where there is none.
func firstVague(path string, glob bool) int {
	at := strings.Index(path, word.Unknown)
	if glob {
		if g := strings.IndexAny(path, "*?["); g >= 0 && (at < 0 || g < at) {
			at = g
		}
	}
	return at
}

// everything tells whether a pattern means all, or all hidden, that a directory holds.
func everything(pattern string) bool {
	switch pattern {
	case "*", "**", ".*", "*.*", ".[!.]*", ".[^.]*", "..?*", ".??*", "?*", "[!.]*", "[^.]*", "*?", ".?*", ".[a-zA-Z0-9]*", "*(D)", "*(DN)":
		return true
	}
	return strings.Trim(pattern, "*") == "" && pattern != ""
}
