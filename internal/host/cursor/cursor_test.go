package cursor

import (
	"strings"
	"testing"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host/hosttest"
)

// The payloads are written from the engine's source (@cursor/sdk 1.0.32).
func TestDecodeDocumented(t *testing.T) { hosttest.Golden(t, Host(), "testdata/documented") }

func FuzzDecode(f *testing.F) { hosttest.Fuzz(f, Host(), "testdata/documented") }

// A call that comes under a generic and a specific name is counted once: one event of tool:before, one of tool:after or
// tool:error.
func TestAToolCallIsCountedOnce(t *testing.T) {
	names := map[canon.Kind][]string{}
	for _, e := range Host().Events {
		names[e.Kind] = append(names[e.Kind], e.Name)
		if e.Default && (strings.HasSuffix(e.Name, "Execution") || strings.Contains(e.Name, "File")) {
			t.Errorf("%s is registered beside the generic event", e.Name)
		}
	}
	for kind, want := range map[canon.Kind]string{canon.ToolBefore: "preToolUse", canon.ToolAfter: "postToolUse", canon.ToolError: "postToolUseFailure"} {
		if got := strings.Join(names[kind], " "); got != want {
			t.Errorf("%s: %s, want %s", kind, got, want)
		}
	}
}

// The server's command line of beforeMCPExecution is not what the call runs.
func TestAServersCommandIsNoCommand(t *testing.T) {
	got := hosttest.Decode(t, Host(), "beforeMCPExecution", []byte(`{"tool_name":"ping","tool_input":"{\"a\":1}","command":"node srv.js"}`))
	if got.Tool.Command != "" || string(got.Tool.Input) != `{"a":1}` || got.Tool.MCP.Tool != "ping" || got.Tool.HostName != "MCP:ping" {
		t.Errorf("%+v", got.Tool)
	}
}

func TestEveryDuplicateIsJudged(t *testing.T) {
	for event, payload := range map[string]string{
		"preToolUse":           `{"tool_name":"Shell","tool_input":{"command":"rm"},"tool_input":{"command":"ls"}}`,
		"beforeShellExecution": `{"command":"rm","command":"ls"}`,
	} {
		if got := hosttest.Decode(t, Host(), event, []byte(payload)); got.Tool.Command != "rm\nls" {
			t.Errorf("%s: %+v", event, got.Tool)
		}
	}
}

func TestEncode(t *testing.T) {
	deny := canon.Decision{Action: canon.Deny, Reason: "no <rm>"}
	ask := canon.Decision{Action: canon.Ask, Reason: "sure?"}
	context := canon.Decision{Action: canon.Allow, Context: "know"}
	for _, tc := range []struct {
		event string
		d     canon.Decision
		want  string
	}{
		{"preToolUse", canon.Decision{Action: canon.Allow}, ""},
		{"preToolUse", deny, `{"permission":"deny","user_message":"no <rm>","agent_message":"no <rm>"}`},
		{"preToolUse", ask, `{"permission":"deny","user_message":"sure? (needs a person's approval, which Cursor hooks cannot ask for)","agent_message":"sure? (needs a person's approval, which Cursor hooks cannot ask for)"}`},
		{"preToolUse", context, `{"additional_context":"know"}`},
		{"beforeShellExecution", ask, `{"permission":"ask","user_message":"sure?","agent_message":"sure?"}`},
		{"beforeReadFile", deny, `{"permission":"deny","user_message":"no <rm>"}`},
		{"beforeSubmitPrompt", deny, `{"continue":false,"user_message":"no <rm>"}`},
		{"sessionStart", context, `{"additional_context":"know"}`},
		{"postToolUse", context, `{"additional_context":"know"}`},
		{"postToolUse", deny, ""},
		{"stop", deny, `{"followup_message":"no <rm>"}`},
		{"subagentStart", deny, `{"permission":"deny","user_message":"no <rm>"}`},
		{"afterFileEdit", deny, ""},
		{"neverHeardOf", deny, ""},
	} {
		ev, _ := Host().Event(tc.event)
		said, _ := Host().Express(ev, tc.d)
		reply := Host().Encode(ev, said)
		if got := strings.TrimSuffix(string(reply.Stdout), "\n"); got != tc.want || reply.Exit != 0 || reply.Stderr != nil {
			t.Errorf("%s %+v: %q, want %q", tc.event, tc.d, got, tc.want)
		}
	}
}

// What updated_input loses without a word is denied instead, and the model is told the input.
func TestARewriteIsADeny(t *testing.T) {
	ev, _ := Host().Event("preToolUse")
	said, _ := Host().Express(ev, canon.Decision{Input: []byte(`{"command":"ls"}`)})
	if said.Action != canon.Deny || !strings.Contains(said.Reason, `{"command":"ls"}`) || said.Input != nil {
		t.Errorf("%+v", said)
	}
}
