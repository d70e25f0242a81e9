package install

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/boathook/boathook/internal/confedit"
)

// pintaName is the extension and the named hook of an earlier hook program that speaks to the same backends. Beside
// boathook it would send every event twice.
const pintaName = "pinta-gemini"

// A replaced extension is kept beside the extensions, on the same file system: there it comes and goes in one step.
func replacedPinta(extensions string, n int) string {
	path := filepath.Join(filepath.Dir(extensions), "boathook-replaced", pintaName)
	if n > 0 {
		path += fmt.Sprintf(".%d", n)
	}
	return path
}

// addPintaExtension moves an installed pinta-gemini extension away.
func (p *planner) addPintaExtension(extensions string) error {
	dir := filepath.Join(extensions, pintaName)
	if !exists(dir) {
		return nil
	}
	if p.req.KeepPinta {
		p.note("%s stays, so that every event of Gemini CLI is sent twice: by it and by boathook", dir)
		return nil
	}
	for _, path := range []string{p.plan.DataDir, p.plan.Config} {
		if within(path, dir) {
			return refuse("replace %s: %s is in it; name another place (GEMINI_PLUGIN_DATA, --config), or pass --keep-pinta", dir, path)
		}
	}
	n := 0
	for exists(replacedPinta(extensions, n)) {
		n++
	}
	to := replacedPinta(extensions, n)
	if err := p.dir(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	p.change(Change{Op: Move, Path: dir, To: to, Why: "replaced by boathook, so that no event is sent twice; uninstall brings it back (--keep-pinta leaves it)"})
	return nil
}

// undoPinta brings back the extension that was moved away last.
func (p *planner) undoPinta(extensions string) error {
	n := 0
	for exists(replacedPinta(extensions, n+1)) {
		n++
	}
	from, dir := replacedPinta(extensions, n), filepath.Join(extensions, pintaName)
	if !exists(from) {
		return nil
	}
	if exists(dir) {
		p.note("%s is there again; the one that was replaced stays in %s", dir, from)
		return nil
	}
	if err := p.dir(extensions, 0o755); err != nil {
		return err
	}
	p.change(Change{Op: Move, Path: from, To: dir, Why: "comes back to where it was"})
	if n > 0 {
		p.note("an older %s stays in %s", pintaName, filepath.Dir(from))
	}
	p.rmdirs([]string{filepath.Dir(from)})
	return nil
}

func within(path, dir string) bool {
	path, dir = resolved(path), resolved(dir)
	return path == dir || strings.HasPrefix(path, dir+string(filepath.Separator))
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
