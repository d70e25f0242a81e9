package install

import (
	"fmt"
	"path/filepath"
)

// PlanInstall says what an install would do. It writes nothing. It waits for an install that is going on, since what that
// one has done so far is nothing to plan by.
func PlanInstall(env Env, req Request) (*Plan, error) {
	unlock, err := lockDir(env.Home)
	if err != nil {
		return nil, fmt.Errorf("wait for another install in %s: %w", env.Home, err)
	}
	defer unlock()
	return planInstall(env, req, nil)
}

func planInstall(env Env, req Request, made []string) (*Plan, error) {
	p := &planner{env: env, req: req, plan: &Plan{}, made: made}
	list, err := find(req.Agents)
	if err != nil {
		return nil, err
	}
	for _, a := range list {
		if req.Workspace != "" && !a.workspace {
			return nil, refuse("install %s into a workspace: %s has no hooks there that run in every project; leave --workspace out", a.id, a.title)
		}
	}
	if err := p.allowed(true); err != nil {
		return nil, err
	}
	if err := p.shared(); err != nil {
		return nil, err
	}
	for _, a := range list {
		before := len(p.plan.Changes)
		p.agent = a.id
		if err := a.add(p); err != nil {
			return nil, err
		}
		if len(p.plan.Changes) > before {
			p.plan.Restart = append(p.plan.Restart, a.restart)
		}
	}
	return p.plan, nil
}

// shared plans what all agents need: the data directory and the config.
func (p *planner) shared() error {
	if err := p.configFile(); err != nil {
		return err
	}
	old, err := readManifest(p.plan.DataDir)
	if err != nil {
		return err
	}
	p.old, p.plan.next = old, old.clone()
	for _, dir := range []string{p.plan.DataDir, installDir(p.plan.DataDir), backupDir(p.plan.DataDir)} {
		if err := p.dir(filepath.Clean(dir), 0o700); err != nil {
			return err
		}
	}
	return p.writeConfig()
}
