package install

import (
	"path/filepath"

	"github.com/boathook/boathook/internal/config"
)

// Setting is what a key is to be: a text, also of a number or a truth; []string; map[string]string.
type Setting struct {
	Key   string
	Value any
}

// Configure gives the config of the installed hooks some settings: it shows, backs up and undoes as an install does. A config that
// is not there is made. With shown it makes the changes of that plan, if they are still the right ones.
func Configure(env Env, path string, set []Setting, shown *Plan) (*Plan, error) {
	return alone(env, Request{Config: path}, func(p *planner) error { return p.configure(set) }, shown)
}

func (p *planner) configure(set []Setting) error {
	if err := p.begin(); err != nil {
		return err
	}
	path := p.configPath()
	now, err := p.read(path)
	if err != nil {
		return err
	}
	if !now.exists {
		if err := p.configFile(); err != nil {
			return err
		}
	} else {
		p.plan.Config = path
		p.sweep(path)
	}
	s := config.Load(config.Request{Path: path, Home: p.env.Home, Managed: p.env.Managed})
	if now.exists {
		p.plan.DataDir = s.DataDir
	}
	p.secret(s.Secrets()...)
	if err := p.apply(now, s, set); err != nil {
		return err
	}
	if len(p.plan.Changes) == 0 {
		return nil
	}
	changes := p.plan.Changes
	p.plan.Changes = nil
	p.remember() // first, before anything relies on it
	p.plan.Changes = append(p.plan.Changes, changes...)
	return nil
}

// apply edits the text of the config that is there, or that is going to be made.
func (p *planner) apply(now found, s config.Settings, set []Setting) error {
	text, made := now.data, -1
	for i, c := range p.plan.Changes {
		if c.Op == Create && c.Path == now.path {
			text, made = c.after, i
		}
	}
	path := filepath.Clean(p.plan.Config)
	for _, to := range set {
		k := keyNamed(to.Key)
		if p.env.Managed != "" && source(s, k.Name) == p.env.Managed {
			p.note("%s is set by the administrator in %s, and stays so", k.Name, p.env.Managed)
			continue
		}
		next, err := setTOML(text, k, to.Value)
		if err != nil {
			return refuse("edit %s: %w; set %s there yourself", path, err, k.Name)
		}
		if text = next; made >= 0 {
			p.note("it sets %s = %s", k.Name, tomlValue(k, to.Value))
		}
	}
	switch {
	case made >= 0:
		p.plan.Changes[made].after = text
	case string(text) != string(now.data):
		p.keep(path, now.data, text)
		p.change(Change{Op: Edit, Path: now.path, perm: now.mode, before: now.data, after: text})
	}
	return nil
}
