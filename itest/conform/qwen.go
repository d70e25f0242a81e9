package conform

import (
	"path/filepath"
	"regexp"
	"sync"
	"testing"

	"github.com/boathook/boathook/itest/agents"
	"github.com/boathook/boathook/itest/mockchat"
	"github.com/boathook/boathook/itest/mockmodel"
)

// qwen drives Qwen Code headless. Where not everything is permitted it knows of no shell at all then, so that no hook is asked.
func qwen() Agent {
	return Agent{
		ID: "qwen", Package: "@qwen-code/qwen-code",
		Model: func(tb testing.TB, plays mockmodel.Plays) Model { return mockchat.Start(tb, plays) },
		Furnish: func(tb testing.TB, l *Lab) {
			l.Write(tb, filepath.Join(l.Home, ".qwen", "settings.json"), `{
  // mine
  "security": { "auth": { "selectedType": "openai" } },
  "general": { "disableAutoUpdate": true },
  "privacy": { "usageStatisticsEnabled": false },
  "$version": 4
}
`)
		},
		Shell: func(_ *Lab, command string) mockmodel.Call {
			return mockmodel.Call{Name: "run_shell_command", Input: map[string]any{
				"command": command, "description": "run it", "is_background": false,
			}}
		},
		// A command has ended when its process has, whether or not all that it printed was read (0.24.4).
		Normal: func(text string) string { return qwenOutput().ReplaceAllString(text, "Output: …\n") },
		Run:    runQwen,
		Config: []string{".qwen/settings.json"},
		Subagent: func(_ *Lab, prompt string) mockmodel.Call {
			return mockmodel.Call{Name: "agent", Input: map[string]any{
				"description": "do it", "prompt": prompt, "subagent_type": "general-purpose", "run_in_background": false,
			}}
		},
	}
}

var qwenOutput = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`Output: .*\n`) })

func runQwen(tb testing.TB, l *Lab, s Session) Outcome {
	tb.Helper()
	script := filepath.Join(agents.Modules(tb, "qwen"), "@qwen-code", "qwen-code", "cli.js")
	// Without the flag the process waits at its end, for seconds, until WebAssembly is compiled that no test needs fast.
	args := []string{"--liftoff-only", "--expose-gc", script, "-p", s.Prompt}
	if s.Permit {
		args = append(args, "--yolo")
	}
	env := []string{
		"OPENAI_API_KEY=sk-fake", "OPENAI_BASE_URL=" + l.Model.URL() + "/v1", "OPENAI_MODEL=mock-model",
		"QWEN_CODE_NO_RELAUNCH=true", "QWEN_CODE_SUPPRESS_YOLO_WARNING=1",
	}
	return Outcome{Result: l.Lab.Run(tb, l.Work, env, "node", args...)}
}
