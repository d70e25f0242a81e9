package verify

import (
	"slices"

	"github.com/boathook/boathook/internal/agentrun"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/install"
	"github.com/boathook/boathook/internal/paths"
)

// projects are the directories of projects in which an agent has hooks.
func projects(places []install.Installation, agent string) []string {
	var out []string
	for _, in := range places {
		if in.Workspace && in.Agent == agent {
			out = append(out, in.Dir)
		}
	}
	return out
}

func readHooks(agent, dir string, project bool) (agentrun.Hooks, error) {
	if project {
		return agentrun.InProject(agent, dir)
	}
	return agentrun.Installed(agent, dir)
}

// Expect reads which events are registered in what the agents read: the user's own configuration and that of the projects
// among places. path is where agents' programs are looked for.
func Expect(hosts []*host.Host, home string, lookup paths.Lookup, places []install.Installation, path string) map[string]Expectation {
	out := map[string]Expectation{}
	for _, h := range hosts {
		x := Expectation{HostVersion: HostVersion(h.ID, path)}
		for i, dir := range append([]string{agentrun.Dir(h.ID, home, lookup)}, projects(places, h.ID)...) {
			hooks, err := readHooks(h.ID, dir, i > 0)
			if err != nil {
				continue // selftest says what is wrong with it
			}
			x.Installed = true
			for _, ev := range h.Events {
				if _, ok := hooks.ByEvent[ev.Name]; ok && !slices.Contains(x.Events, ev.Name) {
					x.Events = append(x.Events, ev.Name)
				}
			}
		}
		out[h.ID] = x
	}
	return out
}
