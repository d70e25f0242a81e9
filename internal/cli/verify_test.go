//go:build unix

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/verify"
)

func TestVerifyBeforeAnInstall(t *testing.T) {
	for _, args := range [][]string{{"verify", "selftest"}, {"verify", "watch", "--for", "1m"}} {
		code, out, stderr := run(t, args...)
		if code != exitFailed || out != "" || !strings.Contains(stderr, "'boathook install'") {
			t.Errorf("%v: exit %d: %q %q", args, code, out, stderr)
		}
	}
	code, out, stderr := run(t, "verify", "selftest", "--agent", "agy", "--json")
	var got verify.Selftest
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != exitFailed || got.OK || len(got.Agents) != 1 || got.Agents[0].Installed {
		t.Errorf("exit %d, %v: %s%s", code, err, out, stderr)
	}
	if code, _, stderr := run(t, "verify", "report"); code != exitFailed || !strings.Contains(stderr, "nothing to report on") {
		t.Errorf("report: exit %d: %s", code, stderr)
	}
}

// What install put somewhere and is gone is not said never to have been installed.
func TestVerifyOfMissingHooks(t *testing.T) {
	env := hooked(t)
	for _, name := range []string{".gemini/extensions/boathook/hooks/hooks.json", ".gemini/config/hooks.json"} {
		if err := os.Remove(filepath.Join(env.Home, name)); err != nil {
			t.Fatal(err)
		}
	}
	code, out, stderr := in(t, env, "verify", "selftest")
	for _, want := range []string{"hooks.json", "the file is missing", "boathook install gemini", "boathook install antigravity"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if code != exitFailed || !strings.Contains(stderr, "2 faults") {
		t.Errorf("exit %d: %s", code, stderr)
	}
	if code, _, stderr := in(t, env, "verify", "watch", "--for", "1m"); code != exitFailed || !strings.Contains(stderr, "that were installed are missing") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

func TestVerifyWithWrongFlags(t *testing.T) {
	tests := []struct {
		args []string
		want string
	}{
		{[]string{"verify", "selftst"}, `unknown command "selftst": did you mean "selftest"?`},
		{[]string{"verify", "selftest", "x"}, "takes no arguments"},
		{[]string{"verify", "report", "--agent", "nobody"}, "none of gemini, antigravity"},
		{[]string{"verify", "report", "--since", "soon"}, "is no time"},
		{[]string{"verify", "watch", "--for", "0s"}, "--for wants a time"},
		{[]string{"verify", "watch", "--for", "x"}, "--for wants"},
	}
	for _, tt := range tests {
		if code, _, stderr := run(t, tt.args...); code != exitUsage || !strings.Contains(stderr, tt.want) {
			t.Errorf("%v: exit %d: %s", tt.args, code, stderr)
		}
	}
}

func TestVerifyCompletes(t *testing.T) {
	for _, command := range []string{"selftest", "watch", "report"} {
		if got := completions(t, "verify", command, "--agent", ""); strings.Join(got, " ") != strings.Join(agentNames(), " ") {
			t.Errorf("%s: %v", command, got)
		}
	}
	completions(t, "verify", "watch", "--for", "")
	completions(t, "verify", "report", "--since", "")
	if got := completions(t, "verify", ""); len(got) != 4 {
		t.Errorf("%v", got)
	}
}

func TestVerifyHelpFitsTheScreen(t *testing.T) {
	for _, command := range newVerify(testEnv(t.TempDir())).Commands() {
		_, out, _ := run(t, "help", "verify", command.Name())
		if !strings.Contains(out, "exit code") && command.Name() != "teardown" {
			t.Errorf("%s says nothing of its exit code", command.Name())
		}
		for line := range strings.Lines(out) {
			if n := columns(strings.TrimRight(line, "\n")); n > 121 {
				t.Errorf("%s: a line of %d columns: %s", command.Name(), n, line)
			}
		}
	}
}

const payload = `{"session_id":"s1","transcript_path":"/t","cwd":"/w","timestamp":"x","hook_event_name":"BeforeTool","tool_name":"bash","tool_input":{}}`

func TestReport(t *testing.T) {
	home := t.TempDir()
	spoolEvents(t, home, 0, 3, func(_ int, r *record.Record) { r.SessionID, r.Raw = "s1", json.RawMessage(payload) })
	code, out, stderr := runIn(t, home, "verify", "report", "--agent", "gemini")
	if code != exitOK || stderr != "" || !strings.Contains(out, "events     1/8 seen, in 3 records; not seen: SessionStart, ") {
		t.Fatalf("exit %d: %s%s", code, out, stderr)
	}
	if code, _, stderr := runIn(t, home, "verify", "report", "--complete"); code != exitFailed || !strings.Contains(stderr, "7 expected events not seen") {
		t.Errorf("--complete: exit %d: %s", code, stderr)
	}
	if code, _, stderr := runIn(t, home, "verify", "report", "--since", "1h"); code != exitFailed || !strings.Contains(stderr, "no event") {
		t.Errorf("--since: exit %d: %s", code, stderr)
	}
	spoolEvents(t, home, 3, 1, func(_ int, r *record.Record) {
		r.SessionID, r.Raw = "s1", json.RawMessage(strings.Replace(payload, "tool_name", "toolName", 1))
	})
	code, out, stderr = runIn(t, home, "verify", "report")
	if code != exitFailed || !strings.Contains(out, "✗ BeforeTool: the payload has no tool_name (renamed? toolName) – 1×, at 2026-03-01 09:08:07, last in") {
		t.Errorf("exit %d: %s%s", code, out, stderr)
	}
	code, out, _ = runIn(t, home, "verify", "report", "--json")
	var got verify.Report
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != exitFailed || got.OK || len(got.Hosts[0].Findings) != 2 || got.Hosts[0].Findings[0].Renamed != "toolName" {
		t.Errorf("exit %d, %v: %s", code, err, out)
	}
}

// watching is somebody who watches an agent that is installed.
func watching(t *testing.T) *installer {
	t.Helper()
	i := newInstaller(t)
	i.run("", exitOK, "install", "gemini", "--yes", "--events", "BeforeTool,AfterTool")
	return i
}

func TestWatchInAPipe(t *testing.T) {
	i := watching(t)
	spoolEvents(t, i.env.Home, 0, 2, func(_ int, r *record.Record) {
		r.Raw, r.SessionID, r.Decision.Action, r.Decision.Expressed = json.RawMessage(payload), "s1", canon.Deny, canon.Deny
	})
	out := watchUntil(t, i, "✓ BeforeTool", "--since", "1d")
	i.has(out, "✓ BeforeTool          2×, last 09:08:07", "not seen: gemini AfterTool: have it run a tool", "watch: 1 event not seen")
	if strings.Contains(out, "\x1b") {
		t.Errorf("escapes in a pipe: %q", out)
	}
	if out := i.run("", exitFailed, "verify", "watch", "--for", "300ms"); strings.Contains(out, "✓") {
		t.Errorf("what came before counts: %s", out)
	}
	// Stored, the events are seen with what became of them.
	i.run("", exitOK, "worker", "--once")
	spoolEvents(t, i.env.Home, 2, 1, func(_ int, r *record.Record) {
		r.Event.Event, r.HostEvent, r.SessionID = canon.ToolAfter, "AfterTool", "s1"
	})
	out = i.run("", exitOK, "verify", "watch", "--for", "1m", "--since", "1d")
	i.has(out, "a deny was seen", "2 denied", "All expected events were seen.")
	out = i.run("", exitFailed, "verify", "watch", "--for", "300ms", "--json")
	if !strings.Contains(out, `{"ok":false,"missing":[{"agent":"gemini"`) || !strings.Contains(out, `"report":{"ok":false,"agents":[`) {
		t.Errorf("nothing was seen, and: %s", out)
	}
	out = i.run("", exitOK, "verify", "watch", "--for", "1m", "--since", "1d", "--json")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	for _, line := range lines {
		if !json.Valid([]byte(line)) {
			t.Errorf("no JSON: %s", line)
		}
	}
	if len(lines) != 3 || !strings.Contains(lines[2], `"ok":true,"missing":[]`) {
		t.Errorf("%s", out)
	}
}

func TestWatchFindsAFault(t *testing.T) {
	i := watching(t)
	spoolEvents(t, i.env.Home, 0, 2, func(n int, r *record.Record) {
		r.Raw = json.RawMessage(strings.Replace(payload, `"cwd"`, `"dir"`, 1))
		if n == 1 {
			r.Event.Event, r.HostEvent, r.Raw = canon.ToolAfter, "AfterTool", nil
		}
	})
	i.has(i.run("", exitFailed, "verify", "watch", "--for", "1m", "--since", "1d"),
		"gemini       ✗ BeforeTool          1×, last 09:08:07, 1 finding", "BeforeTool: the payload has no cwd", "not all is as it should be")
}

// A terminal is drawn again, in its width, by going back over just what was drawn.
func TestWatchRedraws(t *testing.T) {
	for _, width := range []int{40, 80} {
		i := watching(t)
		i.env.IsTerminal, i.env.Width = true, width
		ctx, cancel := context.WithCancel(t.Context())
		var out onWrite
		out.then = func() {
			spoolEvents(t, i.env.Home, 0, 1, func(_ int, r *record.Record) { r.Time = i.env.Now() })
			out.text, out.then = "✓ BeforeTool", cancel
		}
		i.env.Stdout, i.env.Stderr = &out, &bytes.Buffer{}
		if code := Run(ctx, i.env, []string{"verify", "watch", "--for", "1m"}); code != exitFailed {
			t.Errorf("exit %d", code)
		}
		lines := map[int]int{40: 7, 80: 3}[width]
		first, rest, found := strings.Cut(out.String(), fmt.Sprintf("\x1b[%dA\x1b[J", lines))
		if words := strings.Join(strings.Fields(first), " "); !strings.Contains(words, "AfterTool have it run a tool, such as a listing of the directory") {
			t.Errorf("width %d: how to make it come is cut: %q", width, first)
		}
		if !found || strings.Count(first, "\n") != lines || !strings.Contains(rest, "✓ BeforeTool") || strings.Contains(first, "✓") {
			t.Errorf("%q", out.String())
		}
		if strings.Contains(rest, "not seen: ") {
			t.Errorf("width %d: what stands there is said again: %q", width, rest)
		}
		for line := range strings.Lines(first + rest) {
			if n := columns(strings.TrimSuffix(line, "\n")); n > width {
				t.Errorf("width %d: %d columns: %q", width, n, line)
			}
		}
	}
}

// onWrite is an output that does something, once, when a text has been written to it.
type onWrite struct {
	bytes.Buffer
	text string
	then func()
}

func (o *onWrite) Write(b []byte) (int, error) {
	n, err := o.Buffer.Write(b)
	if then := o.then; then != nil && strings.Contains(o.String(), o.text) {
		o.then = nil
		then()
	}
	return n, err
}

// watchUntil watches until it has said a text, and returns all that it said; something is missing then.
func watchUntil(t *testing.T, i *installer, text string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var errs bytes.Buffer
	out := onWrite{text: text, then: cancel}
	i.env.Stdout, i.env.Stderr = &out, &errs
	if code := Run(ctx, i.env, append([]string{"verify", "watch", "--for", "1m"}, args...)); code != exitFailed {
		t.Fatalf("exit %d: %s%s", code, out.String(), &errs)
	}
	return out.String() + errs.String()
}

func TestWatchEndsWhenInterrupted(t *testing.T) {
	i := watching(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	var errs bytes.Buffer
	out := onWrite{then: func() { cancel(errors.New("interrupted")) }}
	i.env.Stdout, i.env.Stderr, i.env.IsTerminal, i.env.Width = &out, &errs, true, 80 // a terminal shows what is waited for at once
	if code := Run(ctx, i.env, []string{"verify", "watch", "--for", "1m"}); code != exitFailed || !strings.Contains(errs.String(), "2 events not seen") {
		t.Errorf("exit %d: %s%s", code, out.String(), errs.String())
	}
}

// What selftest and report say fits the terminal.
func TestVerifyFitsTheTerminal(t *testing.T) {
	long := strings.Repeat("something long is wrong ", 9)
	for _, width := range []int{40, 60, 80, 120} {
		var out bytes.Buffer
		env := testEnv(t.TempDir())
		env.Stdout, env.IsTerminal, env.Width = &out, true, width
		env.LookupEnv = func(name string) (string, bool) { return "1", name == "NO_COLOR" }
		test := &verify.Selftest{OK: true, Runs: 3, Agents: []*verify.AgentResult{{
			Agent: "gemini", Title: "Gemini CLI", Installed: true, File: "/a/b c", Faults: []verify.Fault{{Text: long, Cure: long}}, Notes: []string{long},
			Events: []*verify.EventResult{{Event: "BeforeToolSelection", Forms: []string{"bash"}, Answers: []string{"allow", "deny", "review → allow"}, Faults: []verify.Fault{{Text: long, Cure: long}}}},
		}, {Agent: "antigravity", Title: "Antigravity"}}}
		report := verify.NewReport(nil, nil)
		now := env.Now()
		report.Hosts = append(report.Hosts, &verify.HostReport{
			Title: "Gemini CLI", Records: 3, Unjudged: map[string]int{long: 2},
			Findings: []*verify.Finding{{Kind: verify.MissingField, Event: "BeforeTool", Text: long, Count: 3, First: &now, Last: &now, LastID: "01"}},
		})
		if err := errors.Join(printSelftest(env, test), printReport(env, report)); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if n := columns(strings.TrimSuffix(line, "\n")); n > width {
				t.Errorf("width %d: a line of %d columns: %s", width, n, line)
			}
		}
	}
}
