package hookrun

import (
	"path/filepath"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/switched"
)

// noteSwitches says in the record of a session's start what the repository switches off. Of the agent that is switched off no
// hook runs that could say so: this one is another agent's, or an administrator's. Names alone are said, no paths.
func (r *run) noteSwitches(c call) {
	if c.Event.Event != canon.SessionStart || c.CWD == "" || r.stuck(c.CWD) != "" {
		return
	}
	dirs := []string{filepath.Clean(c.CWD), c.Project}
	var found []switched.Off
	if !within(diskTime, func() { found = switched.InProject(dirs...) }) {
		return
	}
	for _, off := range found {
		name := filepath.Base(off.Path)
		for _, dir := range dirs {
			if rel, err := filepath.Rel(dir, off.Path); err == nil && filepath.IsLocal(rel) {
				name = filepath.ToSlash(rel)
			}
		}
		r.note("switched off: the repository's " + name + " has " + off.Setting + ", so that " + off.Agent + " runs no hook but an administrator's there")
	}
}
