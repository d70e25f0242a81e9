package word

import "strings"

// Listed tells whether a list, separated by blanks, holds a word. Tables have such lists, which need no making at start-up.
func Listed(list, w string) bool {
	if w == "" || strings.Contains(w, " ") {
		return false
	}
	for at := 0; ; {
		i := strings.Index(list[at:], w)
		if i < 0 {
			return false
		}
		from := at + i
		to := from + len(w)
		if (from == 0 || list[from-1] == ' ') && (to == len(list) || list[to] == ' ') {
			return true
		}
		at = to
	}
}
