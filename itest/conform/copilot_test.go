package conform

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boathook/boathook/itest/agentlab"
	"github.com/boathook/boathook/itest/build"
	"github.com/boathook/boathook/itest/mockchat"
	"github.com/boathook/boathook/itest/mockmodel"
)

// TestCopilotRewriteAsks shows that another input from a hook is no grant: what the user has allowed is held against the command
// that the hook gave, not against the model's.
func TestCopilotRewriteAsks(t *testing.T) {
	const rewrite = `{"modifiedArgs":{"command":"touch rewritten","description":"run it","mode":"sync"}}`
	for _, c := range []struct{ name, hook, allowed, asked, made string }{
		{"control", "", "shell(mkdir)", "", "mine/made"},
		{"nothing is allowed", rewrite, "", "touch rewritten", ""},
		{"the model's command is allowed", rewrite, "shell(mkdir)", "touch rewritten", ""},
		{"the hook's command is allowed", rewrite, "shell(touch)", "", "rewritten"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			l := copilotWithHook(t, c.hook)
			args := []string{"-p", mockmodel.Prompt("mine", "please")}
			if c.allowed != "" {
				args = append(args, "--allow-tool", c.allowed)
			}
			out := runCopilotWith(t, l, nil, args...)
			if got := strings.Join(out.Asked, "; "); got != c.asked {
				t.Errorf("the user was asked for %q, want %q", got, c.asked)
			}
			made := ""
			for _, name := range []string{"rewritten", "mine/made"} {
				if _, err := os.Stat(filepath.Join(l.Work, name)); err == nil {
					made += name
				}
			}
			if made != c.made {
				t.Errorf("%q was made, want %q; the model was told %q", made, c.made, l.Model.Results())
			}
		})
	}
}

// copilotWithHook is a lab with a hook before each command, which answers all alike. Its play "mine" is one command.
func copilotWithHook(t *testing.T, answer string) *Lab {
	t.Helper()
	a := copilot()
	a.Model = func(tb testing.TB, _ mockmodel.Plays) Model {
		call := mockmodel.Call{ID: "call_1", Name: "bash", Input: map[string]any{
			"command": "mkdir -p mine/made", "description": "run it", "mode": "sync",
		}}
		return mockchat.Start(tb, mockmodel.Plays{"mine": {mockmodel.Use(call), mockmodel.Say(done)}})
	}
	l := NewLab(t, a)
	script := filepath.Join(l.Root, "hook.sh")
	l.Write(t, script, "echo '"+answer+"'\n")
	hooks, err := json.Marshal(map[string]any{"version": 1, "hooks": map[string]any{"preToolUse": []any{
		map[string]any{"type": "command", "command": "sh '" + script + "'", "timeoutSec": 10},
	}}})
	agentlab.Must(t, err)
	l.Write(t, filepath.Join(l.Home, ".copilot", "hooks", "mine.json"), string(hooks))
	return l
}

// TestCopilotRunsClaudesHooks: Copilot CLI runs the hooks of a project's .claude/settings.json, too, once the user trusts the
// folder. With its own install beside them no event may be told twice; without, they have to decide in Copilot's words.
func TestCopilotRunsClaudesHooks(t *testing.T) {
	a := copilot()
	a.Run = func(tb testing.TB, l *Lab, s Session) Outcome {
		claudes, err := os.ReadFile(filepath.Join(l.Home, ".claude", "settings.json"))
		agentlab.Must(tb, err)
		l.Write(tb, filepath.Join(l.Work, ".claude", "settings.json"), string(claudes))
		return runCopilotWith(tb, l, nil, "-p", s.Prompt, "--allow-all-tools", "--trust-folder")
	}
	c := &trial{Lab: NewLab(t, a)}
	c.Configure(t, build.Fixture(t, "judge"))
	c.Lab.Install(t)
	c.MustBoathook(t, nil, "install", "claude", "--yes")
	t.Run("both", func(t *testing.T) {
		seen := c.session(t, strict, "please", true)
		c.denies(t, seen)
		for _, r := range seen.Records {
			if strings.ToUpper(r.HostEvent[:1]) == r.HostEvent[:1] {
				t.Errorf("%s is told by the hook for Claude Code, too", r.HostEvent)
			}
		}
	})
	t.Run("Claude Code's alone", func(t *testing.T) {
		c.MustBoathook(t, nil, "uninstall", "copilot", "--yes")
		seen := c.session(t, strict, "please", true)
		if r := only(t, seen, "deny-me"); r.HostEvent != "PreToolUse" {
			t.Errorf("the call was told as %s", r.HostEvent)
		}
		c.denies(t, seen)
	})
}
