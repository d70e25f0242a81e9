package cli

import (
	"regexp"
	"strings"
	"sync"
)

// glue stands for a space at which no line may end, while a text is broken into lines.
const glue = "\u00a0"

var (
	quotedCommand = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`'boathook [^']+'`) })
	// shellCommand is one that a cure begins with, or that stands behind a colon, up to where prose goes on.
	shellCommand = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?:^|: )(?:boathook|sudo|chmod|chown|rm|mv|ls|tail|env|gemini|agy|claude|codex|copilot|qwen|cline|amp|opencode) .*?(?:$| \(|, |; )`)
	})
)

// glued keeps quoted commands in one piece.
func glued(s string) string {
	return quotedCommand().ReplaceAllStringFunc(s, func(command string) string { return strings.ReplaceAll(command, " ", glue) })
}

// gluedCommand does the same for a text that may be a command itself.
func gluedCommand(s string) string {
	return shellCommand().ReplaceAllStringFunc(s, func(command string) string {
		lead, rest := "", command
		if after, ok := strings.CutPrefix(rest, ": "); ok {
			lead, rest = ": ", after
		}
		tail := ""
		for _, end := range []string{" (", ", ", "; "} {
			if before, ok := strings.CutSuffix(rest, end); ok {
				rest, tail = before, end
			}
		}
		return lead + strings.ReplaceAll(rest, " ", glue) + tail
	})
}

// wrapText breaks a text as wrap does, but for paths, URLs and what is glued: they stay whole, also where they are wider.
func wrapText(s string, width int) []string {
	s = glued(s)
	var out []string
	for width > 0 && columns(s) > width {
		at, next := breakAt(s, width)
		if word := firstWordEnd(s); word > at && whole(s[:word]) {
			at, next = word, word
		}
		out = append(out, strings.TrimRight(s[:at], " "))
		s = strings.TrimLeft(s[next:], " ")
	}
	if s != "" || len(out) == 0 {
		out = append(out, s)
	}
	for i, line := range out {
		out[i] = strings.ReplaceAll(line, glue, " ")
	}
	return out
}

// firstWordEnd is where the first word of a text ends, behind the spaces that it may begin with.
func firstWordEnd(s string) int {
	begin := len(s) - len(strings.TrimLeft(s, " "))
	if end := strings.IndexByte(s[begin:], ' '); end >= 0 {
		return begin + end
	}
	return len(s)
}

// whole tells whether a word must not be broken.
func whole(word string) bool {
	word = strings.TrimLeft(word, ` '"(`)
	for _, begin := range []string{"/", "~/", "./"} {
		if strings.HasPrefix(word, begin) {
			return true
		}
	}
	return strings.Contains(word, "://") || strings.Contains(word, glue)
}
