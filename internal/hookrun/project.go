package hookrun

import (
	"os"
	"path/filepath"

	"github.com/boathook/boathook/internal/paths"
)

// findProject looks for the project that the session works in, where that can be looked at: a filesystem that hangs would
// keep this process, and whoever waits for its end.
func (r *run) findProject(c *call) {
	if kind := r.stuck(c.CWD); kind != "" {
		r.note("working directory: it is on " + kind + " and is not looked at, the project is not known")
		return
	}
	var root string
	if within(diskTime, func() { root = projectRoot(c.CWD) }) {
		c.Project = root
	} else {
		r.note("working directory: it hangs, the project is not known")
	}
}

// stuck names the filesystem that may keep whoever looks at a directory for ever.
func (r *run) stuck(dir string) string {
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(r.env.Dir, dir)
	}
	return r.mountTable().Stuck(dir)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func projectRoot(dir string) string {
	if dir == "" {
		return ""
	}
	return paths.Project(filepath.Clean(dir), exists)
}
