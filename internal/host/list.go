package host

import (
	"strings"

	"github.com/boathook/boathook/internal/lenient"
	"github.com/boathook/boathook/internal/shellquote"
)

// listDepth bounds lists of lists.
const listDepth = 4

// listed are the command lines that a list where a line should be may stand for: the words of one program, as they are and as they
// would be where somebody only joins them; lines, where the first is more than a program; or lists of these.
func listed(list lenient.Value, depth int) []string {
	var out, texts []string
	for _, e := range list.Elems() {
		if (e.Kind() == lenient.Array || e.Kind() == lenient.Object) && depth > 0 {
			if e.Kind() == lenient.Array {
				out = append(out, listed(e, depth-1)...)
			} else {
				out = append(out, seek(e, nil)...)
			}
			continue
		}
		texts = appendText(texts, e)
	}
	switch {
	case len(texts) == 0:
		return out
	case strings.ContainsAny(strings.TrimSpace(texts[0]), " \t\n"):
		return append(out, texts...)
	}
	return append(out, argv(texts)...)
}

// argv are the words of one program as a line. Where a word is more than one for a shell it stands in quotes; joined without any it is
// another line, which comes last, since a quote may be open in it. What a shell is told to run is only that.
func argv(texts []string) []string {
	quoted := make([]string, len(texts))
	for i, s := range texts {
		quoted[i] = s
		if strings.ContainsAny(s, " \t\r\n'\"") {
			quoted[i] = shellquote.Quote(s)
		}
	}
	whole, plain := strings.Join(quoted, " "), strings.Join(texts, " ")
	if whole == plain || shellRuns(texts) {
		return []string{whole}
	}
	return []string{whole, plain}
}

// shellRuns tells whether a list is a shell that runs its third word.
func shellRuns(texts []string) bool {
	name := texts[0][strings.LastIndexAny(texts[0], `/\`)+1:]
	switch strings.TrimSuffix(strings.ToLower(name), ".exe") {
	case "sh", "bash", "zsh", "dash", "ksh", "fish":
		return len(texts) == 3 && strings.HasPrefix(texts[1], "-") && strings.HasSuffix(texts[1], "c")
	}
	return false
}
