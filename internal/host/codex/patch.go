package codex

import (
	"strings"

	"github.com/boathook/boathook/internal/lenient"
)

// patchTool has a patch where a shell has its command line.
const patchTool = "apply_patch"

// maxPaths bounds what one patch can name: it is a bound on what an event takes, not on what a patch may do.
const maxPaths = 4096

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
			out = append(out, patchPaths(text.Text())...)
		}
	}
	return out
}

// patchPaths reads the headers of a patch. Codex strips the blanks around them, and so does this.
func patchPaths(text string) []string {
	_, text, is := strings.Cut(text, "*** Begin Patch")
	if !is {
		return nil
	}
	var out []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		for _, header := range []string{"*** Update File:", "*** Add File:", "*** Delete File:", "*** Move to:"} {
			path, found := strings.CutPrefix(line, header)
			if path = strings.TrimSpace(path); found && path != "" && len(out) < maxPaths {
				out = append(out, path)
			}
		}
	}
	return out
}
