package install

import (
	"path/filepath"
	"slices"
)

// HookFiles lists the agents' files that hold boathook's hooks, or say whether Codex runs them, by the manifest. It only reads.
func HookFiles(env Env) []string {
	p := &planner{env: env, plan: &Plan{}}
	if p.load() != nil {
		return nil
	}
	var out []string
	for _, f := range p.old.Files {
		if filepath.IsAbs(f.Path) && !slices.Contains(out, f.Path) {
			out = append(out, f.Path)
		}
	}
	for _, at := range p.old.Places {
		if at.Agent == "codex" {
			out = append(out, codexConfig(env))
		}
	}
	return out
}
