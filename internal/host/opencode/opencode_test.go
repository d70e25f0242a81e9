package opencode

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/host/hosttest"
	"github.com/boathook/boathook/internal/lenient"
)

const recordings = "testdata/1.18.33"

// TestRecordings reads what the real program gave a plugin.
func TestRecordings(t *testing.T) { hosttest.Golden(t, Host(), recordings) }

func FuzzDecode(f *testing.F) { hosttest.Fuzz(f, Host(), recordings) }

// TestOthers: what the plugin never sends is decoded all the same, as an event of no known kind, and nothing of it is lost.
func TestOthers(t *testing.T) {
	files, err := filepath.Glob(recordings + "/others/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings (%v)", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var recorded struct {
			Input struct {
				SessionID  string
				Properties struct {
					SessionID string
					Part      struct{ SessionID string }
				}
			}
		}
		_ = json.Unmarshal(text, &recorded) // one has a list for its input
		want := recorded.Input.SessionID + recorded.Input.Properties.SessionID
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		ev, known := Host().Event(name)
		e := Host().Decode(ev, lenient.Parse(text).Value, host.Env{Dir: hosttest.Dir})
		var kept, all any
		if json.Unmarshal(e.Raw, &kept) != nil || json.Unmarshal(text, &all) != nil || !cmp.Equal(kept, all) {
			t.Errorf("%s: Raw is %s", name, e.Raw)
		}
		if known || e.Event != canon.Other || e.SessionID != want || e.Tool != nil {
			t.Errorf("%s: known %v, %s of session %q (want %q), tool %+v", name, known, e.Event, e.SessionID, want, e.Tool)
		}
	}
}

func TestToolDetails(t *testing.T) {
	for _, tc := range []struct {
		name, event, payload string
		want                 canon.Tool
	}{
		{"a command that failed", "tool.execute.after", `{"input":{"tool":"bash","args":{"command":"false"}},"output":{"output":"","metadata":{"exit":1}}}`, canon.Tool{Name: "bash", HostName: "bash", Kind: "shell", Command: "false", Status: "error", Error: "exit code 1"}},
		{"a page", "tool.execute.before", `{"input":{"tool":"webfetch"},"output":{"args":{"url":"https://a.example/"}}}`, canon.Tool{Name: "web_fetch", HostName: "webfetch", Kind: "web", URLs: []string{"https://a.example/"}}},
		{"a tool of a server", "tool.execute.before", `{"input":{"tool":"srv_echo"},"output":{"args":{"text":"x"}}}`, canon.Tool{Name: "srv_echo", HostName: "srv_echo", Kind: "other"}},
		{"every duplicate is judged", "tool.execute.before", `{"input":{"tool":"bash"},"output":{"args":{"command":"rm"},"args":{"command":"ls"}},"output":{"args":{"command":"pwd"}}}`, canon.Tool{Name: "bash", HostName: "bash", Kind: "shell", Command: "rm\nls\npwd"}},
		{"a patch", "tool.execute.before", `{"input":{"tool":"apply_patch"},"output":{"args":{"patchText":"*** Begin Patch\n*** Update File: a.go\n@@\n-x\n+y\n*** Delete File: b.go\n*** End Patch"}}}`, canon.Tool{Name: "edit_file", HostName: "apply_patch", Kind: "write", Paths: []string{"a.go", "b.go"}}},
		{"no name", "tool.execute.before", `{"output":{"args":{"command":"rm"}}}`, canon.Tool{Kind: "other", Command: "rm"}},
		{"a tool that failed", "message.part.updated", `{"input":{"properties":{"part":{"type":"tool","tool":"read","callID":"c","state":{"status":"error","input":{"filePath":"/a"},"error":"no such file"}}}}}`, canon.Tool{Name: "read_file", HostName: "read", Kind: "read", Paths: []string{"/a"}, Status: "error", Error: "no such file"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := hosttest.Decode(t, Host(), tc.event, []byte(tc.payload))
			if diff := cmp.Diff(&tc.want, got.Tool, cmpopts.IgnoreFields(canon.Tool{}, "Input", "Output")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestSubagents: a subagent's session is a part of the one that began it.
func TestSubagents(t *testing.T) {
	for event, want := range map[string]canon.Kind{
		"session.created": canon.SubagentStart, "session.idle": canon.SubagentStop, "chat.message": canon.Other,
		"tool.execute.before": canon.ToolBefore, "session.deleted": canon.Other,
	} {
		e := hosttest.Decode(t, Host(), event, []byte(`{"parentID":"ses_1","input":{"sessionID":"ses_2","properties":{"sessionID":"ses_2"}}}`))
		if e.Event != want || e.SessionID != "ses_1" || e.SubagentID != "ses_2" {
			t.Errorf("%s: %s of session %s, subagent %s", event, e.Event, e.SessionID, e.SubagentID)
		}
	}
}

func TestOtherEvents(t *testing.T) {
	e := hosttest.Decode(t, Host(), "permission.asked", []byte(`{"input":{"properties":{"sessionID":"s","permission":"bash","patterns":["rm *","ls"],"tool":{"callID":"c"}}}}`))
	want := &canon.Notification{Type: "bash", Message: "rm *\nls"}
	if diff := cmp.Diff(want, e.Notification, cmpopts.IgnoreFields(canon.Notification{}, "Details")); diff != "" || e.CallID != "c" || e.Event != canon.PermissionRequest {
		t.Errorf("%s%+v", diff, e)
	}
	e = hosttest.Decode(t, Host(), "session.error", []byte(`{"input":{"properties":{"sessionID":"s","error":{"name":"APIError","data":{"message":"no"}}}}}`))
	if e.Notification.Type != "APIError" || e.Notification.Message != "no" || e.SessionID != "s" {
		t.Errorf("%+v", e)
	}
	e = hosttest.Decode(t, Host(), "chat.message", []byte(`{"output":{"parts":[{"type":"text","text":"mine"},{"type":"text","text":"added","synthetic":true},{"type":"file"}]}}`))
	if e.Prompt != "mine" || e.CWD != hosttest.Dir {
		t.Errorf("%+v", e)
	}
}

// TestAnswers: what the plugin is told is the decision as it is, in what opencode can do of it.
func TestAnswers(t *testing.T) {
	for _, tc := range []struct {
		event string
		d     canon.Decision
		want  string
	}{
		{"tool.execute.before", canon.Decision{}, ""},
		{"tool.execute.before", canon.Decision{Action: canon.Allow, Reason: "fine"}, ""},
		{"tool.execute.before", canon.Decision{Action: canon.Deny, Reason: "no <rm>"}, `{"action":"deny","reason":"no <rm>"}` + "\n"},
		{"tool.execute.before", canon.Decision{Action: canon.Ask, Reason: "sure?"}, `{"action":"deny","reason":"sure? (needs a person's approval, which opencode hooks cannot ask for)"}` + "\n"},
		{"tool.execute.before", canon.Decision{Input: []byte(`{"command":"ls"}`)}, `{"input":{"command":"ls"}}` + "\n"},
		{"tool.execute.before", canon.Decision{Context: "lost"}, ""},
		{"tool.execute.after", canon.Decision{Context: "read this"}, `{"context":"read this"}` + "\n"},
		{"chat.message", canon.Decision{Context: "read this"}, `{"context":"read this"}` + "\n"},
		{"chat.message", canon.Decision{Action: canon.Deny, Reason: "no"}, `{"action":"deny","reason":"no"}` + "\n"},
		{"session.idle", canon.Decision{Action: canon.Deny, Reason: "no"}, ""},
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
	var usual, gates []string
	for _, e := range Host().Events {
		if e.Default {
			usual = append(usual, e.Name)
		}
		if e.Gate {
			gates = append(gates, e.Name)
		}
	}
	want := []string{
		"session.created", "chat.message", "tool.execute.before", "tool.execute.after", "message.part.updated", "permission.asked",
		"session.idle", "experimental.session.compacting", "session.compacted", "session.deleted",
		"dispose",
	}
	if diff := cmp.Diff(want, usual); diff != "" || len(gates) != 1 || gates[0] != "tool.execute.before" {
		t.Errorf("%sgates %v", diff, gates)
	}
}
