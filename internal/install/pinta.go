package install

import (
	"fmt"
	"path/filepath"

	"github.com/boathook/boathook/internal/confedit"
)

// pintaName is the extension and the named hook of an earlier hook program that speaks to the same backends. Beside
// boathook it would send every event twice.
const pintaName = "pinta-gemini"

// addPintaExtension moves an installed pinta-gemini extension to the backups, from where uninstall brings it back.
func (p *planner) addPintaExtension() error {
	dir := filepath.Join(geminiDir(p.env), "extensions", pintaName)
	if !exists(dir) {
		return nil
	}
	if p.req.KeepPinta {
		p.note("%s stays, so that every event of Gemini CLI is sent twice: by it and by boathook", dir)
		return nil
	}
	to := p.freeBackup(pintaName)
	p.change(Change{Op: Move, Path: dir, To: to, Why: "replaced by boathook, so that no event is sent twice; uninstall brings it back (--keep-pinta leaves it)"})
	p.remember(entry{Kind: kindTree, Path: dir, Backup: to})
	return nil
}

// freeBackup is a name in the backups that is not taken.
func (p *planner) freeBackup(name string) string {
	path := filepath.Join(backupDir(p.plan.DataDir), name)
	for n := 0; exists(path); n++ {
		path = filepath.Join(backupDir(p.plan.DataDir), fmt.Sprintf("%s.%d", name, n))
	}
	return path
}

// replacedHooks are the members of Antigravity's hooks.json that ours replaces.
func (p *planner) replacedHooks(path string) ([]string, error) {
	now, err := p.read(path)
	if err != nil {
		return nil, err
	}
	value, err := confedit.Member(now.data, pintaName)
	if err != nil || value == nil {
		return nil, nil // what is wrong with the file is said where it is edited
	}
	if p.req.KeepPinta {
		p.note("the hook %q in %s stays, so that every event of Antigravity is sent twice: by it and by boathook", pintaName, path)
		return nil, nil
	}
	p.note("the hook %q in %s is replaced, so that no event is sent twice; uninstall brings it back (--keep-pinta leaves it)", pintaName, path)
	return []string{pintaName}, nil
}
