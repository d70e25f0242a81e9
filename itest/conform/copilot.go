package conform

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/boathook/boathook/itest/agentlab"
	"github.com/boathook/boathook/itest/agents"
	"github.com/boathook/boathook/itest/mockchat"
	"github.com/boathook/boathook/itest/mockmodel"
)

// copilot drives Copilot CLI headless. There a call that needs permission is refused, as nobody can be asked.
func copilot() Agent {
	return Agent{
		ID: "copilot", Package: "@github/copilot",
		Model: func(tb testing.TB, plays mockmodel.Plays) Model { return mockchat.Start(tb, plays) },
		Furnish: func(tb testing.TB, l *Lab) {
			l.Write(tb, filepath.Join(l.Home, ".copilot", "settings.json"), "{\n  // mine\n  \"theme\": \"dark\"\n}\n")
			shareCopilot(tb, l)
		},
		Shell: func(_ *Lab, command string) mockmodel.Call {
			return mockmodel.Call{Name: "bash", Input: map[string]any{"command": command, "description": "run it", "mode": "sync"}}
		},
		Run:    runCopilot,
		Config: []string{".copilot/settings.json", ".copilot/hooks/boathook.json"},
		// permissionRequest is not registered by itself.
		InstallArgs: []string{"--events", "default,permissionRequest"},
		// A command that ends with another code than 0 is no failed call.
		Fail: func(l *Lab) mockmodel.Call {
			return mockmodel.Call{Name: "view", Input: map[string]any{"path": filepath.Join(l.Work, "oops-context-me")}}
		},
		// Which of two calls at once gets the first shell is anybody's guess.
		Normal: func(text string) string { return shellIDs().ReplaceAllString(text, "<shellId: N ") },
		Subagent: func(_ *Lab, prompt string) mockmodel.Call {
			return mockmodel.Call{Name: "task", Input: map[string]any{
				"description": "do it", "prompt": prompt, "agent_type": "general-purpose", "name": "child", "mode": "sync",
			}}
		},
	}
}

var shellIDs = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<shellId: \d+ `) })

// shareCopilot gives the lab what the program unpacks when it first runs, 235 MB: one folder in the user's cache for all labs.
func shareCopilot(tb testing.TB, l *Lab) {
	tb.Helper()
	cache, err := os.UserCacheDir()
	agentlab.Must(tb, err)
	shared := filepath.Join(cache, "boathook-itest", "copilot")
	agentlab.Must(tb, os.MkdirAll(shared, 0o755))
	agentlab.Must(tb, os.MkdirAll(filepath.Join(l.Home, ".cache"), 0o755))
	agentlab.Must(tb, os.Symlink(shared, filepath.Join(l.Home, ".cache", "copilot")))
}

func copilotProgram(tb testing.TB) string {
	tb.Helper()
	return filepath.Join(agents.Modules(tb, "copilot"), "@github", "copilot-"+agents.Platform(), "copilot")
}

func runCopilot(tb testing.TB, l *Lab, s Session) Outcome {
	tb.Helper()
	args := []string{"-p", s.Prompt}
	if s.Permit {
		args = append(args, "--allow-all-tools")
	}
	return runCopilotWith(tb, l, nil, args...)
}

func runCopilotWith(tb testing.TB, l *Lab, env []string, args ...string) Outcome {
	tb.Helper()
	env = append([]string{
		"COPILOT_PROVIDER_BASE_URL=" + l.Model.URL() + "/v1", "COPILOT_PROVIDER_API_KEY=sk-fake", "COPILOT_MODEL=mock-model",
		"COPILOT_OFFLINE=true",
	}, env...)
	sessions := filepath.Join(l.Home, ".copilot", "session-state", "*", "events.jsonl")
	known, _ := filepath.Glob(sessions) // the pattern is well-formed
	out := Outcome{Result: l.Lab.Run(tb, l.Work, env, copilotProgram(tb), args...)}
	all, _ := filepath.Glob(sessions)
	for _, file := range all {
		if !slices.Contains(known, file) {
			out.Asked = append(out.Asked, copilotAsked(tb, file)...)
		}
	}
	return out
}

// copilotAsked are the commands for which a session would have asked, from the events that Copilot CLI keeps of it.
func copilotAsked(tb testing.TB, events string) []string {
	tb.Helper()
	b, err := os.ReadFile(events)
	agentlab.Must(tb, err)
	var asked []string
	for line := range strings.Lines(string(b)) {
		var e struct {
			Type string `json:"type"`
			Data struct {
				Request struct {
					Command string `json:"fullCommandText"`
				} `json:"permissionRequest"`
			} `json:"data"`
		}
		if json.Unmarshal([]byte(line), &e) == nil && e.Type == "permission.requested" {
			asked = append(asked, e.Data.Request.Command)
		}
	}
	return asked
}
