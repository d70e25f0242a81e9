package claude

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/host/hosttest"
)

const recordings = "testdata/2.1.332"

// TestDecodeRecordings reads every payload that was recorded from the real program.
func TestDecodeRecordings(t *testing.T) { hosttest.Golden(t, Host(), recordings) }

func FuzzDecode(f *testing.F) { hosttest.Fuzz(f, Host(), recordings) }

func decodeText(t *testing.T, event, text string) canon.Event {
	t.Helper()
	return hosttest.Decode(t, Host(), event, []byte(text))
}

func TestEvents(t *testing.T) {
	list := Host().Events
	if len(list) != 34 {
		t.Errorf("%d events, 2.1.332 has 34", len(list))
	}
	seen := map[string]bool{}
	for _, e := range list {
		if seen[e.Name] {
			t.Errorf("%s is there twice", e.Name)
		}
		seen[e.Name] = true
		if e.Silent && e.Default {
			t.Errorf("%s changes what the agent does, and is registered", e.Name)
		}
		if e.Gate && !e.Can.Deny {
			t.Errorf("the guard is asked at %s, and can't deny", e.Name)
		}
	}
}

func TestPrompts(t *testing.T) {
	typed := decodeText(t, "UserPromptSubmit", `{"prompt":"what does <task-notification> mean?","prompt_id":"p"}`)
	if typed.Event != canon.PromptSubmit || typed.Prompt == "" || typed.TurnID != "p" {
		t.Errorf("a person's prompt became %+v", typed)
	}
	back := decodeText(t, "UserPromptSubmit", `{"prompt":"<task-notification>\n<task-id>a1</task-id>\n</task-notification>"}`)
	want := &canon.Notification{Type: "task-notification", Message: "<task-notification>\n<task-id>a1</task-id>\n</task-notification>"}
	if diff := cmp.Diff(want, back.Notification); diff != "" || back.Event != canon.Notified || back.Source != "continuation" || back.Prompt != "" {
		t.Errorf("a task that came back became %+v\n%s", back, diff)
	}
}

func TestToolDetails(t *testing.T) {
	for _, tc := range []struct {
		name, event, payload string
		want                 canon.Tool
	}{
		{"a server with two underscores", "PreToolUse", `{"tool_name":"mcp__a__b__c","mcp_server":{"name":"a__b"},"tool_input":{}}`, canon.Tool{Name: "mcp", HostName: "mcp__a__b__c", Kind: "mcp", MCP: &canon.MCP{Server: "a__b", Tool: "c"}}},
		{"a plugin's server", "PreToolUse", `{"tool_name":"mcp__plugin_x_y__do","mcp_server":{"name":"plugin:x:y"},"tool_input":{}}`, canon.Tool{Name: "mcp", HostName: "mcp__plugin_x_y__do", Kind: "mcp", MCP: &canon.MCP{Server: "plugin:x:y", Tool: "do"}}},
		{"a server that is not stated", "PreToolUse", `{"tool_name":"mcp__a__b","tool_input":{"command":"x"}}`, canon.Tool{Name: "mcp", HostName: "mcp__a__b", Kind: "mcp", Command: "x", MCP: &canon.MCP{Server: "a", Tool: "b"}}},
		{"every duplicate is judged", "PreToolUse", `{"tool_name":"Bash","tool_input":{"command":"rm -rf /"},"tool_input":{"command":"ls"}}`, canon.Tool{Name: "bash", HostName: "Bash", Kind: "shell", Command: "rm -rf /\nls"}},
		{"an unknown tool may run a command", "PreToolUse", `{"tool_name":"REPL","tool_input":{"command":"x"}}`, canon.Tool{Name: "REPL", HostName: "REPL", Kind: "other", Command: "x"}},
		{"a page", "PreToolUse", `{"tool_name":"WebFetch","tool_input":{"url":"https://a.example","prompt":"sum up"}}`, canon.Tool{Name: "web_fetch", HostName: "WebFetch", Kind: "web", URLs: []string{"https://a.example"}}},
		{"a time that is none", "PostToolUse", `{"tool_name":"Read","tool_input":{},"duration_ms":1e999}`, canon.Tool{Name: "read_file", HostName: "Read", Kind: "read", Status: "success"}},
		{"no tool name", "PreToolUse", `{"tool_input":{"command":"rm"}}`, canon.Tool{Kind: "other", Command: "rm"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := decodeText(t, tc.event, tc.payload)
			if diff := cmp.Diff(&tc.want, got.Tool, cmpopts.IgnoreFields(canon.Tool{}, "Input", "Output")); diff != "" {
				t.Error(diff)
			}
		})
	}
	if e := decodeText(t, "PreToolUse", `{"session_id":"s"}`); e.Tool != nil {
		t.Errorf("a payload without a call became %+v", e.Tool)
	}
}

func TestBatchOfSeveralHasNoCallID(t *testing.T) {
	e := decodeText(t, "PostToolBatch", `{"tool_calls":[{"tool_use_id":"a"},{"tool_use_id":"b"}]}`)
	if e.CallID != "" || e.Event != canon.ToolBatch {
		t.Errorf("got %+v", e)
	}
}

// TestEncode has the answers that the real program obeys (2.1.332): no hookEventName but the event's own, and nothing at all
// where there is no objection, since an allow would skip the user's own prompt.
func TestEncode(t *testing.T) {
	deny := canon.Decision{Action: canon.Deny, Reason: "no <rm>"}
	ask := canon.Decision{Action: canon.Ask, Reason: "sure?"}
	rewrite := canon.Decision{Action: canon.Allow, Input: []byte(`{"command":"ls"}`)}
	context := canon.Decision{Action: canon.Allow, Context: "know this"}
	for _, tc := range []struct {
		event string
		d     canon.Decision
		want  string
	}{
		{"PreToolUse", canon.Decision{}, ""},
		{"PreToolUse", canon.Decision{Action: canon.Allow, Reason: "fine"}, ""},
		{"PreToolUse", deny, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no <rm>"}}`},
		{"PreToolUse", ask, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"sure?"}}`},
		{"PreToolUse", rewrite, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"ls"}}}`},
		{"PreToolUse", context, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"know this"}}`},
		{"PreSkillShellCommand", deny, `{"hookSpecificOutput":{"hookEventName":"PreSkillShellCommand","permissionDecision":"deny","permissionDecisionReason":"no <rm>"}}`},
		{"PreSkillShellCommand", rewrite, `{"hookSpecificOutput":{"hookEventName":"PreSkillShellCommand","permissionDecision":"deny","permissionDecisionReason":"(the call has to have another input, which Claude Code hooks cannot set; make it with this one: {\"command\":\"ls\"})"}}`},
		{"PermissionRequest", deny, `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"no <rm>"}}}`},
		{"PermissionRequest", canon.Decision{Action: canon.Allow}, ""},
		{"UserPromptSubmit", deny, `{"decision":"block","reason":"no <rm>"}`},
		{"UserPromptSubmit", context, `{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"know this"}}`},
		{"SessionStart", context, `{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"know this"}}`},
		{"SessionStart", deny, ""},
		{"PostToolUse", deny, ""},
		{"PostToolUse", context, `{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"know this"}}`},
		{"PostToolUseFailure", context, `{"hookSpecificOutput":{"hookEventName":"PostToolUseFailure","additionalContext":"know this"}}`},
		{"Stop", deny, `{"decision":"block","reason":"no <rm>"}`},
		{"Stop", context, ""},
		{"SubagentStop", deny, `{"decision":"block","reason":"no <rm>"}`},
		{"WorktreeCreate", deny, ""},
		{"NeverHeardOf", deny, ""},
	} {
		ev, _ := Host().Event(tc.event)
		said, _ := Host().Express(ev, tc.d)
		reply := Host().Encode(ev, said)
		want := tc.want
		if want != "" {
			want += "\n"
		}
		if diff := cmp.Diff(host.Reply{Stdout: []byte(want)}, reply, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s %+v:\n%s", tc.event, tc.d, diff)
		}
	}
}
