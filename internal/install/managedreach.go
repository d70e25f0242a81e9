package install

import (
	"os"
	"path/filepath"
)

// planReachable plans an install for everybody, and refuses one that users' agents could not get at: a program that they may
// not run is silence, not a fault, and a file that they may not read has no hooks.
func planReachable(p *planner) error {
	if err := planManaged(p); err != nil {
		return err
	}
	const read, search = 0o004, 0o001
	if err := p.reachable(p.env.Exe, search); err != nil {
		return err
	}
	for _, f := range p.next.Files {
		if err := p.reachable(f.Path, read); err != nil {
			return err
		}
	}
	return p.reachable(p.plan.Config, read)
}

// reachable refuses a file that is there and that not everybody has a right to, and one behind such a directory.
func (p *planner) reachable(path string, right os.FileMode) error {
	path = resolved(path)
	if info, err := os.Stat(path); err == nil && info.Mode()&right == 0 {
		return refuse("use %s for everybody: users have no right to it (mode %04o); chmod o+rx a program, o+r a file", path, info.Mode().Perm())
	}
	for at := filepath.Dir(path); ; at = filepath.Dir(at) {
		if info, err := os.Stat(at); err == nil && info.Mode()&0o001 == 0 {
			return refuse("use %s for everybody: users can't get into %s (mode %04o); chmod o+x it, or move the file", path, at, info.Mode().Perm())
		}
		if at == p.env.root() || at == filepath.Dir(at) {
			return nil
		}
	}
}
