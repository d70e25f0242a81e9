package install

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/config"
)

// A managed install puts hooks for everybody on the machine into the places that agents read for an administrator. They call
// the program with the administrator's config, which no user can write, so that neither a user's settings nor a repository's
// have a say in them. All of it is root's: files and directories there are made for everybody to read and root to write.

// managedState is where the manifest of a managed install is.
func managedState(env Env) string {
	if env.GOOS == "darwin" {
		return filepath.Join(env.root(), "Library", "Application Support", ownerName, "install")
	}
	return filepath.Join(env.root(), "var", "lib", ownerName, "install")
}

// pickManaged gives the agents that were asked for, else all.
func (p *planner) pickManaged() ([]agent, error) {
	all := managedAgents(p.env)
	if len(p.req.Agents) == 0 {
		return all, nil
	}
	list, err := find(p.req.Agents)
	if err != nil {
		return nil, err
	}
	var out []agent
	for _, a := range list {
		i := slices.IndexFunc(all, func(m agent) bool { return m.id == a.id })
		if i < 0 {
			return nil, refuse("install %s for everybody: %s reads no hooks of an administrator's; each user can install it", a.id, a.title)
		}
		out = append(out, all[i])
	}
	return out, nil
}

// planManaged plans an install for everybody.
func planManaged(p *planner) error {
	list, err := p.pickManaged()
	if err != nil {
		return err
	}
	if err := p.begin(); err != nil {
		return err
	}
	if err := p.managedConfig(); err != nil {
		return err
	}
	for _, a := range list {
		if err := p.addManaged(a); err != nil {
			return err
		}
	}
	if len(p.req.Agents) == 0 {
		p.unmanageable(list)
	}
	p.agent = ""
	changes := p.plan.Changes
	p.plan.Changes = nil
	p.remember()
	p.plan.Changes = append(p.plan.Changes, changes...)
	return nil
}

func (p *planner) addManaged(a agent) error {
	p.agent = a.id
	at := place{Agent: a.id, Dir: a.places(p.env)[0]}
	for _, path := range a.files(at.Dir) {
		p.sweep(path)
		if err := p.rootAlone(path); err != nil {
			return err
		}
	}
	before := len(p.plan.Changes)
	if err := a.add(p, at); err != nil {
		return err
	}
	if !slices.Contains(p.next.Places, at) {
		p.next.Places = append(p.next.Places, at)
	}
	if len(p.plan.Changes) > before && !slices.Contains(p.plan.Restart, a.restart) {
		p.plan.Restart = append(p.plan.Restart, a.restart)
	}
	return nil
}

// unmanageable names the agents that have no place for managed hooks.
func (p *planner) unmanageable(list []agent) {
	var none []string
	for _, a := range agents() {
		if !slices.ContainsFunc(list, func(m agent) bool { return m.id == a.id }) {
			none = append(none, a.title)
		}
	}
	p.note("%s: there is no place of an administrator's for hooks; there each user has to run 'boathook install'", strings.Join(none, ", "))
}

// managedConfig plans the administrator's config. One that is there stays as it is.
func (p *planner) managedConfig() error {
	path := p.env.Managed
	p.plan.Config = path
	p.sweep(path)
	if err := checkText(path, p.env.Exe); err != nil {
		return err
	}
	if exists(path) {
		if now, err := readFile(path); err == nil && p.recorded(path, now) {
			known, _ := p.old.file(path)
			p.next.put(known, sum(now))
		}
		return p.rootAlone(path)
	}
	s := config.Load(config.Request{Env: p.env.Lookup})
	// A user's files of variables must not fill what is not set here.
	values := map[string]any{"env_files": []string{filepath.Join(filepath.Dir(path), "boathook.env")}}
	for _, v := range s.Values {
		if !strings.HasPrefix(v.Source, "environment") || v.Key == "data_dir" || v.Key == "env_files" || v.Key == "environment" {
			continue
		}
		key := v.Key
		if key == "telemetry.api_key" { // the key is among the headers
			key = "telemetry.headers"
		}
		if value := native(s, key); value != "" {
			values[key] = value
			if err := p.takeOver(v, value); err != nil {
				return err
			}
		}
		if keyNamed(v.Key).Secret {
			p.note("%s goes into %s, which everybody on this machine can read, since their hooks do", v.Key, path)
		}
	}
	return p.own(path, []byte(render(values)), 0o644)
}

// planUnmanaged plans to take the hooks for everybody out again.
func planUnmanaged(p *planner) error {
	p.undoing = true
	list, err := p.pickManaged()
	if err != nil {
		return err
	}
	if err := p.begin(); err != nil {
		return err
	}
	p.plan.Config = p.env.Managed
	for _, a := range slices.Backward(list) {
		p.agent = a.id
		p.undoPlace(a, place{Agent: a.id, Dir: a.places(p.env)[0]})
	}
	p.agent = ""
	if len(p.next.Places) > 0 || len(p.plan.Failures) > 0 {
		p.rmdirs(slices.DeleteFunc(slices.Clone(p.next.Dirs), p.needed))
		p.order()
		return nil
	}
	p.sweep(p.env.Managed)
	if err := p.disown(p.env.Managed, func([]byte) bool { return false }); err != nil {
		return err
	}
	p.rmdirs(slices.Clone(p.next.Dirs))
	if exists(p.state) {
		p.change(Change{Op: Forget, Path: p.state, Why: "the manifest and the backups, and the directories made for them", dirs: p.old.Dirs})
	}
	return nil
}
