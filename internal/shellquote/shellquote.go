// Package shellquote writes a text as one word of a POSIX shell's command line. Installers use it for the command lines
// that agents run. It must not import the rest of boathook.
package shellquote

import "strings"

// Quote puts s in single quotes in any case. No dollar sign stands directly before another character of s: agents
// substitute $NAME and ${name} in a command's text before a shell sees it (Gemini CLI 0.61: $GEMINI_CWD,
// ${extensionPath}, ${/}), and quotes don't keep them from it. A NUL can't be in a word; it is left out.
func Quote(s string) string {
	return "'" + strings.NewReplacer("'", `'\''`, "$", "$''", "\x00", "").Replace(s) + "'"
}

// Word is s itself where a shell reads that as one word without doing anything to it, else Quote(s).
func Word(s string) string {
	if s == "" || s[0] == '~' || strings.ContainsFunc(s, special) {
		return Quote(s)
	}
	return s
}

func special(r rune) bool {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
		return false
	}
	return !strings.ContainsRune("/._-+:,@%", r)
}
