package conform

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/boathook/boathook/itest/agentlab"
	"github.com/boathook/boathook/itest/build"
	"github.com/boathook/boathook/itest/mockmodel"
)

// TestBroken damages boathook's program under the installed hooks of agents that take an exit code, a text on standard error
// or a program that is missing for a deny: Copilot CLI denies for any exit code but 0, Qwen Code for 2 with a text. Cline is
// there since its hooks are scripts of their own. The agents have to go on as without boathook.
//
// Copilot's permissionRequest is left out, as by install itself: there what is no answer is a deny (1.0.102).
func TestBroken(t *testing.T) {
	for _, a := range []Agent{copilot(), qwen(), cline()} {
		t.Run(a.ID, func(t *testing.T) {
			t.Parallel()
			a.InstallArgs = nil
			c := &trial{Lab: NewLab(t, a)}
			c.withoutBoathook(t)
			if t.Failed() {
				return // nothing that follows would mean anything
			}
			c.Refurnish(t, "control")
			c.Configure(t, build.Fixture(t, "judge"))
			c.Lab.Install(t)
			c.runsProgram(t)
			for _, part := range []struct {
				name   string
				damage func(*testing.T)
			}{
				{"not executable", func(t *testing.T) { agentlab.Must(t, os.WriteFile(c.Bin, []byte("text\n"), 0o644)) }},
				{"other processor", func(t *testing.T) { c.PutBin(t, build.Foreign(t, "hello")) }},
				{"stack overflow", func(t *testing.T) { c.PutBin(t, build.Fixture(t, "overflow")) }},
				{"killed", func(t *testing.T) { c.PutBin(t, build.Fixture(t, "sigkill")) }},
				{"garbage, exit code 3", func(t *testing.T) { c.PutBin(t, build.Fixture(t, "garbage")) }},
				{"garbage, exit code 0", func(t *testing.T) { c.PutBin(t, build.Fixture(t, "noise")) }},
				{"hangs", func(t *testing.T) { c.hasty(t); c.PutBin(t, build.Fixture(t, "hang")) }},
			} {
				t.Run(part.name, func(t *testing.T) {
					if a.ID == "cline" && !slices.Contains([]string{"not executable", "stack overflow", "garbage, exit code 0"}, part.name) {
						t.Skip("Cline ignores exit codes, and waits 120 s for a hook whatever it says of itself")
					}
					c.RemoveBin(t)
					part.damage(t)
					c.same(t, c.unrecorded(t))
				})
			}
		})
	}
}

// unrecorded is a calm session whose records nobody could read.
func (c *trial) unrecorded(t *testing.T) Seen {
	t.Helper()
	c.EmptyWork(t)
	c.Model.Reset()
	s := Session{Prompt: mockmodel.Prompt(calm, "please"), Permit: true}
	seen := Seen{Outcome: c.Agent.Run(t, c.Lab, s), Files: c.files(t), Results: c.Model.Results(), Requests: len(c.Model.Requests())}
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(c.report(s, seen))
		}
	})
	return seen
}

// runsProgram makes sure that damage to the lab's program is damage to what the agent runs.
func (c *trial) runsProgram(t *testing.T) {
	t.Helper()
	var all string
	for _, text := range c.config(t) {
		all += text
	}
	if !strings.Contains(all, c.Bin) {
		t.Fatalf("the installed hooks do not run %s:\n%s", c.Bin, all)
	}
}

var timeouts = regexp.MustCompile(`("timeout(?:Sec)?": *)(\d+)(000)?`)

// hasty makes the agent wait for a second instead of what install wrote, seconds or milliseconds.
func (c *trial) hasty(t *testing.T) {
	t.Helper()
	changed := false
	for name, text := range c.config(t) {
		hasty := timeouts.ReplaceAllString(text, "${1}1${3}")
		if hasty != text {
			agentlab.Must(t, os.WriteFile(filepath.Join(c.Home, name), []byte(hasty), 0o600))
			changed = true
		}
	}
	if !changed {
		t.Fatal("the installed hooks have no time limit")
	}
}
