package amp

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host/hosttest"
)

const recordings = "testdata/0.0.1790142911-g7618fb"

// TestRecordings reads events of the shape of the plugin API's types that went through the real plugin runtime. Amp itself
// needs a login, so that none of its own making could be recorded.
func TestRecordings(t *testing.T) { hosttest.Golden(t, Host(), recordings) }

func FuzzDecode(f *testing.F) { hosttest.Fuzz(f, Host(), recordings) }

func TestToolDetails(t *testing.T) {
	for _, tc := range []struct {
		name, event, payload string
		want                 canon.Tool
	}{
		{"a shell command", "tool.call", `{"data":{"tool":"shell_command","input":{"command":"rm -rf /"}}}`, canon.Tool{Name: "bash", HostName: "shell_command", Kind: "shell", Command: "rm -rf /"}},
		{"an edit", "tool.call", `{"data":{"tool":"edit_file","input":{"path":"/a/b","old_str":"x"}}}`, canon.Tool{Name: "edit_file", HostName: "edit_file", Kind: "write", Paths: []string{"/a/b"}}},
		{"an MCP tool", "tool.call", `{"data":{"tool":"mcp__srv__echo","input":{"text":"x"}}}`, canon.Tool{Name: "mcp", HostName: "mcp__srv__echo", Kind: "mcp", MCP: &canon.MCP{Server: "srv", Tool: "echo"}}},
		{"no MCP tool", "tool.call", `{"data":{"tool":"mcp__srv","input":{}}}`, canon.Tool{Name: "mcp__srv", HostName: "mcp__srv", Kind: "other"}},
		{"a web page", "tool.call", `{"data":{"tool":"read_web_page","input":{"url":"https://a.example/"}}}`, canon.Tool{Name: "web_fetch", HostName: "read_web_page", Kind: "web", URLs: []string{"https://a.example/"}}},
		{"every duplicate is judged", "tool.call", `{"data":{"tool":"Bash","input":{"cmd":"rm"},"input":{"cmd":"ls"}},"data":{"tool":"Bash","input":{"cmd":"pwd"}}}`, canon.Tool{Name: "bash", HostName: "Bash", Kind: "shell", Command: "rm\nls\npwd"}},
		{"a patch", "tool.call", `{"data":{"tool":"apply_patch","input":{"patchText":"*** Begin Patch\n*** Add File: /a.go\n+x\n*** End Patch"}}}`, canon.Tool{Name: "edit_file", HostName: "apply_patch", Kind: "write", Paths: []string{"/a.go"}}},
		{"no name", "tool.call", `{"data":{"input":{"cmd":"rm"}}}`, canon.Tool{Kind: "other", Command: "rm"}},
		{"a failed tool", "tool.result", `{"data":{"tool":"Read","input":{"path":"/a"},"status":"error","error":"no such file"}}`, canon.Tool{Name: "read_file", HostName: "Read", Kind: "read", Paths: []string{"/a"}, Status: "error", Error: "no such file"}},
		{"a cancelled tool", "tool.result", `{"data":{"tool":"Read","input":{},"status":"cancelled"}}`, canon.Tool{Name: "read_file", HostName: "Read", Kind: "read", Status: "error", Error: "cancelled"}},
		{"a failed command", "tool.result", `{"data":{"tool":"Bash","input":{"cmd":"false"},"status":"done","output":{"output":"","exitCode":1}}}`, canon.Tool{Name: "bash", HostName: "Bash", Kind: "shell", Command: "false", Status: "error", Error: "exit code 1"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := hosttest.Decode(t, Host(), tc.event, []byte(tc.payload))
			if diff := cmp.Diff(&tc.want, got.Tool, cmpopts.IgnoreFields(canon.Tool{}, "Input", "Output")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestResponse(t *testing.T) {
	for payload, want := range map[string]string{
		`{"data":{"messages":[{"role":"assistant","content":[{"type":"text","text":"first"}]},{"role":"assistant","content":[{"type":"thinking","thinking":"x"},{"type":"text","text":"a"},{"type":"text","text":"b"}]},{"role":"user","content":[{"type":"text","text":"u"}]}]}}`: "a\nb",
		`{"data":{"messages":[]}}`: "", `{"data":{"messages":"x"}}`: "", `{}`: "",
	} {
		if got := hosttest.Decode(t, Host(), "agent.end", []byte(payload)); got.Response != want || got.CWD != hosttest.Dir {
			t.Errorf("%s: response %q in %q", payload, got.Response, got.CWD)
		}
	}
}

// TestAnswers: what the plugin is told is the decision as it is, in what Amp can do of it.
func TestAnswers(t *testing.T) {
	for _, tc := range []struct {
		event string
		d     canon.Decision
		want  string
	}{
		{"tool.call", canon.Decision{}, ""},
		{"tool.call", canon.Decision{Action: canon.Allow, Reason: "fine"}, ""},
		{"tool.call", canon.Decision{Action: canon.Deny, Reason: "no <rm>"}, `{"action":"deny","reason":"no <rm>"}` + "\n"},
		{"tool.call", canon.Decision{Action: canon.Ask, Reason: "sure?"}, `{"action":"ask","reason":"sure?"}` + "\n"},
		{"tool.call", canon.Decision{Input: []byte(`{"cmd":"ls"}`)}, `{"action":"deny","reason":"(the call has to have another input, which Amp hooks cannot set; make it with this one: {\"cmd\":\"ls\"})"}` + "\n"},
		{"agent.start", canon.Decision{Context: "read this"}, `{"context":"read this"}` + "\n"},
		{"agent.start", canon.Decision{Action: canon.Deny, Reason: "no"}, ""},
		{"tool.result", canon.Decision{Context: "read this"}, `{"context":"read this"}` + "\n"},
		{"session.start", canon.Decision{Context: "lost"}, ""},
		{"agent.end", canon.Decision{Action: canon.Deny, Reason: "no"}, ""},
	} {
		h := Host()
		ev, _ := h.Event(tc.event)
		said, _ := h.Express(ev, tc.d)
		reply := h.Encode(ev, said)
		if got := string(reply.Stdout); got != tc.want || reply.Exit != 0 || reply.Stderr != nil {
			t.Errorf("%s %+v: %q, want %q", tc.event, tc.d, got, tc.want)
		}
	}
}

func TestEventRows(t *testing.T) {
	got := map[string]canon.Kind{}
	gates := 0
	for _, e := range Host().Events {
		got[e.Name] = e.Kind
		if e.Gate {
			gates++
		}
	}
	want := map[string]canon.Kind{
		"session.start": canon.SessionStart, "agent.start": canon.PromptSubmit, "tool.call": canon.ToolBefore,
		"tool.result": canon.ToolAfter, "agent.end": canon.AgentStop, "changes.prompt": canon.Other,
	}
	if diff := cmp.Diff(want, got); diff != "" || gates != 1 {
		t.Errorf("%s%d gates", diff, gates)
	}
}
