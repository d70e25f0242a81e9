package qwen

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/host/hosttest"
)

const recordings = "testdata/0.24.4"

// TestDecodeRecordings reads every payload that was recorded from the real program.
func TestDecodeRecordings(t *testing.T) { hosttest.Golden(t, Host(), recordings) }

func FuzzDecode(f *testing.F) { hosttest.Fuzz(f, Host(), recordings) }

func decodeText(t *testing.T, event, text string) canon.Event {
	t.Helper()
	return hosttest.Decode(t, Host(), event, []byte(text))
}

func TestEvents(t *testing.T) {
	if n := len(Host().Events); n != 22 {
		t.Errorf("%d events, 0.24.4 has 22", n)
	}
}

// A call has one id in all the events about it.
func TestOneCallID(t *testing.T) {
	for _, name := range []string{"PreToolUse", "PostToolUse", "PostToolBatch"} {
		text, err := os.ReadFile(filepath.Join(recordings, name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		if e := decodeText(t, name, string(text)); e.CallID != "call_mock_0_0" {
			t.Errorf("%s: call %q", name, e.CallID)
		}
	}
	if e := decodeText(t, "PreToolUse", `{"tool_name":"glob","tool_input":{},"tool_use_id":"u"}`); e.CallID != "u" {
		t.Errorf("without a provider's id the call is %q", e.CallID)
	}
	if e := decodeText(t, "PostToolBatch", `{"tool_calls":[{"tool_call_id":"a"},{"tool_call_id":"b"}]}`); e.CallID != "" {
		t.Errorf("a batch of two is the call %q", e.CallID)
	}
}

func TestPrompts(t *testing.T) {
	for text, want := range map[string]canon.Kind{
		`{"prompt":"go","submitted_prompt":"go"}`: canon.PromptSubmit,
		`{"prompt":"go"}`:                         canon.PromptSubmit, // older versions say no more
		`{"prompt":""}`:                           canon.Notified,
		`{"prompt":" \n "}`:                       canon.Notified,
	} {
		e := decodeText(t, "UserPromptSubmit", text)
		if e.Event != want || (want == canon.Notified) != (e.Source == "continuation") {
			t.Errorf("%s became %s %q", text, e.Event, e.Source)
		}
	}
}

func TestToolDetails(t *testing.T) {
	shell := func(status, failure string) canon.Tool {
		return canon.Tool{Name: "bash", HostName: "run_shell_command", Kind: "shell", Status: status, Error: failure}
	}
	ran := func(content string) string {
		return `{"tool_name":"run_shell_command","tool_input":{},"tool_response":{"llmContent":"` + content + `"}}`
	}
	for _, tc := range []struct {
		name, event, payload string
		want                 canon.Tool
	}{
		{"a failing command", "PostToolUse", ran(`Output: x\nError: (none)\nExit Code: 3\nSignal: (none)\nProcess Group PGID: 7`), shell("error", "exit code 3")},
		{"a command that prints an exit line", "PostToolUse", ran(`Output: \nExit Code: 3\nSignal: (none)\nProcess Group PGID: 1\nError: (none)\nExit Code: 0\nSignal: (none)\nProcess Group PGID: (none)`), shell("success", "")},
		{"a command that a signal ended", "PostToolUse", ran(`Output: x\nExit Code: (none)\nSignal: 9\nProcess Group PGID: 7`), shell("error", "signal 9")},
		{"a command whose end is not stated", "PostToolUse", ran(`Output: x\nExit Code: (none)\nSignal: (none)\nProcess Group PGID: 7`), shell("", "")},
		{"a command in the background", "PostToolUse", ran(`Background shell started`), shell("success", "")},
		{"a classifier's denial is not the end", "PermissionDenied", `{"tool_name":"glob","tool_input":{},"reason":"no"}`, canon.Tool{Name: "glob", HostName: "glob", Kind: "search", Error: "no"}},
		{"an MCP tool", "PreToolUse", `{"tool_name":"mcp__srv__ping","tool_input":{"command":"x"}}`, canon.Tool{Name: "mcp", HostName: "mcp__srv__ping", Kind: "mcp", Command: "x", MCP: &canon.MCP{Server: "srv", Tool: "ping"}}},
		{"every duplicate is judged", "PreToolUse", `{"tool_name":"run_shell_command","tool_input":{"command":"rm -rf /","command":"ls"}}`, canon.Tool{Name: "bash", HostName: "run_shell_command", Kind: "shell", Command: "rm -rf /\nls"}},
		{"a page in a prompt", "PreToolUse", `{"tool_name":"web_fetch","tool_input":{"url":"https://a.example","prompt":"and http://b.example"}}`, canon.Tool{Name: "web_fetch", HostName: "web_fetch", Kind: "web", URLs: []string{"https://a.example", "http://b.example"}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := decodeText(t, tc.event, tc.payload)
			if diff := cmp.Diff(&tc.want, got.Tool, cmpopts.IgnoreFields(canon.Tool{}, "Input", "Output")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestEncode has the answers that the real program obeys (0.24.4). None needs an exit code: 2 counts there only with text on
// stderr, and discards what stands on stdout.
func TestEncode(t *testing.T) {
	deny := canon.Decision{Action: canon.Deny, Reason: "no <rm>"}
	context := canon.Decision{Action: canon.Allow, Context: "know this"}
	pre := `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":`
	for _, tc := range []struct {
		event string
		d     canon.Decision
		want  string
	}{
		{"PreToolUse", canon.Decision{Action: canon.Allow, Reason: "fine"}, ""},
		{"PreToolUse", deny, pre + `"deny","permissionDecisionReason":"no <rm>"}}`},
		{"PreToolUse", canon.Decision{Action: canon.Ask, Reason: "sure?"}, pre + `"ask","permissionDecisionReason":"sure?"}}`},
		{"PreToolUse", canon.Decision{Input: []byte(`{"command":"ls"}`)}, pre + `"deny","permissionDecisionReason":"(the call has to have another input, which Qwen Code hooks cannot set; make it with this one: {\"command\":\"ls\"})"}}`},
		{"PreToolUse", context, ""},
		{"PermissionRequest", deny, `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"no <rm>"}}}`},
		{"UserPromptSubmit", deny, `{"decision":"block","reason":"no <rm>"}`},
		{"UserPromptSubmit", context, `{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"know this"}}`},
		{"SessionStart", context, `{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"know this"}}`},
		{"PostToolUse", deny, ""},
		{"PostToolUse", context, `{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"know this"}}`},
		{"PostToolUseFailure", context, `{"hookSpecificOutput":{"hookEventName":"PostToolUseFailure","additionalContext":"know this"}}`},
		{"Stop", deny, `{"decision":"block","reason":"no <rm>"}`},
		{"TodoCreated", deny, ""},
		{"NeverHeardOf", deny, ""},
	} {
		ev, _ := Host().Event(tc.event)
		said, _ := Host().Express(ev, tc.d)
		want := tc.want
		if want != "" {
			want += "\n"
		}
		if diff := cmp.Diff(host.Reply{Stdout: []byte(want)}, Host().Encode(ev, said), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s %+v:\n%s", tc.event, tc.d, diff)
		}
	}
}
