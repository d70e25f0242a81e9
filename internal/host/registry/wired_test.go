package registry

import (
	"testing"

	"github.com/boathook/boathook/internal/lenient"
)

func TestWired(t *testing.T) {
	const gemini = `{"session_id":"s","transcript_path":"/t","cwd":"/w","hook_event_name":"BeforeTool","timestamp":"2026-01-01T00:00:00Z","tool_name":"x","tool_input":{}}`
	for _, tc := range []struct{ agent, event, payload, want string }{
		{"gemini", "AfterTool", gemini, "gemini AfterTool"},
		{"gemini", "", gemini, "gemini BeforeTool"},
		{"", "", gemini, "gemini BeforeTool"},
		{"gemnii", "", gemini, "gemini BeforeTool"},
		{"claude", "", `{"hook_event_name":"PreToolUse"}`, "claude PreToolUse"},
		{"", "NoEvent", gemini, "gemini BeforeTool"},
		{"", "AfterTool", gemini, "gemini AfterTool"},
		{"gemini", "beforetool", gemini, "gemini BeforeTool"},
		{"gemini", "BeforeNothing", `{"hook_event_name":"BeforeNothing"}`, "gemini BeforeNothing"},
		{"gemini", "BeforeNothing", `{}`, "gemini BeforeNothing"},
		{"claude", "pre-tool-use", `{"hook_event_name":"PreToolUse"}`, "claude PreToolUse"},
		{"windsurf", "PreRunCommand", `{"agent_action_name":"pre_run_command","trajectory_id":"t","tool_info":{}}`, "windsurf pre_run_command"},
		{"", "", `{}`, ""},
		{"nobody", "x", `{"a":1}`, ""},
	} {
		h, ev, ok := Wired(tc.agent, tc.event, func(string) (string, bool) { return "", false }, lenient.Parse([]byte(tc.payload)).Value)
		got := ""
		if ok {
			got = h.ID + " " + ev.Name
		}
		if got != tc.want {
			t.Errorf("%s %s: %q, want %q", tc.agent, tc.event, got, tc.want)
		}
	}
}
