package install

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// ErrChanged says that what there is to do is no longer what was shown. The new plan comes with it.
var ErrChanged = errors.New("something changed while this was running")

// Another install may take half a minute.
const (
	lockTries = 1500
	lockPause = 20 * time.Millisecond
)

// PlanInstall says what an install would do. It writes nothing. It waits for an install that is going on, since what that
// one has done so far is nothing to plan by.
func PlanInstall(env Env, req Request) (*Plan, error) { return Install(env, req, nil) }

// PlanUninstall says what an uninstall would do. It writes nothing.
func PlanUninstall(env Env, req Request) (*Plan, error) { return Uninstall(env, req, nil) }

// Install makes the changes of a plan that was shown, if they are still the right ones.
func Install(env Env, req Request, shown *Plan) (*Plan, error) {
	if req.Managed {
		env.Home = env.root()
		return alone(env, req, planReachable, shown)
	}
	return alone(env, req, planInstall, shown)
}

// Uninstall does the same for a plan that undoes.
func Uninstall(env Env, req Request, shown *Plan) (*Plan, error) {
	if req.Managed {
		env.Home = env.root()
		return alone(env, req, planUnmanaged, shown)
	}
	return alone(env, req, planUninstall, shown)
}

// alone plans, and makes the plan that was shown, while no other process does either. The lock is on the home directory
// itself: it needs no file, so that nothing has to be made to hold it.
func alone(env Env, req Request, plan func(*planner) error, shown *Plan) (*Plan, error) {
	unlock, err := lockDir(env.Home)
	if err != nil {
		return nil, fmt.Errorf("wait for another install in %s: %w", env.Home, err)
	}
	defer unlock()
	env.Exe = stable(env)
	p := &planner{env: env, req: req, plan: &Plan{}}
	if err := plan(p); err != nil || shown == nil {
		return p.plan, err
	}
	if !p.plan.Same(shown) {
		return p.plan, ErrChanged
	}
	return p.plan, run(p.plan.Changes)
}

func planInstall(p *planner) error {
	list, err := find(p.req.Agents)
	if err != nil {
		return err
	}
	if list, err = p.unmanaged(list); err != nil {
		return err
	}
	for _, a := range list {
		if p.req.Workspace != "" && a.workspace == "" {
			return misuse("install %s into a workspace: %s has no hooks there that run in every project; leave --workspace out", a.id, a.title)
		}
	}
	if err := p.heeded(list); err != nil {
		return err
	}
	if err := p.begin(); err != nil {
		return err
	}
	if err := p.configFile(); err != nil {
		return err
	}
	for _, a := range list {
		if err := p.addAgent(a); err != nil {
			return err
		}
	}
	p.overlaps()
	if len(p.plan.Failures) == len(list) && p.req.Found {
		return refuse("install: %s", strings.Join(p.plan.Failures, "; "))
	}
	p.agent = ""
	changes := p.plan.Changes
	p.plan.Changes = nil
	p.remember() // first, before anything relies on it
	p.plan.Changes = append(p.plan.Changes, changes...)
	return nil
}

// heeded refuses what none of the agents would hear: who asks for it would believe that it is so.
func (p *planner) heeded(list []agent) error {
	for _, only := range []struct {
		asked      bool
		flag, only string
	}{{p.req.OnFailure != "", "--on-failure", "claude"}, {p.req.Trust, "--trust", "codex"}} {
		if only.asked && !slices.ContainsFunc(list, func(a agent) bool { return a.id == only.only }) {
			return misuse("install with %s: it is for %s alone, which is not among these agents; leave it out", only.flag, only.only)
		}
	}
	return nil
}

// addAgent plans to install one agent's hooks. One that was found and can't be changed stays as it is, and the others go on.
func (p *planner) addAgent(a agent) error {
	before, next, dirs := len(p.plan.Changes), slices.Clone(p.next.Files), slices.Clone(p.next.Dirs)
	p.agent = a.id
	at := place{Agent: a.id, Dir: a.places(p.env)[0]}
	if p.req.Workspace != "" {
		at = place{Agent: a.id, Dir: filepath.Join(p.req.Workspace, a.workspace), Workspace: true}
	}
	err := p.clear(a, at)
	if err == nil {
		err = a.add(p, at)
	}
	if err == nil && p.req.Found {
		err = writable(p.plan.Changes[before:])
	}
	var refused *Refused
	switch {
	case p.req.Found && (errors.As(err, &refused) && !refused.Usage || errors.Is(err, fs.ErrPermission)):
		p.plan.Changes = p.plan.Changes[:before]
		p.next.Files, p.next.Dirs = next, dirs
		p.plan.Failures = append(p.plan.Failures, p.plan.mask(err.Error()))
		p.plan.Skipped = append(p.plan.Skipped, a.id)
		return nil
	case err != nil:
		return err
	}
	if !slices.Contains(p.next.Places, at) {
		p.next.Places = append(p.next.Places, at)
	}
	if len(p.plan.Changes) > before {
		p.plan.Restart = append(p.plan.Restart, a.restart)
	}
	return nil
}

// begin reads what there is, and plans to clear up behind a process that was killed.
func (p *planner) begin() error {
	if err := p.allowed(); err != nil {
		return err
	}
	if err := p.load(); err != nil {
		return err
	}
	missing, err := p.missing(p.state)
	if err != nil {
		return err
	}
	if !p.undoing {
		p.staged = missing
		for _, dir := range missing {
			p.next.made(dir)
		}
		p.sweep(filepath.Join(p.state, manifestName))
	}
	for _, path := range p.leftovers() {
		p.change(Change{Op: Forget, Path: path, Why: "left by one that was interrupted"})
	}
	return nil
}

// clear refuses configs and data among the hooks, and sweeps.
func (p *planner) clear(a agent, at place) error {
	if err := checkText(at.Dir); err != nil {
		return err
	}
	if err := p.mine(at.Dir); err != nil {
		return err
	}
	hooks := append(a.files(at.Dir), geminiExtension(p.env))
	for _, path := range []string{p.plan.Config, p.plan.DataDir} {
		for _, ours := range hooks {
			if within(path, ours) {
				return refuse("use %s: that is where the hooks go; name another place", path)
			}
		}
	}
	for _, path := range a.files(at.Dir) {
		p.sweep(path)
	}
	return nil
}

func planUninstall(p *planner) error {
	p.undoing = true
	list, err := find(p.req.Agents)
	if err != nil {
		return err
	}
	if len(p.req.Agents) == 0 {
		list = agents()
	}
	if err := p.begin(); err != nil {
		return err
	}
	p.uses()
	for _, a := range slices.Backward(list) {
		p.agent = a.id
		for _, at := range p.places(a) {
			p.undoPlace(a, at)
		}
	}
	p.agent = ""
	if p.req.Purge && len(p.plan.Failures) == 0 {
		return p.purge()
	}
	if len(p.next.Places) == 0 && len(p.plan.Failures) == 0 {
		for _, u := range p.next.Uses {
			if err := p.disownConfig(u); err != nil {
				return err
			}
		}
	}
	p.rmdirs(slices.DeleteFunc(slices.Clone(p.next.Dirs), p.needed))
	p.order()
	return nil
}

// places are those of an agent that are to be undone.
func (p *planner) places(a agent) []place {
	var out []place
	add := func(at place) {
		if !slices.ContainsFunc(out, func(have place) bool { return resolved(have.Dir) == resolved(at.Dir) }) {
			out = append(out, at)
		}
	}
	if p.req.Workspace != "" {
		if a.workspace != "" {
			add(place{Agent: a.id, Dir: filepath.Join(p.req.Workspace, a.workspace), Workspace: true})
		}
		return out
	}
	for _, at := range p.old.Places {
		if at.Agent == a.id {
			add(at)
		}
	}
	for _, dir := range ownPlaces(a, p.env) {
		add(place{Agent: a.id, Dir: dir})
	}
	return out
}

// undoPlace plans to take the hooks out of one place. Where that is not possible it stays as it is, and the others go on.
func (p *planner) undoPlace(a agent, at place) {
	before, next, dirs := len(p.plan.Changes), slices.Clone(p.next.Files), slices.Clone(p.next.Dirs)
	err := a.undo(p, at)
	if err == nil {
		err = writable(p.plan.Changes[before:])
	}
	if err != nil {
		p.plan.Changes = p.plan.Changes[:before]
		p.next.Files, p.next.Dirs = next, dirs
		p.plan.Failures = append(p.plan.Failures, p.plan.mask(err.Error()))
		return
	}
	p.next.Places = slices.DeleteFunc(p.next.Places, func(have place) bool {
		return have.Agent == a.id && resolved(have.Dir) == resolved(at.Dir)
	})
	if len(p.plan.Changes) > before && !slices.Contains(p.plan.Restart, a.stop) {
		p.plan.Restart = append(p.plan.Restart, a.stop)
	}
	if at.Workspace && !exists(filepath.Dir(at.Dir)) {
		p.note("the project %s is gone; if it was moved, run 'boathook uninstall --workspace' with its new path", filepath.Dir(at.Dir))
	}
}

// needed tells that a directory holds what an uninstall leaves: the config, the data, the manifest.
func (p *planner) needed(dir string) bool {
	paths := []string{p.state}
	for _, u := range p.next.Uses {
		paths = append(paths, u.Config, u.DataDir)
	}
	return slices.ContainsFunc(paths, func(path string) bool { return within(path, dir) })
}

// order puts new backups before what relies on them, and what is no longer to be remembered after all else.
func (p *planner) order() {
	if len(p.backups) == 0 && p.text == nil {
		return // there is no manifest, and nothing to remember
	}
	changes, last := p.plan.Changes, p.next
	p.plan.Changes = nil
	if len(p.backups) > 0 {
		p.next = p.old
		p.next.Version = manifestVersion
		p.remember()
	}
	p.next = last
	p.plan.Changes = append(p.plan.Changes, changes...)
	p.remember()
}
