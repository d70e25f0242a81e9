package codex

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/host/hosttest"
)

const recordings = "testdata/0.171.0"

// TestDecodeRecordings reads every payload that was recorded from the real program.
func TestDecodeRecordings(t *testing.T) { hosttest.Golden(t, Host(), recordings) }

func FuzzDecode(f *testing.F) { hosttest.Fuzz(f, Host(), recordings) }

func decodeText(t *testing.T, event, text string) canon.Event {
	t.Helper()
	return hosttest.Decode(t, Host(), event, []byte(text))
}

func TestToolDetails(t *testing.T) {
	bash := canon.Tool{Name: "bash", HostName: "Bash", Kind: "shell"}
	shell := func(command, status string) canon.Tool {
		tool := bash
		tool.Command, tool.Status = command, status
		return tool
	}
	patch := canon.Tool{Name: "edit_file", HostName: "apply_patch", Kind: "write"}
	for _, tc := range []struct {
		name, event, payload string
		want                 canon.Tool
	}{
		{"a failing command looks like any other", "PostToolUse", `{"tool_name":"Bash","tool_input":{"command":"false"},"tool_response":"Exit code: 1\nProcess exited with code 1"}`, shell("false", "")},
		{
			"a patch is no command line, whatever it says", "PreToolUse",
			`{"tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Update File: a b/c.go\n*** Move to: d.go\n@@\n-rm -rf /\n+*** Add File: not-a-header\n*** Delete File: old.go\r\n *** Add File: new.go\n+x\n*** End Patch\n"}}`,
			canon.Tool{Name: "edit_file", HostName: "apply_patch", Kind: "write", Paths: []string{"a b/c.go", "d.go", "old.go", "new.go"}},
		},
		{"a patch in a shell", "PreToolUse", `{"tool_name":"Bash","tool_input":{"command":"apply_patch <<EOF\n*** Begin Patch\n*** Add File: x\n+1\n*** End Patch\nEOF"}}`, canon.Tool{
			Name: "bash", HostName: "Bash", Kind: "shell", Paths: []string{"x"},
			Command: "apply_patch <<EOF\n*** Begin Patch\n*** Add File: x\n+1\n*** End Patch\nEOF",
		}},
		{"headers without a patch", "PreToolUse", `{"tool_name":"Bash","tool_input":{"command":"echo '*** Add File: x'"}}`, shell("echo '*** Add File: x'", "")},
		{"a patch that failed", "PostToolUse", `{"tool_name":"apply_patch","tool_input":{},"tool_response":"Exit code: 1\nWall time: 0 seconds\n"}`, canon.Tool{Name: "edit_file", HostName: "apply_patch", Kind: "write", Status: "error", Error: "exit code 1"}},
		{"a patch whose end is not stated", "PostToolUse", `{"tool_name":"apply_patch","tool_input":{},"tool_response":"Success"}`, patch},
		{"a patch as the whole input", "PreToolUse", `{"tool_name":"apply_patch","tool_input":"*** Begin Patch\n*** Add File: x\n+1\n"}`, canon.Tool{Name: "edit_file", HostName: "apply_patch", Kind: "write", Paths: []string{"x"}}},
		{"every duplicate is judged", "PreToolUse", `{"tool_name":"Bash","tool_input":{"command":"rm -rf /","command":"ls"}}`, shell("rm -rf /\nls", "")},
		{"another glued name", "PreToolUse", `{"tool_name":"collaborationclose_agent","tool_input":{}}`, canon.Tool{Name: "spawn_agent", HostName: "collaborationclose_agent", Kind: "agent"}},
		{"a name that only looks glued", "PreToolUse", `{"tool_name":"collaborationBash","tool_input":{"command":"x"}}`, canon.Tool{Name: "collaborationBash", HostName: "collaborationBash", Kind: "other", Command: "x"}},
		{"an image", "PreToolUse", `{"tool_name":"view_image","tool_input":{"path":"/a.png"}}`, canon.Tool{Name: "image", HostName: "view_image", Kind: "media", Paths: []string{"/a.png"}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := decodeText(t, tc.event, tc.payload)
			if diff := cmp.Diff(&tc.want, got.Tool, cmpopts.IgnoreFields(canon.Tool{}, "Input", "Output")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestEncode has the answers that the real program obeys (0.171.0): whatever has a key more, or an ask, or no reason, lets the
// tool run.
func TestEncode(t *testing.T) {
	deny := canon.Decision{Action: canon.Deny, Reason: "no <rm>"}
	denied := `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":`
	context := canon.Decision{Action: canon.Allow, Context: "know this"}
	for _, tc := range []struct {
		event string
		d     canon.Decision
		want  string
	}{
		{"PreToolUse", canon.Decision{Action: canon.Allow, Reason: "fine"}, ""},
		{"PreToolUse", deny, denied + `"no <rm>"}}`},
		{"PreToolUse", canon.Decision{Action: canon.Deny}, denied + `"denied by boathook"}}`},
		{"PreToolUse", canon.Decision{Action: canon.Deny, Reason: " \n"}, denied + `"denied by boathook"}}`},
		{"PreToolUse", canon.Decision{Action: canon.Ask, Reason: "sure?"}, denied + `"sure? (needs a person's approval, which Codex hooks cannot ask for; who wants it done can run it in a terminal, or change the rule that asks)"}}`},
		{"PreToolUse", canon.Decision{Input: []byte(`{"command":"ls"}`)}, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"ls"}}}`},
		{"PreToolUse", context, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"know this"}}`},
		{"PermissionRequest", deny, `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"no <rm>"}}}`},
		{"PermissionRequest", canon.Decision{Action: canon.Allow}, ""},
		{"UserPromptSubmit", deny, `{"decision":"block","reason":"no <rm>"}`},
		{"UserPromptSubmit", context, `{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"know this"}}`},
		{"PostToolUse", deny, ""},
		{"PostToolUse", context, `{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"know this"}}`},
		{"Stop", deny, `{"decision":"block","reason":"no <rm>"}`},
		{"SubagentStop", deny, ""},
		{"Interrupt", deny, ""},
		{"SessionEnd", deny, ""},
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
	// What was not expressed first must not open the gate either.
	ev, _ := Host().Event("PreToolUse")
	if got := string(Host().Encode(ev, canon.Decision{Action: canon.Ask, Reason: "r"}).Stdout); got != denied+`"r"}}`+"\n" {
		t.Errorf("an ask is said as %s", got)
	}
}
