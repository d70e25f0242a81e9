package conform

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boathook/boathook/itest/agents"
	"github.com/boathook/boathook/itest/mockanthropic"
	"github.com/boathook/boathook/itest/mockmodel"
)

// claude drives Claude Code headless. There a call that needs permission is refused, as nobody can be asked.
func claude() Agent {
	return Agent{
		ID: "claude", Package: "@anthropic-ai/claude-code",
		Model: func(tb testing.TB, plays mockmodel.Plays) Model { return mockanthropic.Start(tb, plays) },
		Furnish: func(tb testing.TB, l *Lab) {
			l.Write(tb, filepath.Join(l.Home, ".claude.json"), `{"hasCompletedOnboarding":true}`)
			l.Write(tb, filepath.Join(l.Home, ".claude", "settings.json"), "{\n    \"model\": \"sonnet\", \"hooks\": {}\n}")
		},
		Shell: func(_ *Lab, command string) mockmodel.Call {
			return mockmodel.Call{Name: "Bash", Input: map[string]any{"command": command, "description": "run it"}}
		},
		Run:    runClaude,
		Config: []string{".claude/settings.json"},
		Subagent: func(_ *Lab, prompt string) mockmodel.Call {
			return mockmodel.Call{Name: "Agent", Input: map[string]any{
				"description": "do it", "prompt": prompt, "subagent_type": "general-purpose", "run_in_background": false,
			}}
		},
	}
}

func claudeProgram(tb testing.TB) string {
	tb.Helper()
	return filepath.Join(agents.Modules(tb, "claude"), "@anthropic-ai", "claude-code-"+agents.Platform(), "claude")
}

func runClaude(tb testing.TB, l *Lab, s Session) Outcome {
	tb.Helper()
	args := []string{"-p", s.Prompt, "--output-format", "stream-json", "--verbose"}
	if s.Permit {
		args = append(args, "--dangerously-skip-permissions")
	}
	args = append(args, s.Args...)
	env := []string{
		"SHELL=/bin/sh", "IS_SANDBOX=1", // without it root is not let skip permissions
		"ANTHROPIC_BASE_URL=" + l.Model.URL(), "ANTHROPIC_API_KEY=sk-ant-fake",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1", "DISABLE_ERROR_REPORTING=1",
	}
	out := Outcome{Result: l.Lab.Run(tb, l.Work, env, claudeProgram(tb), args...)}
	for line := range strings.Lines(out.Stdout) {
		var result struct {
			Denials []struct {
				Input struct {
					Command string `json:"command"`
				} `json:"tool_input"`
			} `json:"permission_denials"`
		}
		if json.Unmarshal([]byte(line), &result) != nil {
			continue
		}
		for _, d := range result.Denials {
			out.Asked = append(out.Asked, d.Input.Command)
		}
	}
	return out
}
