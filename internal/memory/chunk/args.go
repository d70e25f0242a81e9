package chunk

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// maxValue is how much of one argument is searched: a file that is written is not what its call is about.
const maxValue = 200

// arguments are the texts of a call that has no command line: what it names, and what was asked.
func arguments(args json.RawMessage, paths []string) string {
	var m map[string]any
	_ = json.Unmarshal(args, &m) // of no object there is nothing to say
	var lines []string
	if len(paths) > 0 {
		lines = append(lines, strings.Join(paths, " "))
	}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		text, ok := m[key].(string)
		text = strings.TrimSpace(text)
		if !ok || text == "" || slices.Contains(paths, text) {
			continue
		}
		lines = append(lines, key+": "+head(text, maxValue))
	}
	return head(strings.Join(lines, "\n"), maxArgs)
}
