package host

import "strings"

// maxPaths bounds what one patch can name: it is a bound on what an event takes, not on what a patch may do.
const maxPaths = 4096

// PatchPaths reads the headers of a patch of the form that Codex's apply_patch takes, and other agents took from it. Agents
// strip the blanks around them, and so does this.
func PatchPaths(text string) []string {
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
