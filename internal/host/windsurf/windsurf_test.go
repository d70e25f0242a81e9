package windsurf

import (
	"strings"
	"testing"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host/hosttest"
)

// The payloads are written from the documentation.
func TestDecodeDocumented(t *testing.T) { hosttest.Golden(t, Host(), "testdata/documented") }

func FuzzDecode(f *testing.F) { hosttest.Fuzz(f, Host(), "testdata/documented") }

// What a deny is on the wire: an exit code, the reason for the user, and a sign for the installed command line.
func TestEncode(t *testing.T) {
	deny := canon.Decision{Action: canon.Deny, Reason: "no <rm>"}
	for _, tc := range []struct {
		event, want string
		d           canon.Decision
	}{
		{"pre_run_command", "no <rm>\n", deny},
		{"pre_user_prompt", "no <rm>\n", deny},
		{"pre_mcp_tool_use", "sure? (needs a person's approval, which Windsurf hooks cannot ask for)\n", canon.Decision{Action: canon.Ask, Reason: "sure?"}},
		{"pre_write_code", "denied by boathook\n", canon.Decision{Action: canon.Deny}},
		// The shell of the installed command drops line ends and zero bytes: what it has left has to be something.
		{"pre_write_code", "denied by boathook\n", canon.Decision{Action: canon.Deny, Reason: "\n\n"}},
		{"pre_write_code", "denied by boathook\n", canon.Decision{Action: canon.Deny, Reason: "\x00"}},
		{"pre_run_command", "", canon.Decision{Action: canon.Allow, Context: "know"}},
		{"post_run_command", "", deny},
		{"never_heard_of", "", deny},
	} {
		ev, _ := Host().Event(tc.event)
		said, _ := Host().Express(ev, tc.d)
		reply, exit := Host().Encode(ev, said), 0
		if tc.want != "" {
			exit = 2
		}
		if string(reply.Stdout) != tc.want || string(reply.Stderr) != tc.want || reply.Exit != exit {
			t.Errorf("%s %+v: %+v, want %q and %d", tc.event, tc.d, reply, tc.want, exit)
		}
	}
	run, _ := Host().Event("pre_run_command")
	said, _ := Host().Express(run, canon.Decision{Input: []byte(`{"command_line":"ls"}`)})
	if said.Action != canon.Deny || !strings.Contains(said.Reason, `{"command_line":"ls"}`) {
		t.Errorf("a rewrite became %+v", said)
	}
}

func TestEveryDuplicateIsJudged(t *testing.T) {
	got := hosttest.Decode(t, Host(), "pre_run_command", []byte(`{"tool_info":{"command_line":"rm"},"tool_info":{"command_line":"ls"}}`))
	if got.Tool.Command != "rm\nls" {
		t.Errorf("%+v", got.Tool)
	}
}
