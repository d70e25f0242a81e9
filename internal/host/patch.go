package host

import (
	"strings"

	"github.com/boathook/boathook/internal/lenient"
)

// patchNames are the arguments in which a patch comes: a tool's own, and the command line of a shell that is given one.
func patchNames() []string { return []string{"command", "cmd", "input", "patch", "patchText"} }

// patched lists the files that a call's patches touch, as the patches write them. A patch may be all of an input.
func patched(in lenient.Value, fields lenient.Members) []string {
	if fields == nil {
		return patchPaths(in.Text())
	}
	var out []string
	for _, key := range patchNames() {
		for _, text := range fields.All(key) {
			out = append(out, patchPaths(text.Text())...)
		}
	}
	return out
}

// maxPaths bounds what one patch can name: it is a bound on what an event takes, not on what a patch may do.
const maxPaths = 4096

// patchPaths reads the headers of a patch of the form that Codex's apply_patch takes, and other agents took from it. Agents
// strip the blanks around them, and so does this.
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
