package host

import "github.com/boathook/boathook/internal/lenient"

// CommandLines are all command lines that a payload seems to hold, each for itself: what stands under a name for one, however broken
// the text is, and the lines of a list, which an agent may run each in a shell of its own.
func (h *Host) CommandLines(p lenient.Payload) []string {
	var out []string
	seen := map[string]bool{}
	add := func(lines []string) {
		for _, line := range lines {
			if !seen[line] {
				seen[line] = true
				out = append(out, line)
			}
		}
	}
	add(lenient.Find(p.Text, h.Commands))
	inputs, _ := h.Calls(p.Value)
	for _, in := range inputs {
		add(seek(in, h.Commands))
	}
	return out
}
