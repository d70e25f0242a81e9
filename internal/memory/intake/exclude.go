package intake

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/memory/project"
)

// Excluded tells whether any of the names, which are paths or a project's, is excluded: it matches a glob, or lies below what does.
func (in *Intake) Excluded(names ...string) bool {
	if len(in.Exclude) == 0 {
		return false
	}
	return slices.ContainsFunc(names, func(name string) bool {
		if rest, ok := strings.CutPrefix(name, "~/"); ok && in.Home != "" {
			name = filepath.Join(in.Home, rest)
		}
		return name != "" && project.Excluded(in.Exclude, in.Home, name)
	})
}

// leavesOut tells whether nothing of a session in a directory is stored.
func (in *Intake) leavesOut(dir, root, key string) bool {
	return in.Excluded(dir, root, key) || in.Outside != nil && dir != "" && in.Outside(dir)
}

// namesExcluded looks at the words of a command line. One that only a run would tell is not found; a path that it writes out is.
func (in *Intake) namesExcluded(command string) bool {
	if len(in.Exclude) == 0 || command == "" {
		return false
	}
	return in.Excluded(strings.FieldsFunc(command, func(r rune) bool { return strings.ContainsRune(" \t\n\"'`;|&<>()=,{}", r) })...)
}
