package install

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/netfs"
	"github.com/boathook/boathook/internal/off"
	"github.com/boathook/boathook/internal/ownfile"
	"github.com/boathook/boathook/internal/paths"
)

// uses collects the configs and data directories that there may be: those of the manifest, of the marks, and of the config
// that is named or in the default place, each with what it says now.
func (p *planner) uses() {
	add := func(u use) {
		if filepath.IsAbs(u.DataDir) && !slices.ContainsFunc(p.next.Uses, func(have use) bool { return have.Config == u.Config && have.DataDir == u.DataDir }) {
			p.next.Uses = append(p.next.Uses, u)
		}
	}
	var marked []string
	for _, a := range agents() {
		for _, dir := range a.places(p.env) {
			believed := p.usual(a, dir) || slices.Contains(p.old.Places, place{Agent: a.id, Dir: dir})
			if m, ok := a.mark(dir); ok && believed && filepath.IsAbs(m.Config) {
				add(use{Config: m.Config, DataDir: m.DataDir})
				marked = append(marked, m.Config)
			}
		}
	}
	p.plan.Config = p.configPath()
	configs := append([]string{p.plan.Config}, marked...)
	for _, u := range p.next.Uses {
		configs = append(configs, u.Config)
	}
	for i, path := range configs {
		r := config.Request{Home: p.env.Home, Env: p.env.Lookup, Managed: p.env.Managed}
		if exists(path) {
			r.Path = path
		}
		s := config.Load(r)
		p.secret(s.Secrets()...)
		if i == 0 {
			p.plan.DataDir = s.DataDir
		}
		for _, dir := range []string{s.DataDir, s.Settle().DataDir} {
			if exists(path) || exists(dir) || exists(off.Path(path)) {
				add(use{Config: path, DataDir: dir})
			}
		}
	}
}

// purge plans the removal of the configs, the data and the backups, and of the directories made for them. The configs go
// first: a hook that still runs writes nothing without.
func (p *planner) purge() error {
	for _, a := range agents() {
		dirs := a.places(p.env)
		for _, at := range p.next.Places {
			if at.Agent == a.id {
				dirs = append(dirs, at.Dir)
			}
		}
		for _, dir := range dirs {
			if a.holds(p, dir) && !p.undone(a, dir) {
				return refuse("purge the data: the hooks of %s are still installed (%s) and need them; uninstall them too", a.id, dir)
			}
		}
	}
	for _, u := range p.next.Uses {
		if err := p.purgeConfig(u); err != nil {
			return err
		}
	}
	for _, u := range p.next.Uses {
		if len(dataFiles(u.DataDir)) > 0 || len(p.plan.Changes) > 0 && exists(u.DataDir) { // a hook may be about to write
			p.change(Change{Op: RemoveData, Path: u.DataDir, Why: "every recorded event and the machine's key"})
		}
	}
	dirs := slices.Clone(p.next.Dirs)
	for _, u := range p.next.Uses {
		for _, made := range madeWith(u) {
			if !slices.Contains(dirs, made) {
				dirs = append(dirs, made)
			}
		}
		for _, dir := range []string{u.DataDir, filepath.Dir(u.Config)} {
			if (filepath.Base(dir) == ownerName || netfs.IsLocal(dir)) && !slices.Contains(dirs, dir) {
				dirs = append(dirs, dir)
			}
		}
	}
	p.rmdirs(dirs)
	for _, u := range p.next.Uses {
		p.stays(u.DataDir)
		p.stays(filepath.Dir(u.Config))
	}
	if dir := p.state; exists(dir) {
		p.change(Change{Op: Forget, Path: dir, Why: "the manifest and the backups, and the directories made for them", dirs: append(dirs, p.old.Dirs...)})
	}
	return nil
}

// madeWith are the directories that hooks and 'boathook off' made for the data and the switch, as they recorded it: what they
// find missing before the first install no plan sees.
func madeWith(u use) []string {
	return append(ownfile.Made(u.DataDir), ownfile.Made(filepath.Dir(u.Config))...)
}

// undone tells that the plan changes something in a place, or what its files lead to.
func (p *planner) undone(a agent, dir string) bool {
	files := a.files(dir)
	return slices.ContainsFunc(p.plan.Changes, func(c Change) bool {
		return within(c.Path, dir) || within(dir, filepath.Dir(c.link)) && c.link != "" ||
			slices.ContainsFunc(files, func(path string) bool { return exists(path) && resolved(path) == c.Path })
	})
}

func (p *planner) purgeConfig(u use) error {
	p.sweep(u.Config)
	if err := p.purgeOff(u); err != nil {
		return err
	}
	now, err := p.read(u.Config)
	if err != nil || !now.exists {
		return err
	}
	if !p.wrote(u.Config, now.data) {
		p.note("%s stays: boathook did not write it", u.Config)
		return p.disownConfig(u)
	}
	p.remove(now)
	return nil
}

// purgeOff removes what 'boathook off' left beside a config: a later install must not begin switched off.
func (p *planner) purgeOff(u use) error {
	path := off.Path(u.Config)
	if path == "" {
		return nil
	}
	p.sweep(path)
	for _, name := range append([]string{ownfile.MadeFile, off.LockFile}, leftSwitches(path)...) {
		if left, err := p.read(filepath.Join(filepath.Dir(path), name)); err == nil && left.exists && (name != off.LockFile || isPID(left.data)) {
			p.remove(left)
		}
	}
	now, err := p.read(path)
	if err != nil || !now.exists {
		return err
	}
	if _, err := off.Parse(now.data); err == nil {
		p.remove(now)
	}
	return nil
}

// isPID tells whether a file holds what a lock's holder writes, or nothing.
func isPID(data []byte) bool {
	return strings.Trim(strings.TrimSpace(string(data)), "0123456789") == ""
}

// leftSwitches are what an 'off' of earlier versions left that was killed: off.PROCESS.
func leftSwitches(path string) []string {
	entries, _ := os.ReadDir(filepath.Dir(path)) // none, where there is none
	var out []string
	for _, e := range entries {
		pid, is := strings.CutPrefix(e.Name(), filepath.Base(path)+".")
		if is && e.Type().IsRegular() && pid != "" && strings.Trim(pid, "0123456789") == "" {
			out = append(out, e.Name())
		}
	}
	return out
}

// stays tells what is not boathook's in a directory of its name.
func (p *planner) stays(dir string) {
	if p.goes(dir) || filepath.Base(dir) != ownerName && !slices.Contains(p.old.Dirs, dir) {
		return
	}
	left := slices.DeleteFunc(p.left(dir), func(name string) bool { return within(p.state, filepath.Join(dir, name)) })
	if exists(dir) && len(left) > 0 {
		p.note("%s stays, with what boathook did not put there: %s", dir, list(left))
	}
}

// configPath is the config that is named, or the default one.
func (p *planner) configPath() string {
	if p.req.Config != "" {
		return p.req.Config
	}
	return filepath.Join(paths.ConfigDir(p.env.Home, p.env.Lookup), "config.toml")
}
