package install

import (
	"path/filepath"
	"slices"
)

// claudeReaders are the agents that run the hooks in Claude Code's settings beside their own (Copilot CLI 1.0.102,
// @cursor/sdk 1.0.32).
var claudeReaders = []string{"copilot", "cursor"}

// overlaps says what becomes of hooks that two agents run. Under an agent that has hooks of its own, Claude Code's stay
// silent, so that nothing comes twice.
func (p *planner) overlaps() {
	p.agent = ""
	if p.req.Workspace != "" || !p.has("claude") {
		return
	}
	file := filepath.Join(claudeDir(p.env), claudeList().file)
	for _, a := range agents() {
		switch {
		case !slices.Contains(claudeReaders, a.id):
		case p.has(a.id):
			p.note("%s runs the hooks in %s, too: there they stay silent, since it has its own, and nothing is recorded twice", a.title, file)
		case a.detect(p.env):
			p.note("%s runs the hooks in %s, too, and its events are recorded by them; 'boathook install %s' gives it its own", a.title, file, a.id)
		}
	}
}

// has tells whether an agent has hooks when all is done.
func (p *planner) has(id string) bool {
	return slices.ContainsFunc(p.next.Places, func(at place) bool { return at.Agent == id && !at.Workspace })
}
