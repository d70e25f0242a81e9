package antigravity

import (
	"path"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host/hosttest"
)

const brain = "/home/user/.gemini/antigravity-cli/brain/2f6c1d7e-9a44-4c0f-8b1d-0c5a7e3b9f21"

// TestDecodeCaptures reads payloads of the shape that was published from agy 1.1.26. The program itself is closed and
// needs a login, so that none could be recorded here.
func TestDecodeCaptures(t *testing.T) {
	run := func(status, failure string) *canon.Tool {
		return &canon.Tool{Name: "bash", HostName: "run_command", Kind: "shell", Command: "echo x", Status: status, Error: failure}
	}
	want := map[string]canon.Event{
		"PreInvocation":            {Event: canon.ModelBefore},
		"PreInvocation.print-mode": {Event: canon.ModelBefore, CWD: hosttest.Dir},
		"PreToolUse":               {Event: canon.ToolBefore, Tool: run("", "")},
		"PreToolUse.print-mode":    {Event: canon.ToolBefore, Tool: run("", "")},
		"PreToolUse.write":         {Event: canon.ToolBefore, Tool: &canon.Tool{Name: "write_file", HostName: "write_to_file", Kind: "write", Paths: []string{"/home/user/shop/a.txt"}}},
		"PostToolUse":              {Event: canon.ToolAfter, Tool: run("success", "")},
		"PostToolUse.failed":       {Event: canon.ToolAfter, Tool: run("error", "exit status 3")},
		"PostToolUse.null-call":    {Event: canon.ToolAfter},
		"PostInvocation":           {Event: canon.ModelAfter},
		"Stop":                     {Event: canon.AgentStop, Reason: "NO_TOOL_CALL"},
	}
	for name, id := range map[string]string{
		"PreToolUse": "2", "PreToolUse.print-mode": "2", "PreToolUse.write": "3", "PostToolUse": "2", "PostToolUse.failed": "2",
		"PostToolUse.null-call": "2",
	} {
		e := want[name]
		e.CallID = id
		want[name] = e
	}
	for name, e := range want {
		e.Product, e.Model = "agy", "gemini-pro-agent"
		e.SessionID, e.TranscriptPath = path.Base(brain), brain+"/.system_generated/logs/transcript_full.jsonl"
		if e.CWD == "" {
			e.CWD = "/home/user/shop"
		}
		want[name] = e
	}
	hosttest.Recordings(t, Host(), "testdata/agy-1.1.26", want)
}

func before(t *testing.T, text []byte) canon.Event {
	t.Helper()
	return hosttest.Decode(t, Host(), "PreToolUse", text)
}

func TestToolRows(t *testing.T) {
	want := map[string]string{
		"view_file": "read_file read", "write_to_file": "write_file write", "replace_file_content": "edit_file write",
		"multi_replace_file_content": "edit_file write", "list_dir": "list_dir read", "find_by_name": "glob search",
		"grep_search": "grep search", "search_web": "web_search web", "read_url_content": "web_fetch web", "run_command": "bash shell",
		"manage_task": "task_output shell", "schedule": "schedule other", "list_permissions": "list_permissions other",
		"ask_permission": "ask_user ask", "invoke_subagent": "spawn_agent agent", "define_subagent": "spawn_agent agent",
		"send_message": "spawn_agent agent", "manage_subagents": "spawn_agent agent", "ask_question": "ask_user ask", "generate_image": "image media",
	}
	got := map[string]string{}
	for _, row := range Host().Tools {
		e := before(t, []byte(`{"toolCall":{"name":"`+row.HostName+`","args":{}}}`))
		got[e.Tool.HostName] = e.Tool.Name + " " + e.Tool.Kind
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for name, exp := range map[string]string{"browser_click": "browser web", "no_such_tool": "no_such_tool other"} {
		e := before(t, []byte(`{"toolCall":{"name":"`+name+`","args":{}}}`))
		if got := e.Tool.Name + " " + e.Tool.Kind; got != exp {
			t.Errorf("%s: %s, want %s", name, got, exp)
		}
	}
}

func TestEventRows(t *testing.T) {
	type row struct {
		Kind                canon.Kind
		Default, Tool, Gate bool
	}
	want := map[string]row{
		"PreInvocation": {canon.ModelBefore, true, false, false}, "PostInvocation": {canon.ModelAfter, true, false, false},
		"PreToolUse": {canon.ToolBefore, true, true, true}, "PostToolUse": {canon.ToolAfter, true, true, false},
		"Stop": {canon.AgentStop, true, false, false}, "SessionStart": {canon.SessionStart, false, false, false},
	}
	got := map[string]row{}
	for _, e := range Host().Events {
		got[e.Name] = row{e.Kind, e.Default, e.Tool, e.Gate}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestOddCalls: whatever shape a call has, its command is seen.
func TestOddCalls(t *testing.T) {
	for payload, want := range map[string]string{
		`{"toolCall":{"name":"run_command","args":{"CommandLine":"rm"}},"toolCall":null}`: "rm",
		`{"toolCall":null,"toolCall":{"name":"run_command","args":{"CommandLine":"rm"}}}`: "rm",
		`{"toolCall":{"name":"run_command","args":{"CommandLine":"rm"}},"toolCall":"x"}`:  "rm\nx",
		`{"toolCall":"{\"name\":\"run_command\",\"CommandLine\":\"rm\"}"}`:                "rm",
		`{"toolCall":[{"name":"run_command","args":{"CommandLine":"rm"}}]}`:               "rm",
		`{"toolCall":{"name":"run_command","args":[{"CommandLine":"rm"}]}}`:               "rm",
		`{"toolCall":{"name":"run_command","CommandLine":"rm"}}`:                          "rm",
		`{"toolCall":{"name":"view_file","args":{"CommandLine":"rm"}}}`:                   "",
	} {
		if e := before(t, []byte(payload)); e.Tool == nil || e.Tool.Command != want {
			t.Errorf("%s: %+v, want command %q", payload, e.Tool, want)
		}
	}
}

// TestOddSteps: what is no number names no call.
func TestOddSteps(t *testing.T) {
	for payload, want := range map[string]string{
		`{"stepIdx":0}`: "0", `{"stepIdx":12}`: "12", `{"stepIdx":"12"}`: "", `{"stepIdx":null}`: "", `{"stepIdx":{"a":1}}`: "", `{}`: "",
	} {
		if e := before(t, []byte(payload)); e.CallID != want {
			t.Errorf("%s: %q, want %q", payload, e.CallID, want)
		}
	}
}

func TestProduct(t *testing.T) {
	for transcript, want := range map[string]string{
		brain + "/.system_generated/logs/transcript_full.jsonl":                     "agy",
		"/home/user/.gemini/antigravity/brain/x/.system_generated/transcript.jsonl": "antigravity2",
		`C:\Users\u\.gemini\antigravity-cli\brain\x\transcript_full.jsonl`:          "agy",
		"/elsewhere/transcript.jsonl":                                               "", "": "",
	} {
		if got := product(transcript); got != want {
			t.Errorf("product(%q) = %q, want %q", transcript, got, want)
		}
	}
}

func TestWorkDir(t *testing.T) {
	for payload, want := range map[string]string{
		`{"workspacePaths":["/a","/b"],"toolCall":{"name":"x","args":{"Cwd":"/c"}}}`: "/a",
		`{"workspacePaths":[],"toolCall":{"name":"x","args":{"Cwd":"/c"}}}`:          "/c",
		`{"toolCall":{"name":"x","args":{}}}`:                                        hosttest.Dir,
		`{"workspacePaths":"nonsense"}`:                                              hosttest.Dir,
	} {
		if got := before(t, []byte(payload)).CWD; got != want {
			t.Errorf("%s: cwd %q, want %q", payload, got, want)
		}
	}
}

func TestEncode(t *testing.T) {
	for _, tc := range []struct {
		event string
		d     canon.Decision
		want  string
	}{
		{"PreToolUse", canon.Decision{Action: canon.Allow, Reason: "unused"}, `{"decision":"allow"}` + "\n"},
		{"PreToolUse", canon.Decision{Action: canon.Deny, Reason: "no"}, `{"decision":"deny","reason":"no"}` + "\n"},
		{"PreToolUse", canon.Decision{Action: canon.Ask, Reason: "look"}, `{"decision":"ask","reason":"look"}` + "\n"},
		{"PostToolUse", canon.Decision{Action: canon.Allow}, "{}\n"},
		{"PreInvocation", canon.Decision{Action: canon.Allow}, "{}\n"},
		{"SessionStart", canon.Decision{Action: canon.Allow}, "{}\n"},
		{"NeverHeardOf", canon.Decision{Action: canon.Allow}, "{}\n"},
	} {
		ev, _ := Host().Event(tc.event)
		if got := string(Host().Encode(ev, tc.d).Stdout); got != tc.want {
			t.Errorf("%s %s: %q, want %q", tc.event, tc.d.Action, got, tc.want)
		}
	}
}

func FuzzDecode(f *testing.F) { hosttest.Fuzz(f, Host(), "testdata/agy-1.1.26") }
