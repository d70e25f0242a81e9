package conform

import (
	"path/filepath"
	"testing"

	"github.com/boathook/boathook/itest/agents"
	"github.com/boathook/boathook/itest/mockgemini"
	"github.com/boathook/boathook/itest/mockmodel"
)

// gemini drives the Gemini CLI headless. There a call that needs permission is refused, as nobody can be asked. What it does in
// a terminal, and with damaged programs, is for package gemini.
func gemini() Agent {
	return Agent{
		ID: "gemini", Package: "@google/gemini-cli",
		Model: func(tb testing.TB, plays mockmodel.Plays) Model { return mockgemini.Play(tb, plays) },
		Furnish: func(tb testing.TB, l *Lab) {
			l.Write(tb, filepath.Join(l.Home, ".gemini", "settings.json"), `{
  // no updates, no statistics, a key instead of a login
  "general": {"enableAutoUpdate": false, "enableAutoUpdateNotification": false},
  "privacy": {"usageStatisticsEnabled": false},
  "telemetry": {"enabled": false},
  "security": {"auth": {"selectedType": "gemini-api-key"}}
}
`)
		},
		Shell: func(_ *Lab, command string) mockmodel.Call {
			return mockmodel.Call{Name: "run_shell_command", Input: map[string]any{"command": command}}
		},
		Run: func(tb testing.TB, l *Lab, s Session) Outcome {
			tb.Helper()
			args := []string{agents.Gemini(tb), "-p", s.Prompt, "-m", "gemini-2.5-flash"}
			if s.Permit {
				args = append(args, "--yolo")
			}
			args = append(args, s.Args...)
			env := []string{
				"GEMINI_API_KEY=fake-key", "GEMINI_TELEMETRY_ENABLED=false", "GEMINI_CLI_TRUST_WORKSPACE=true",
				"GEMINI_CLI_NO_RELAUNCH=true", "GOOGLE_GEMINI_BASE_URL=" + l.Model.URL(),
			}
			return Outcome{Result: l.Lab.Run(tb, l.Work, env, "node", args...)}
		},
		Config: []string{".gemini/settings.json"},
	}
}
