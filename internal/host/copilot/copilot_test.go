package copilot

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host/hosttest"
)

const (
	camel  = "testdata/1.0.102"
	pascal = "testdata/1.0.102-pascal"
)

func TestDecodeRecordings(t *testing.T) {
	hosttest.Golden(t, Host(), camel)
	hosttest.Golden(t, Host(), pascal)
}

func FuzzDecode(f *testing.F) { hosttest.Fuzz(f, Host(), camel) }

func TestToolDetails(t *testing.T) {
	for _, tc := range []struct {
		name, payload string
		want          canon.Tool
	}{
		{"arguments as a JSON text, before 1.0.102", `{"toolName":"bash","toolArgs":"{\"command\":\"rm -rf x\"}"}`, canon.Tool{Name: "bash", HostName: "bash", Kind: "shell", Command: "rm -rf x"}},
		{"arguments as a text that is no JSON", `{"toolName":"bash","toolArgs":"rm -rf x"}`, canon.Tool{Name: "bash", HostName: "bash", Kind: "shell", Command: "rm -rf x"}},
		{"every name of the arguments is judged", `{"toolName":"bash","toolArgs":{"command":"ls"},"tool_input":{"command":"rm"}}`, canon.Tool{Name: "bash", HostName: "bash", Kind: "shell", Command: "ls\nrm"}},
		{"two tools", `{"toolName":"bash","tool_name":"Read","toolArgs":{"command":"rm"}}`, canon.Tool{Name: "read_file", HostName: "Read", Kind: "read", Command: "rm"}},
		{"keys for a running shell", `{"toolName":"write_bash","toolArgs":{"shellId":"0","input":"rm x{enter}"}}`, canon.Tool{Name: "bash", HostName: "write_bash", Kind: "shell", Command: "rm x{enter}"}},
		{"a command that failed", `{"toolName":"bash","toolArgs":{},"toolResult":{"resultType":"success","textResultForLlm":"<shellId: 9 completed with exit code 0>\n<shellId: 0 completed with exit code 3>"}}`, canon.Tool{Name: "bash", HostName: "bash", Kind: "shell", Status: "error", Error: "exit code 3"}},
		{"a call that was refused", `{"toolName":"view","toolArgs":{"path":"a"},"toolResult":{"resultType":"denied"}}`, canon.Tool{Name: "read_file", HostName: "view", Kind: "read", Paths: []string{"a"}, Status: "error", Error: "denied"}},
		{"a patch", `{"toolName":"apply_patch","toolArgs":"*** Begin Patch\n*** Add File: a\n+x\n"}`, canon.Tool{Name: "edit_file", HostName: "apply_patch", Kind: "write", Paths: []string{"a"}}},
		{"a tool of a server, within", `{"toolName":"srv-run","toolArgs":{"job":{"cmd":"rm","args":["x"]}}}`, canon.Tool{Name: "srv-run", HostName: "srv-run", Kind: "other", Command: "rm x"}},
		{"a tool of a server", `{"toolName":"srv-ping","toolArgs":{"command":"x"}}`, canon.Tool{Name: "srv-ping", HostName: "srv-ping", Kind: "other", Command: "x"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := hosttest.Decode(t, Host(), "preToolUse", []byte(tc.payload))
			if diff := cmp.Diff(&tc.want, got.Tool, cmpopts.IgnoreFields(canon.Tool{}, "Input", "Output")); diff != "" {
				t.Error(diff)
			}
			if in := string(got.Tool.Input); strings.HasPrefix(in, `"{`) {
				t.Errorf("the input is still a text: %s", in)
			}
		})
	}
}

func TestOtherEvents(t *testing.T) {
	got := hosttest.Decode(t, Host(), "errorOccurred", []byte(`{"sessionId":"s","error":{"message":"no model","name":"Error"},"recoverable":false}`))
	if got.Tool != nil || got.Reason != "no model" || got.Event != canon.Other {
		t.Errorf("%+v", got)
	}
	got = hosttest.Decode(t, Host(), "notification", []byte(`{"hook_event_name":"Notification","sessionId":"s","notification_type":"shell_completed","message":"done"}`))
	if n := got.Notification; n == nil || n.Type != "shell_completed" || n.Message != "done" {
		t.Errorf("%+v", got)
	}
	got = hosttest.Decode(t, Host(), "preCompact", []byte(`{"sessionId":"s","trigger":"auto"}`))
	if got.Source != "auto" {
		t.Errorf("%+v", got)
	}
}

func TestEncode(t *testing.T) {
	deny := canon.Decision{Action: canon.Deny, Reason: "no <rm>"}
	ask := canon.Decision{Action: canon.Ask, Reason: "sure?"}
	other := canon.Decision{Action: canon.Allow, Input: []byte(`{"command":"ls"}`)}
	context := canon.Decision{Action: canon.Allow, Context: "know this"}
	for _, tc := range []struct {
		event string
		d     canon.Decision
		want  string
	}{
		{"preToolUse", canon.Decision{Action: canon.Allow, Reason: "fine"}, ""},
		{"preToolUse", deny, `{"permissionDecision":"deny","permissionDecisionReason":"no <rm>"}`},
		{"preToolUse", ask, `{"permissionDecision":"ask","permissionDecisionReason":"sure?"}`},
		{"preToolUse", other, `{"modifiedArgs":{"command":"ls"}}`},
		{"preToolUse", context, `{"additionalContext":"know this"}`},
		{"PreToolUse", canon.Decision{}, ""},
		{"PreToolUse", deny, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no <rm>"}}`},
		{"PreToolUse", other, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"ls"}}}`},
		{"permissionRequest", deny, `{"behavior":"deny","message":"no <rm>"}`},
		{"userPromptSubmitted", deny, `{"decision":"block","reason":"no <rm>"}`},
		{"UserPromptSubmit", context, `{"additionalContext":"know this"}`},
		{"sessionStart", context, `{"additionalContext":"know this"}`},
		{"sessionStart", deny, ""},
		{"postToolUse", context, `{"additionalContext":"know this"}`},
		{"postToolUseFailure", context, `{"additionalContext":"know this"}`},
		{"agentStop", deny, `{"decision":"block","reason":"no <rm>"}`},
		{"sessionEnd", context, ""},
		{"NeverHeardOf", deny, ""},
	} {
		ev, _ := Host().Event(tc.event)
		said, _ := Host().Express(ev, tc.d)
		reply := Host().Encode(ev, said)
		if got := strings.TrimSuffix(string(reply.Stdout), "\n"); got != tc.want || reply.Exit != 0 || reply.Stderr != nil {
			t.Errorf("%s %+v: %q, want %q", tc.event, tc.d, got, tc.want)
		}
	}
}

// An event that is registered under both of its names would be two.
func TestEachEventIsRegisteredOnce(t *testing.T) {
	for _, e := range Host().Events {
		if upper := e.Name[0] < 'a'; upper && e.Default {
			t.Errorf("%s is registered", e.Name)
		}
	}
}
