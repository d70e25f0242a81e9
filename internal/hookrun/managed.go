package hookrun

import (
	"runtime"

	"github.com/boathook/boathook/internal/managed"
)

// hasManaged tells whether an administrator's hook has this event too, which then is the one that counts. It is only looked
// for where there are managed settings and this hook is not of them, so that it costs nobody else anything. No variable and no
// file of a user's can lead here: the administrator's are root's alone.
func (r *run) hasManaged() bool {
	if !r.settings.Managed || r.args.config == r.env.Managed {
		return false
	}
	root := r.env.Root
	if root == "" {
		root = "/"
	}
	found := false
	return within(diskTime, func() { found = managed.Runs(root, runtime.GOOS, r.host.ID, r.env.Managed) }) && found
}
