package conform

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/boathook/boathook/itest/agentlab"
	"github.com/boathook/boathook/itest/build"
)

// asksSDK: the hook of examples/judge, the same on every agent, blocks the same command, in Go and in Python.
func (c *trial) asksSDK(t *testing.T) {
	root, err := build.Root()
	agentlab.Must(t, err)
	commands := [][]string{{build.Example(t, "judge")}}
	if python, err := exec.LookPath("python3"); err == nil {
		commands = append(commands, []string{python, filepath.Join(root, "examples", "judge", "judge.py")})
	} else {
		t.Log("SKIPPED LOUDLY: there is no python3 here, so that the hook in Python is not asked")
	}
	defer c.Configure(t, build.Fixture(t, "judge"), "context") // as it was
	for _, command := range commands {
		c.Configure(t, command...)
		seen := c.session(t, forced, "please", true)
		if slices.Contains(seen.Files, "pushed") {
			t.Errorf("%s: the denied call ran", command)
		}
		r := only(t, seen, "git push --force")
		if r.Decision.Expressed != "deny" || r.Decision.Reason != "Force pushes are made by people." {
			t.Errorf("%s: the decision is %+v", command, r.Decision)
		}
		if told := seen.Results[callID("pushed")]; !c.Agent.DenyEnds && c.shown.reasons(r.HostEvent) && !strings.Contains(told, "Force pushes are made by people.") {
			t.Errorf("%s: the model is told %q", command, told)
		}
	}
}

// reasons tells whether the model is told why a call was denied at an event.
func (s Shown) reasons(event string) bool { return slices.Contains(s.Reason, event) }
