package intake

import (
	"fmt"
	"unicode/utf8"
)

// Cut is a text of at most so many bytes: where it is longer, three parts of its beginning and one of its end, with what is gone
// between them.
func Cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	const room = 48 // for the mark
	keep := max(most-room, 0)
	head, tail := keep-keep/4, len(s)-keep/4
	for head > 0 && !utf8.RuneStart(s[head]) {
		head--
	}
	for tail < len(s) && !utf8.RuneStart(s[tail]) {
		tail++
	}
	return s[:head] + fmt.Sprintf("\n[… %d bytes cut …]\n", tail-head) + s[tail:]
}
