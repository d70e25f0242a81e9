package conform

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"testing"

	"github.com/boathook/boathook/itest/agents"
	"github.com/boathook/boathook/itest/mockmodel"
	"github.com/boathook/boathook/itest/mockresponses"
)

// codex drives Codex: headless where everything is permitted, else through its app server, whose user is asked about each command
// and refuses. It runs no hook that its user has not trusted: install is told that the user does.
func codex() Agent {
	return Agent{
		ID: "codex", Package: "@openai/codex",
		Model: func(tb testing.TB, plays mockmodel.Plays) Model { return mockresponses.Start(tb, plays) },
		Furnish: func(tb testing.TB, l *Lab) {
			l.Env = []string{"PATH=" + filepath.Dir(codexProgram(tb)) + ":" + os.Getenv("PATH")} // install asks Codex for its hashes
			l.Write(tb, filepath.Join(l.Home, ".codex", "config.toml"), fmt.Sprintf(`# mine
model = "gpt-5.5"
model_provider = "mock"

[model_providers.mock]
name = "mock"
base_url = "%s/v1"
wire_api = "responses"
env_key = "MOCK_KEY"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false

[projects.%q]
trust_level = "trusted"
`, l.Model.URL(), l.Repo))
		},
		Shell: func(_ *Lab, command string) mockmodel.Call {
			return mockmodel.Call{Name: "exec_command", Input: map[string]any{"cmd": command}}
		},
		Run:         runCodex,
		Normal:      func(text string) string { return codexChance().ReplaceAllString(text, "$1: N") },
		InstallArgs: []string{"--trust"},
		Config:      []string{".codex/config.toml", ".codex/hooks.json"},
		Subagent: func(_ *Lab, prompt string) mockmodel.Call {
			return mockmodel.Call{Namespace: "collaboration", Name: "spawn_agent", Input: map[string]any{
				"fork_turns": "none", "message": prompt, "task_name": "child",
			}}
		},
		Await: &mockmodel.Call{ID: "call_wait", Namespace: "collaboration", Name: "wait_agent", Input: map[string]any{"timeout_ms": 30000}},
	}
}

// codexChance is what the results of two equal commands differ in.
var codexChance = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^(Chunk ID|Wall time): .*$`)
})

func codexProgram(tb testing.TB) string {
	tb.Helper()
	vendor := filepath.Join(agents.Modules(tb, "codex"), "@openai", "codex-"+agents.Platform(), "vendor")
	found, _ := filepath.Glob(filepath.Join(vendor, "*", "bin", "codex")) // the pattern is well-formed
	if len(found) != 1 {
		tb.Fatalf("find Codex: %q in %s", found, vendor)
	}
	return found[0]
}

func codexEnv() []string { return []string{"SHELL=/bin/sh", "MOCK_KEY=fake"} }

func runCodex(tb testing.TB, l *Lab, s Session) Outcome {
	tb.Helper()
	if !s.Permit {
		return codexTurn(tb, l, s.Prompt, untrusted, decline)
	}
	args := []string{
		"exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox",
		"--enable", "multi_agent_v2", s.Prompt, // it has the tools for subagents
	}
	return Outcome{Result: l.Lab.Run(tb, l.Work, codexEnv(), codexProgram(tb), args...)}
}
