package verify

import (
	"slices"

	"github.com/boathook/boathook/internal/agentrun"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/paths"
)

// Expect reads which events are registered in what the agents read: the user's own configuration and that of projects.
// path is where agents' programs are looked for.
func Expect(hosts []*host.Host, home string, lookup paths.Lookup, projects map[string][]string, path string) map[string]Expectation {
	out := map[string]Expectation{}
	for _, h := range hosts {
		x := Expectation{HostVersion: HostVersion(h.ID, path)}
		for _, dir := range append([]string{agentrun.Dir(h.ID, home, lookup)}, projects[h.ID]...) {
			hooks, err := agentrun.Installed(h.ID, dir)
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
