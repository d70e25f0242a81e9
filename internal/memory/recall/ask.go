package recall

import (
	"strings"
	"unicode"

	"github.com/boathook/boathook/internal/memory/terms"
	"github.com/boathook/boathook/internal/private"
)

// What of a prompt is asked about: a log that was pasted into it says at its beginning and its end what it is about.
const (
	promptHead = 8 << 10
	promptTail = 4 << 10
)

// Question is a prompt as memory is asked: bounded, without what is marked as private, what memory said itself
// and the name of a slash command.
func Question(prompt string) string {
	prompt = strings.TrimSpace(Strip(bound(private.Without(prompt, ""), 4*promptHead, 4*promptTail)))
	if rest, ok := strings.CutPrefix(prompt, "/"); ok {
		name, args, _ := strings.Cut(rest, " ")
		if name != "" && !strings.ContainsAny(name, "/.\\\n") { // a path begins like that, too
			prompt = strings.TrimSpace(args)
		}
	}
	return bound(prompt, promptHead, promptTail)
}

// bound is the beginning and the end of a text, whole words of them.
func bound(s string, head, tail int) string {
	if len(s) <= head+tail {
		return s
	}
	begin, end := s[:head], s[len(s)-tail:]
	if i := strings.LastIndexFunc(begin, unicode.IsSpace); i > head/2 {
		begin = begin[:i]
	}
	if i := strings.IndexFunc(end, unicode.IsSpace); i >= 0 && i < tail/2 {
		end = end[i:]
	}
	return strings.ToValidUTF8(begin, "") + "\n" + strings.ToValidUTF8(end, "")
}

// excerpt is the part of a text that has most of what is asked, from the beginning of a line on.
func excerpt(text string, asked map[string]bool, most int) string {
	if len(text) <= most {
		return text
	}
	lines := strings.SplitAfter(text, "\n")
	best, bestAt := -1, 0
	for i, line := range lines {
		if i >= maxExcerptLines {
			break
		}
		found := map[string]bool{}
		for _, t := range terms.Of(line[:min(len(line), 1<<10)]) {
			if asked[t] {
				found[t] = true
			}
		}
		if len(found) > best {
			best, bestAt = len(found), i
		}
	}
	if bestAt > 0 && len(lines[bestAt-1]) < most/3 {
		bestAt--
	}
	return strings.Join(lines[bestAt:], "")
}

const maxExcerptLines = 200
