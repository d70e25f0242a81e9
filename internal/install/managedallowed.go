package install

import (
	"io/fs"
	"os"
	"path/filepath"
)

// managedAllowed refuses worlds in which a managed install would protect nothing.
func (p *planner) managedAllowed() error {
	switch {
	case p.req.Workspace != "" || p.req.Config != "" || p.req.Purge:
		return misuse("a managed install is for everybody, and has a config of its own: --workspace, --config and --purge don't go with it")
	case p.env.Managed == "" || p.env.GOOS == "windows":
		return refuse("install for everybody: that is not supported on Windows yet")
	case p.env.UID != 0 && p.env.Root == "":
		return refuse("install for everybody: root alone can do that; run it with sudo")
	case p.undoing:
		return nil
	}
	if err := checkExe(p.env.Exe); err != nil {
		return err
	}
	return p.rootAlone(p.env.Exe)
}

// rootAlone refuses a file that somebody else could change or replace.
func (p *planner) rootAlone(path string) error {
	if real := resolved(path); real != path {
		if err := p.rootAlone(real); err != nil {
			return err
		}
	}
	for at := path; ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if err == nil {
			uid, known := owner(info)
			open := info.Mode().Perm()&0o022 != 0 && info.Mode()&fs.ModeSticky == 0
			switch {
			case known && uid != 0 && uid != p.env.UID:
				return refuse("use %s for everybody: %s belongs to a user (uid %d), who could change it; let root own it", path, at, uid)
			case open:
				return refuse("use %s for everybody: others can write to %s (mode %04o); chmod go-w it", path, at, info.Mode().Perm())
			}
		}
		if at == p.env.root() || at == filepath.Dir(at) {
			return nil
		}
	}
}

// unmanaged leaves out the agents whose hooks an administrator installed for everybody: a second one would have every event
// twice, and the first can't be weakened.
func (p *planner) unmanaged(list []agent) ([]agent, error) {
	var out []agent
	for _, a := range list {
		path := ManagedBy(p.env, a.id)
		switch {
		case path == "":
			out = append(out, a)
		case p.req.Found:
			p.note("%s has managed hooks already (%s), which record for you too", a.title, path)
		default:
			return nil, refuse("install %s: an administrator has installed its hooks for everybody (%s), and they record for you too", a.id, path)
		}
	}
	return out, nil
}
