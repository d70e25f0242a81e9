package conform

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/boathook/boathook/itest/agentlab"
	"github.com/boathook/boathook/itest/mockmodel"
)

// windsurf replays the documentation of Cascade's hooks: the program is a closed desktop application. A hook can only end with
// code 2, its reason on standard error; what it prints is for the user.
func windsurf() Agent {
	const file = ".codeium/windsurf/hooks.json"
	return Agent{
		ID: "windsurf", Version: "documentation of 2026",
		Model: startReplay,
		Furnish: func(tb testing.TB, l *Lab) {
			l.Write(tb, filepath.Join(l.Home, file), "{\"hooks\": {\"post_write_code\": [ {\"command\":\"true\"} ]}}\r\n")
		},
		Shell: func(l *Lab, command string) mockmodel.Call {
			return mockmodel.Call{Name: "run_command", Input: map[string]any{"command_line": command, "cwd": l.Work}}
		},
		Run: contract{
			hooks: flatHooks(file),
			events: map[moment][]string{
				atPrompt: {"pre_user_prompt"}, atBefore: {"pre_run_command"}, atAfter: {"post_run_command"}, atStop: {"post_cascade_response"},
			},
			payload: func(_ *Lab, event string, h happening) map[string]any {
				info := map[string]any{"user_prompt": h.Prompt}
				switch {
				case h.Call != nil:
					info = h.Call.Input
				case event == "post_cascade_response":
					info = map[string]any{"response": h.Answer}
				}
				return map[string]any{
					"agent_action_name": event, "trajectory_id": "t-1", "execution_id": "e-1", "timestamp": "2026-11-30T09:28:22Z",
					"model_name": "SWE-1.5", "tool_info": info,
				}
			},
			verdict: func(event string, r agentlab.Result) verdict {
				return verdict{deny: r.Code == 2 && strings.HasPrefix(event, "pre_"), reason: strings.TrimSpace(r.Stderr)}
			},
			command: func(input map[string]any) string { return input["command_line"].(string) },
			denied:  func(reason string) string { return "blocked by hook: " + reason },
		}.run,
		Config: []string{file},
	}
}
