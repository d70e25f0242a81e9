package hook

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/host"
)

// TestMain lets the test binary be a hook: "hook NAME ARG...".
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "hook" {
		Main(played()[os.Args[2]])
	}
	os.Exit(m.Run())
}

func played() map[string]func(context.Context, *Event) Decision {
	return map[string]func(context.Context, *Event) Decision{
		"allow":   func(context.Context, *Event) Decision { return Allow() },
		"deny":    func(_ context.Context, e *Event) Decision { return Deny("no " + e.Command()) },
		"ask":     func(context.Context, *Event) Decision { return Ask("sure?") },
		"rewrite": func(_ context.Context, e *Event) Decision { return e.RewriteCommand("ls") },
		"context": func(context.Context, *Event) Decision { return AddContext("hint") },
		"panic":   func(context.Context, *Event) Decision { panic("oh") },
		"slip":    func(context.Context, *Event) Decision { return Decision{Action: "block", Reason: "no"} },
		"hang":    func(context.Context, *Event) Decision { select {} },
		"prints": func(context.Context, *Event) Decision {
			_, _ = os.Stdout.WriteString("noise\n")
			return Deny("no")
		},
	}
}

func canonicalEvent(command string) string {
	e := Event{Agent: "gemini", Event: ToolBefore, HostEvent: "BeforeTool", Tool: &Tool{
		Name: "bash", HostName: "run_shell_command", Kind: "shell", Command: command, Input: json.RawMessage(`{"command":"` + command + `"}`),
	}}
	stamp(&e)
	text, _ := json.Marshal(e)
	return string(text)
}

const geminiTool = `{"session_id":"s","hook_event_name":"BeforeTool","tool_name":"run_shell_command","tool_input":{"command":"rm x"}}`

const geminiWhole = `{"session_id":"s","transcript_path":"/t","cwd":"/w","hook_event_name":"BeforeTool","timestamp":"2026-01-01T00:00:00Z","tool_name":"run_shell_command","tool_input":{"command":"rm x"}}`

func TestRun(t *testing.T) {
	gemini := []string{"--agent", "gemini", "--event", "BeforeTool"}
	for name, tc := range map[string]struct {
		hook, in string
		args     []string
		closed   bool
		want     host.Reply
	}{
		"boathook, allow":   {hook: "allow", in: canonicalEvent("rm x"), want: host.Reply{}},
		"boathook, deny":    {hook: "deny", in: canonicalEvent("rm x"), want: said(`{"action":"deny","reason":"no rm x"}`)},
		"boathook, rewrite": {hook: "rewrite", in: canonicalEvent("rm x"), want: said(`{"input":{"command":"ls"}}`)},
		"boathook, context": {hook: "context", in: canonicalEvent("rm x"), want: said(`{"context":"hint"}`)},
		"boathook, panic":   {hook: "panic", in: canonicalEvent("rm x"), want: host.Reply{Stderr: []byte("panic: oh\n"), Exit: 1}},
		"boathook, closed": {hook: "panic", in: canonicalEvent("rm x"), closed: true, want: host.Reply{
			Stdout: []byte(`{"action":"deny","reason":"the hook gave no answer: panic: oh"}` + "\n"), Stderr: []byte("panic: oh\n"), Exit: 1,
		}},
		"boathook, a slip":         {hook: "slip", in: canonicalEvent("rm x"), want: said(`{"action":"deny","reason":"no"}`)},
		"boathook, a hang":         {hook: "hang", in: canonicalEvent("rm x"), want: host.Reply{Stderr: []byte("it was not done in time\n"), Exit: 1}},
		"gemini, allow":            {hook: "allow", in: geminiTool, args: gemini, want: said(`{}`)},
		"gemini, deny":             {hook: "deny", in: geminiTool, args: gemini, want: said(`{"decision":"deny","reason":"no rm x","systemMessage":"no rm x"}`)},
		"gemini, joined arguments": {hook: "deny", in: geminiTool, args: []string{"-x", "--agent=gemini", "--event=BeforeTool"}, want: said(`{"decision":"deny","reason":"no rm x","systemMessage":"no rm x"}`)},
		"gemini, panic":            {hook: "panic", in: geminiTool, args: gemini, want: said(`{}`)},
		"gemini, hang":             {hook: "hang", in: geminiTool, args: gemini, want: said(`{}`)},
		"gemini, garbage, open":    {hook: "allow", in: "{{{", args: gemini, want: said(`{}`)},
		"gemini, found out":        {hook: "deny", in: geminiWhole, want: said(`{"decision":"deny","reason":"no rm x","systemMessage":"no rm x"}`)},
		"an agent that is none":    {hook: "deny", in: geminiTool, args: []string{"--agent", "nobody", "--event", "x"}, want: host.Reply{}},
		"nothing at all":           {hook: "deny", want: host.Reply{}},
		"no event of anybody":      {hook: "deny", in: "[1,2]", want: host.Reply{}},
	} {
		t.Run(name, func(t *testing.T) {
			limit := time.Minute
			if tc.hook == "hang" {
				limit = 100 * time.Millisecond
			}
			p := process{stdin: strings.NewReader(tc.in), args: tc.args, lookup: func(string) (string, bool) { return "", false }, limit: limit, closed: tc.closed}
			if diff := cmp.Diff(tc.want, p.run(played()[tc.hook])); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func said(line string) host.Reply { return host.Reply{Stdout: []byte(line + "\n")} }

// TestFailClosedWithoutAnEvent: what cannot be read is denied where a tool is about to run.
func TestFailClosedWithoutAnEvent(t *testing.T) {
	p := process{stdin: strings.NewReader("{{{"), args: []string{"--agent", "gemini", "--event", "BeforeTool"}, limit: time.Minute, closed: true, lookup: func(string) (string, bool) { return "", false }}
	if r := p.run(played()["allow"]); !strings.Contains(string(r.Stdout), `"decision":"deny"`) {
		t.Errorf("%s", r.Stdout)
	}
}

// TestMainIsAProcess: exit code and streams; an open standard input does not hold it, nor what the hook prints spoil it.
func TestMainIsAProcess(t *testing.T) {
	run := func(name string, stdin io.Reader, args ...string) (string, string, int) {
		cmd := exec.Command(os.Args[0], append([]string{"hook", name}, args...)...)
		var out, errs strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &errs
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(in, stdin) // and it stays open
		_ = cmd.Wait()
		return out.String(), errs.String(), cmd.ProcessState.ExitCode()
	}
	out, errs, code := run("prints", strings.NewReader(canonicalEvent("ls")))
	if out != `{"action":"deny","reason":"no"}`+"\n" || errs != "noise\n" || code != 0 {
		t.Errorf("%q, %q, %d", out, errs, code)
	}
	out, _, code = run("panic", strings.NewReader(canonicalEvent("ls")))
	if out != "" || code != 1 {
		t.Errorf("%q, %d", out, code)
	}
	out, errs, code = run("deny", strings.NewReader(geminiTool), "--agent", "gemini", "--event", "BeforeTool")
	if !strings.Contains(out, `"decision":"deny"`) || errs != "" || code != 0 {
		t.Errorf("%q, %q, %d", out, errs, code)
	}
}

func TestDecodeAndEncode(t *testing.T) {
	e, err := Decode("gemini", "BeforeTool", []byte(geminiTool))
	if err != nil || e.Command() != "rm x" || e.Event != ToolBefore || len(e.ID) != idLength || e.SessionID != "s" {
		t.Errorf("%+v, %v", e, err)
	}
	if e, err := Decode("gemini", "BeforeTool", []byte(geminiTool[:len(geminiTool)-4])); err == nil || e.IsTool("bash") == false {
		t.Errorf("a cut payload: %+v, %v", e, err)
	}
	for _, name := range [][2]string{{"nobody", "BeforeTool"}, {"gemini", "NoEvent"}} {
		if _, err := Decode(name[0], name[1], []byte("{}")); err == nil {
			t.Errorf("%s: no error", name)
		}
		if _, _, _, err := Encode(name[0], name[1], Allow()); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	out, errs, exit, err := Encode("gemini", "BeforeTool", Deny("no"))
	if string(out) != `{"decision":"deny","reason":"no","systemMessage":"no"}`+"\n" || errs != nil || exit != 0 || err != nil {
		t.Errorf("%s %s %d %v", out, errs, exit, err)
	}
	if _, _, _, err := Encode("gemini", "BeforeTool", Decision{Action: "block"}); err == nil {
		t.Error("an action that is none")
	}
}

func TestRewriteOfNoObject(t *testing.T) {
	for _, v := range []any{nil, 5, []string{"a"}, func() {}, make(chan int)} {
		if d := Rewrite(v); d.Action != "deny" || d.Input != nil {
			t.Errorf("%T: %+v", v, d)
		}
	}
	if d := Rewrite(map[string]string{"a": "<b>"}); string(d.Input) != `{"a":"<b>"}` || d.Action != "" {
		t.Errorf("%s", d.Input)
	}
}

// TestIDs are ULIDs: 26 characters that begin with the time.
func TestIDs(t *testing.T) {
	// The time of the ULID specification's example.
	if id := newID(time.UnixMilli(1469918176385)); len(id) != idLength || id[:10] != "01ARYZ6S41" {
		t.Errorf("%s", id)
	}
	seen := map[string]bool{}
	for range 100 {
		seen[newID(time.UnixMilli(1469918176385))] = true
	}
	if len(seen) != 100 {
		t.Errorf("%d ids of 100", len(seen))
	}
}
