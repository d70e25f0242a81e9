package install

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/paths"
)

// PlanUninstall says what an uninstall would do. It writes nothing.
func PlanUninstall(env Env, req Request) (*Plan, error) {
	unlock, err := lockDir(env.Home)
	if err != nil {
		return nil, fmt.Errorf("wait for another install in %s: %w", env.Home, err)
	}
	defer unlock()
	return planUninstall(env, req)
}

func planUninstall(env Env, req Request) (*Plan, error) {
	p := &planner{env: env, req: req, plan: &Plan{undoing: true}}
	ids := req.Agents
	if len(ids) == 0 {
		ids = Agents()
	}
	list, err := find(ids)
	if err != nil {
		return nil, err
	}
	if err := p.allowed(false); err != nil {
		return nil, err
	}
	if err := p.locate(); err != nil {
		return nil, err
	}
	for _, a := range slices.Backward(list) {
		p.agent = a.id
		before := len(p.plan.Changes)
		if err := p.undoAgent(a); err != nil {
			return nil, err
		}
		if len(p.plan.Changes) > before {
			p.plan.Restart = append(p.plan.Restart, a.restart)
		}
	}
	p.agent = ""
	if req.Purge {
		return p.plan, p.purge()
	}
	p.rmdirs(p.dirs(func(e entry) bool { return e.Agent != "" }))
	return p.plan, nil
}

// dirs are the directories that install made, of the entries that match.
func (p *planner) dirs(match func(entry) bool) []string {
	var out []string
	for _, e := range p.old.Entries {
		if e.Kind == kindDir && match(e) {
			out = append(out, e.Path)
		}
	}
	return out
}

// locate finds the config and the data directory that an install used: by the flag, by the default place, or by the mark
// that it left in the agents' configurations.
func (p *planner) locate() error {
	path := p.req.Config
	if path == "" {
		path = filepath.Join(paths.ConfigDir(p.env.Home, p.env.Lookup), "config.toml")
	}
	p.plan.Config = path
	r := config.Request{Home: p.env.Home, Env: p.env.Lookup, Managed: p.env.Managed}
	if exists(path) {
		r.Path = path
	}
	p.plan.DataDir = config.Load(r).DataDir
	if !exists(manifestPath(p.plan.DataDir)) {
		for _, m := range p.marks() {
			if filepath.IsAbs(m.DataDir) && exists(manifestPath(m.DataDir)) {
				p.plan.DataDir, p.plan.Config = m.DataDir, m.Config
			}
		}
	}
	old, err := readManifest(p.plan.DataDir)
	if err != nil {
		return err
	}
	p.old, p.plan.next = old, old.clone()
	return nil
}

// undoAgent undoes an agent's entries, newest first.
func (p *planner) undoAgent(a agent) error {
	for _, e := range slices.Backward(p.old.Entries) {
		if e.Agent != a.id || e.Kind == kindDir {
			continue
		}
		if err := p.undo(e); err != nil {
			return err
		}
		p.plan.next.drop(e.Path)
	}
	return a.found(p)
}

// rmdirs plans the removal of those directories that the plan empties, the deepest first.
func (p *planner) rmdirs(dirs []string) {
	slices.SortStableFunc(dirs, func(a, b string) int {
		return strings.Count(b, string(filepath.Separator)) - strings.Count(a, string(filepath.Separator))
	})
	for _, dir := range dirs {
		if exists(dir) && !p.goes(dir) && p.emptied(dir) {
			p.change(Change{Op: Rmdir, Path: dir})
		}
	}
}

// emptied tells that nothing will be left in a directory.
func (p *planner) emptied(dir string) bool {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	for _, c := range p.plan.Changes {
		if filepath.Dir(c.To) == dir {
			return false
		}
	}
	return !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return !p.goes(filepath.Join(dir, e.Name())) })
}

// goes tells that the plan removes a path, or a directory around it.
func (p *planner) goes(path string) bool {
	return slices.ContainsFunc(p.plan.Changes, func(c Change) bool {
		switch c.Op {
		case RemoveTree:
			return path == c.Path || strings.HasPrefix(path, c.Path+string(filepath.Separator))
		case Remove, Rmdir, Move:
			return path == c.Path
		}
		return false
	})
}
