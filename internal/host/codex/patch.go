package codex

import (
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/lenient"
)

// patchTool has a patch where a shell has its command line.
const patchTool = "apply_patch"

// patched lists the files that a call's patches touch, as the patch writes them: those of apply_patch, and of a command
// line that holds one, since `apply_patch <<EOF` in a shell comes as Bash.
func patched(m lenient.Members) []string {
	var out []string
	for _, in := range m.All("tool_input") {
		texts := []lenient.Value{in}
		if in.Kind() == lenient.Object {
			texts = in.Members().All("command")
		}
		for _, text := range texts {
			out = append(out, host.PatchPaths(text.Text())...)
		}
	}
	return out
}
