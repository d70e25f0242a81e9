package conform

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boathook/boathook/itest/agentlab"
	"github.com/boathook/boathook/itest/mockmodel"
)

// cursor replays the hook engine in @cursor/sdk 1.0.32, as its source has it: Cursor itself wants a login. The shell gets the
// payload in a here-document behind the command.
func cursor() Agent {
	const file = ".cursor/hooks.json"
	return Agent{
		ID: "cursor", Version: "1.0.32",
		Model: startReplay,
		Furnish: func(tb testing.TB, l *Lab) {
			l.Write(tb, filepath.Join(l.Home, file), "{\n\t\"version\": 1,\n\t\"hooks\": {\n\t\t\"stop\": [{\"command\": \"true\", \"loop_limit\": 5}]\n\t}\n}\n")
		},
		Shell: func(_ *Lab, command string) mockmodel.Call {
			return mockmodel.Call{Name: "Shell", Input: map[string]any{"command": command}}
		},
		Run: contract{
			hooks: flatHooks(file),
			wrap: func(command, payload string) (line, stdin string) {
				return command + " <<'CURSOR_HOOK_EOF'\n" + payload + "CURSOR_HOOK_EOF\n", ""
			},
			events: map[moment][]string{
				atStart: {"sessionStart"}, atPrompt: {"beforeSubmitPrompt"}, atBefore: {"preToolUse", "beforeShellExecution"},
				atAfter: {"postToolUse", "afterShellExecution"}, atFailure: {"postToolUseFailure"},
				atAnswered: {"afterAgentResponse"}, atStop: {"stop"}, atEnd: {"sessionEnd"},
			},
			payload: cursorPayload,
			verdict: cursorVerdict,
			command: func(input map[string]any) string { return input["command"].(string) },
			denied:  func(reason string) string { return "The tool call was blocked: " + reason },
		}.run,
		Config: []string{file},
	}
}

func cursorPayload(l *Lab, event string, h happening) map[string]any {
	p := map[string]any{
		"conversation_id": "c1", "generation_id": "g1", "model": "m", "session_id": "c1", "hook_event_name": event, "cursor_version": "2.1.0",
		"workspace_roots": []string{l.Work}, "user_email": "me@example.com", "transcript_path": nil,
	}
	add := func(fields map[string]any) {
		for k, v := range fields {
			p[k] = v
		}
	}
	switch event {
	case "beforeSubmitPrompt":
		add(map[string]any{"prompt": h.Prompt, "attachments": []any{}})
	case "afterAgentResponse":
		add(map[string]any{"text": h.Answer})
	case "stop":
		add(map[string]any{"status": "completed", "loop_count": h.Turn})
	case "beforeShellExecution":
		add(map[string]any{"command": h.Call.Input["command"], "cwd": l.Work, "sandbox": false})
	case "afterShellExecution":
		add(map[string]any{"command": h.Call.Input["command"], "output": h.Output, "duration": 1, "sandbox": false})
	case "preToolUse", "postToolUse", "postToolUseFailure":
		add(map[string]any{"tool_name": h.Call.Name, "tool_input": h.Call.Input, "tool_use_id": h.Call.ID})
		switch event {
		case "postToolUse":
			add(map[string]any{"tool_output": h.Output, "duration": 1})
		case "postToolUseFailure":
			add(map[string]any{"error_message": h.Output, "failure_type": "error", "duration": 1, "is_interrupt": false})
		}
	}
	return p
}

// cursorVerdict: no output is no opinion; what is no JSON denies a call; exit code 2 denies, any other failure is let pass.
func cursorVerdict(event string, r agentlab.Result) verdict {
	text := strings.TrimSpace(r.Stdout)
	switch {
	case r.Code == 2:
		return verdict{deny: true, reason: text}
	case r.Code != 0 || text == "":
		return verdict{}
	}
	var answer struct {
		Continue   *bool          `json:"continue"`
		Permission string         `json:"permission"`
		Message    string         `json:"user_message"`
		Context    string         `json:"additional_context"`
		Followup   string         `json:"followup_message"`
		Input      map[string]any `json:"updated_input"`
	}
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		return verdict{deny: true, reason: "blocked for safety: " + err.Error()}
	}
	v := verdict{
		deny: answer.Permission == "deny" || answer.Continue != nil && !*answer.Continue, ask: answer.Permission == "ask",
		reason: answer.Message, context: answer.Context, input: answer.Input,
	}
	if event == "stop" && answer.Followup != "" {
		v.deny, v.reason = true, answer.Followup
	}
	return v
}
