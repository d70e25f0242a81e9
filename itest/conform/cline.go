package conform

import (
	"fmt"
	"net"
	"path/filepath"
	"testing"

	"github.com/boathook/boathook/itest/agentlab"
	"github.com/boathook/boathook/itest/agents"
	"github.com/boathook/boathook/itest/mockchat"
	"github.com/boathook/boathook/itest/mockmodel"
	"github.com/boathook/boathook/itest/procs"
)

// cline drives Cline's command line headless. There a call that needs approval is refused, as nobody can be asked.
func cline() Agent {
	return Agent{
		ID: "cline", Package: "@cline/cli-linux-x64",
		Model: func(tb testing.TB, plays mockmodel.Plays) Model { return mockchat.Start(tb, plays) },
		Furnish: func(tb testing.TB, l *Lab) {
			l.Write(tb, filepath.Join(l.Home, ".cline", "data", "settings", "providers.json"), fmt.Sprintf(`{
  "version": 1, "lastUsedProvider": "openai-compatible", "modes": {},
  "providers": {"openai-compatible": {
    "settings": {"provider": "openai-compatible", "apiKey": "sk-fake", "model": "mock-model", "baseUrl": "%s/v1"},
    "updatedAt": "2026-11-30T12:00:00.000Z", "tokenSource": "manual"
  }}
}
`, l.Model.URL()))
		},
		Shell: func(_ *Lab, command string) mockmodel.Call {
			return mockmodel.Call{Name: "run_commands", Input: map[string]any{"commands": []string{command}}}
		},
		Run:      runCline,
		Config:   clineHooks(),
		DenyEnds: true,
		Subagent: func(_ *Lab, prompt string) mockmodel.Call {
			return mockmodel.Call{Name: "spawn_agent", Input: map[string]any{"systemPrompt": "You help.", "task": prompt}}
		},
	}
}

// clineHooks are the files in which Cline looks for hooks, one for each of its events.
func clineHooks() []string {
	var files []string
	for _, event := range []string{
		"PreToolUse", "PostToolUse", "TaskStart", "TaskResume", "TaskCancel", "TaskComplete", "TaskError", "UserPromptSubmit",
		"PreCompact", "SessionShutdown",
	} {
		files = append(files, filepath.Join(".cline", "hooks", event))
	}
	return files
}

// runCline runs Cline and ends the daemon that it leaves behind. Each run has a port for that of its own: the usual one
// would let two homes meet at one daemon.
func runCline(tb testing.TB, l *Lab, s Session) Outcome {
	tb.Helper()
	program := filepath.Join(agents.Modules(tb, "cline"), "@cline", "cli-"+agents.Platform(), "bin", "cline")
	args := []string{"--json", "--auto-approve", fmt.Sprint(s.Permit), s.Prompt}
	port := freePort(tb)
	defer func() {
		agentlab.Must(tb, procs.EndAll(func() []int { return procs.StartedWith("--cline-hub-daemon", port) }))
	}()
	return Outcome{Result: l.Lab.Run(tb, l.Work, []string{"CLINE_HUB_PORT=" + port}, program, args...)}
}

func freePort(tb testing.TB) string {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	agentlab.Must(tb, err)
	defer func() { agentlab.Must(tb, l.Close()) }()
	_, port, err := net.SplitHostPort(l.Addr().String())
	agentlab.Must(tb, err)
	return port
}
