package cli

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/internal/shellquote"
	"github.com/boathook/boathook/policy"
)

// unknownMark is how U+FFFC is shown: terminals have no picture of it.
func unknownMark(s string) string { return strings.ReplaceAll(s, word.Unknown, "◌") }

// argvText is a command as somebody would type it; text is what it was read from. An operation of inline code has no program: it
// is shown by its name.
func argvText(c policy.Command, text string) string {
	out := make([]string, 0, len(c.Argv)+1)
	if c.Op != "" {
		out = append(out, c.Op)
	}
	for i, w := range c.Argv {
		if i < len(c.Words) && standsAt(c.Words[i], text, w) {
			out = append(out, w)
			continue
		}
		out = append(out, wordText(w, i < len(c.Words) && c.Words[i][1] > 0))
	}
	return strings.Join(out, " ")
}

// standsAt tells whether a word stands in a text as it is, without quotes.
func standsAt(at [2]int, text, w string) bool {
	return w != "" && 0 <= at[0] && at[0] < at[1] && at[1] <= len(text) && text[at[0]:at[1]] == w
}

// wordText quotes a word where a shell would read it otherwise. What is not known needs no quotes; nor has a pattern, but where it is
// known to stand in some: it may be one that the shell fills in.
func wordText(w string, quoted bool) string {
	marks := "=:@%+,^"
	if !quoted {
		marks += "*?[]{}~!"
	}
	bare := strings.Map(func(r rune) rune {
		if strings.ContainsRune(marks, r) {
			return 'x'
		}
		return r
	}, strings.ReplaceAll(w, word.Unknown, "x"))
	if bare == "" || shellquote.Word(bare) != bare {
		return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	return w
}
