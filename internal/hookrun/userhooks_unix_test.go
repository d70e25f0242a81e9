//go:build unix

package hookrun

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/record"
)

// userHook is a [[hooks]] table that runs a line of the shell.
func userHook(name, line, more string) string {
	return "[[hooks]]\nname = '" + name + "'\ncommand = '''" + line + "'''\ntimeout = 10000\n" + more + "\n"
}

const blocked = `{"action":"deny","reason":"not here"}`

func TestUserHooksDecide(t *testing.T) {
	say := func(name, text string) string { return userHook(name, "cat >/dev/null; echo '"+text+"'", "") }
	closed := "fail = 'closed'"
	for _, tc := range []struct {
		name, hooks string
		want        record.Decision
		outcomes    string
	}{
		{"silence", userHook("a", "cat >/dev/null", ""), record.Decision{Action: canon.Allow, Source: "user_hook", Rule: "a"}, "a=allow"},
		{"a deny", say("a", blocked), record.Decision{Action: canon.Deny, Reason: "not here", Source: "user_hook", Rule: "a"}, "a=deny"},
		{"it reads nothing", userHook("a", "echo '"+blocked+"'", ""), record.Decision{Action: canon.Deny, Reason: "not here", Source: "user_hook", Rule: "a"}, "a=deny"},
		{"the strictest of several", say("a", "{}") + say("b", `{"action":"ask","reason":"sure?"}`) + say("c", blocked) + say("d", `{"action":"deny","reason":"later"}`),
			record.Decision{Action: canon.Deny, Reason: "not here", Source: "user_hook", Rule: "c"}, "a=allow b=ask c=deny d=deny"},
		{"a crash is open", userHook("a", "exit 3", ""), record.Decision{Action: canon.Allow, Source: "user_hook_failed", Rule: "a"}, "a=exit_3/open"},
		{"a crash is closed", userHook("a", "exit 3", closed),
			record.Decision{Action: canon.Deny, Reason: "boathook: the hook a gave no answer (exit_3) and its fail is closed", Source: "user_hook_failed", Rule: "a"}, "a=exit_3/closed"},
		{"garbage", say("a", "no json"), record.Decision{Action: canon.Allow, Source: "user_hook_failed", Rule: "a"}, "a=garbage/open"},
		{"another dialect", say("a", `{"decision":"deny"}`), record.Decision{Action: canon.Allow, Source: "user_hook_failed", Rule: "a"}, "a=garbage/open"},
		{"a signal", userHook("a", "kill -9 $$", ""), record.Decision{Action: canon.Allow, Source: "user_hook_failed", Rule: "a"}, "a=killed/open"},
		{"no such program", "[[hooks]]\ncommand = ['/nowhere/at/all']\n", record.Decision{Action: canon.Allow, Source: "user_hook_failed", Rule: "all"}, "all=not_started/open"},
		{"a broken table, closed", "[[hooks]]\nname = 'a'\ncommand = ['./x']\n" + closed,
			record.Decision{Action: canon.Deny, Reason: "boathook: the hook a gave no answer (broken) and its fail is closed", Source: "user_hook_failed", Rule: "a"}, "a=broken/closed"},
		{"a deny before a crash", userHook("a", "echo '"+blocked+"'; exit 1", ""), record.Decision{Action: canon.Deny, Reason: "not here", Source: "user_hook", Rule: "a"}, "a=exit_1/open"},
		{"a flood", userHook("a", "while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done", ""),
			record.Decision{Action: canon.Allow, Source: "user_hook_failed", Rule: "a"}, "a=too_long/open"},
		{"another tool's", userHook("a", "exit 3", "tools = ['read_file']"), record.Decision{Action: canon.Allow, Source: "default"}, ""},
		{"another agent's", userHook("a", "exit 3", "agents = ['claude']"), record.Decision{Action: canon.Allow, Source: "default"}, ""},
		{"another agent's, closed", userHook("a", "exit 3", "agents = ['claude']\n"+closed), record.Decision{Action: canon.Allow, Source: "default"}, ""},
		{"this agent's, in capitals", userHook("a", "exit 3", "agents = ['Gemini']"), record.Decision{Action: canon.Allow, Source: "user_hook_failed", Rule: "a"}, "a=exit_3/open"},
		{"nobody's", userHook("a", "exit 3", "agents = ['gemini-cli']"), record.Decision{Action: canon.Allow, Source: "default"}, ""},
		{"nobody's, closed", userHook("a", "exit 3", "agents = ['gemini-cli']\n"+closed),
			record.Decision{Action: canon.Deny, Reason: "boathook: the hook a gave no answer (exit_3) and its fail is closed", Source: "user_hook_failed", Rule: "a"}, "a=exit_3/closed"},
		{"this agent's and tool's", userHook("a", "exit 3", "agents = ['gemini']\ntools = ['bash']"), record.Decision{Action: canon.Allow, Source: "user_hook_failed", Rule: "a"}, "a=exit_3/open"},
		{"the host's name of a tool", userHook("a", "exit 3", "tools = ['run_shell_command']"), record.Decision{Action: canon.Allow, Source: "user_hook_failed", Rule: "a"}, "a=exit_3/open"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := newLab(t, tc.hooks)
			answer := l.run("gemini", "BeforeTool", rm)
			if tc.want.Expressed = tc.want.Action; strings.Contains(answer, `"deny"`) != (tc.want.Action == canon.Deny) {
				t.Errorf("answer %s", answer)
			}
			r := l.only(t)
			if diff := cmp.Diff(tc.want, r.Decision); diff != "" {
				t.Error(diff)
			}
			if got := outcomes(r); got != tc.outcomes {
				t.Errorf("outcomes %q, want %q", got, tc.outcomes)
			}
		})
	}
}

func outcomes(r record.Record) string {
	var out []string
	for _, h := range r.UserHooks {
		text := h.Name + "=" + h.Outcome
		if h.Fail != "" {
			text += "/" + h.Fail
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

// TestUserHooksAndABrokenPayload: what could not be read was not judged. A closed hook's allow is none then, as that of `boathook
// exec --fail closed` is not; its deny is one.
func TestUserHooksAndABrokenPayload(t *testing.T) {
	const unseen = `"boathook: the hook a gave no answer (broken_payload) and its fail is closed"`
	for _, tc := range []struct{ name, event, payload, answers, fail, want string }{
		{"truncated", "PreToolUse", `{"tool_name":"Bash","tool_input":{"description":"`, "{}", "closed", unseen},
		{"text around it", "PreToolUse", `{"a":1} {"tool_name":"Bash","tool_input":{"command":"rm"}}`, "{}", "closed", unseen},
		{"empty", "PreToolUse", "", "{}", "closed", unseen},
		{"another input", "PreToolUse", "{{", `{"input":{"command":"ls"}}`, "closed", unseen},
		{"a deny", "PreToolUse", "{{", blocked, "closed", `"not here"`},
		{"a prompt", "UserPromptSubmit", "{{", "{}", "closed", unseen},
		{"open", "PreToolUse", "{{", "{}", "open", ""},
		{"what cannot be denied", "PostToolUse", "{{", "{}", "closed", ""},
		{"sound", "PreToolUse", `{"tool_name":"Bash","tool_input":{"command":"ls"},"tool_input":{"command":"\ud800"}}`, "{}", "closed", ""},
	} {
		l := newLab(t, userHook("a", "echo '"+tc.answers+"'", "on = ['tool:before','tool:after','prompt:submit']\nfail = '"+tc.fail+"'"))
		if answer := l.run("claude", tc.event, tc.payload); (answer == "") != (tc.want == "") || !strings.Contains(answer, tc.want) {
			t.Errorf("%s: %s, want %s", tc.name, answer, tc.want)
		}
	}
}

// TestUserHooksGetTheRealEvent: canonical, and not masked. What is kept is masked.
func TestUserHooksGetTheRealEvent(t *testing.T) {
	const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
	got := filepath.Join(t.TempDir(), "event")
	l := newLab(t, userHook("a", `cat > "`+got+`"; echo '{"action":"deny","reason":"has `+secret+`"}'`, ""))
	answer := l.run("gemini", "BeforeTool", strings.Replace(rm, "rm -rf x", "echo "+secret, 1))
	text, err := os.ReadFile(got)
	if err != nil {
		t.Fatal(err)
	}
	var e canon.Event
	if err := json.Unmarshal(text, &e); err != nil {
		t.Fatal(err)
	}
	if e.Event != canon.ToolBefore || e.Agent != "gemini" || e.Tool.Name != "bash" || e.Tool.Command != "echo "+secret || len(e.ID) != 26 || e.Raw == nil {
		t.Errorf("event %s", text)
	}
	if !strings.Contains(answer, secret) {
		t.Errorf("the agent is told the reason as it is: %s", answer)
	}
	files, _ := filepath.Glob(filepath.Join(l.data, "spool", "new", "*.json"))
	for _, f := range files {
		if kept, err := os.ReadFile(f); err != nil || bytes.Contains(kept, []byte(secret)) {
			t.Errorf("kept: %s, %v", kept, err)
		}
	}
}

// TestUserHooksAndTheGuard: both judge, and the strictest counts.
func TestUserHooksAndTheGuard(t *testing.T) {
	for verdict, want := range map[string]record.Decision{
		`{"decision":"DENY","reason":"no","matchedRule":"R1"}`: {Action: canon.Deny, Expressed: canon.Deny, Reason: "no", Rule: "R1", Source: "remote_guard"},
		`{"decision":"ALLOW"}`:                                 {Action: canon.Deny, Expressed: canon.Deny, Reason: "not here", Rule: "a", Source: "user_hook"},
	} {
		url, _ := serveGuard(t, verdict)
		l := newLab(t, "[guard]\nendpoint = '"+url+"'\ntimeout_ms = 15000\n"+userHook("a", "echo '"+blocked+"'", ""))
		l.run("gemini", "BeforeTool", rm)
		r := l.only(t)
		if diff := cmp.Diff(want, r.Decision); diff != "" || r.Guard == nil || len(r.UserHooks) != 1 {
			t.Errorf("%s: %s", verdict, diff)
		}
	}
}

// TestStrictestJoins: rewrites in the declared order, every context, and an input means something only before a tool runs.
func TestStrictestJoins(t *testing.T) {
	say := func(name, answer string) asked {
		d, err := canon.ParseDecision([]byte(answer))
		if err != nil {
			t.Fatal(err)
		}
		a := asked{answered: true}
		a.Name, a.result.Decision = name, d
		return a
	}
	waiting := asked{}
	waiting.Name = "w"
	shut := waiting
	shut.FailClosed = true
	for _, tc := range []struct {
		name string
		all  []asked
		want record.Decision
	}{
		{"the last input, all contexts", []asked{say("a", `{"input":{"n":1},"context":"one"}`), say("b", `{"input":{"n":2}}`), say("c", `{"context":"two"}`)},
			record.Decision{Action: canon.Allow, Source: "user_hook", Rule: "a", Input: json.RawMessage(`{"n":2}`), Context: "one\ntwo"}},
		{"one that has not answered", []asked{waiting, say("b", `{"action":"ask","reason":"r"}`)}, record.Decision{Action: canon.Ask, Reason: "r", Source: "user_hook", Rule: "b"}},
		{"a closed one that has not", []asked{say("b", `{"action":"ask","reason":"r"}`), shut}, record.Decision{Action: canon.Deny, Source: "user_hook_failed", Rule: "w"}},
	} {
		got := strictest(allowed(), tc.all)
		if diff := cmp.Diff(tc.want, got, cmpopts.IgnoreFields(record.Decision{}, "Reason")); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
	}
}

// TestAHookThatHangs costs its limit, closed or open, and nothing that it started in its group outlives that.
func TestAHookThatHangs(t *testing.T) {
	for fail, deny := range map[string]bool{"open": false, "closed": true} {
		pids := filepath.Join(t.TempDir(), "pid")
		l := newLab(t, "[[hooks]]\nname = 'a'\ntimeout = 700\nfail = '"+fail+"'\ncommand = '''sleep 600 & echo $! > "+pids+"; sleep 600'''\n")
		env := l.env(strings.NewReader(rm))
		env.Environ = os.Environ
		answer := string(Run(env, []string{"--agent", "gemini", "--event", "BeforeTool", "--config", l.config}).Stdout)
		r := l.only(t)
		if strings.Contains(answer, `"deny"`) != deny || outcomes(r) != "a=timeout/"+fail {
			t.Errorf("%s: answer %s, %s", fail, answer, outcomes(r))
		}
		if text, err := os.ReadFile(pids); err == nil { // the shell got that far
			pid, _ := strconv.Atoi(strings.TrimSpace(string(text)))
			gone(t, pid)
		}
	}
}

func gone(t *testing.T, pid int) {
	t.Helper()
	for range 5000 {
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if err == nil && strings.Contains(string(stat), ") Z ") || syscall.Kill(pid, 0) != nil {
			return
		}
		time.Sleep(2 * time.Millisecond)
	}
	t.Errorf("process %d lives on", pid)
}

// TestAChildHoldsTheOutput: a complete answer counts, silence does not, and nobody waits for the child.
func TestAChildHoldsTheOutput(t *testing.T) {
	for line, want := range map[string]string{"echo '" + blocked + "'": "a=deny", ":": "a=held/open"} {
		l := newLab(t, userHook("a", "(trap '' TERM; sleep 600) & "+line, "timeout_ms = 10000"))
		env := l.env(strings.NewReader(rm))
		env.Environ = os.Environ
		Run(env, []string{"--agent", "gemini", "--event", "BeforeTool", "--config", l.config})
		r := l.only(t)
		if got := outcomes(r); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
		if took := r.UserHooks[0].DurationMS; took >= 10000 {
			t.Errorf("it was waited for: %f ms", took)
		}
	}
}

// TestTheWatchdogCountsHooks: the run hangs, here on the disk that would say whose the config is; what is closed is closed.
func TestTheWatchdogCountsHooks(t *testing.T) {
	for fail, deny := range map[string]bool{"open": false, "closed": true} {
		l := newLab(t, "[hook]\ndeadline_ms = 100\n[[hooks]]\nname = 'a'\ntimeout = 1\nfail = '"+fail+"'\ncommand = ['true']\n")
		env := l.env(strings.NewReader(rm))
		env.Yield = func(...string) error { select {} }
		env.Now, env.Start = time.Now, time.Now()
		got := Run(env, []string{"--agent", "gemini", "--event", "BeforeTool", "--config", l.config})
		if strings.Contains(string(got.Stdout), `"deny"`) != deny {
			t.Errorf("%s: %s", fail, got.Stdout)
		}
	}
}

// TestRootRunsNoUsersHooks: where root can't act as the owner of the config, its programs are not started.
func TestRootRunsNoUsersHooks(t *testing.T) {
	mark := filepath.Join(t.TempDir(), "ran")
	l := newLab(t, userHook("a", "touch "+mark, "fail = 'closed'"))
	env := l.env(strings.NewReader(rm))
	asked := 0
	env.Yield = func(paths ...string) error {
		if asked++; asked > 1 || paths[0] != l.config {
			return nil
		}
		return errors.New("no")
	}
	out := Run(env, []string{"--agent", "gemini", "--event", "BeforeTool", "--config", l.config})
	if r := l.only(t); outcomes(r) != "a=not_started/closed" || !strings.Contains(string(out.Stdout), `"deny"`) {
		t.Errorf("%s, %s", outcomes(r), out.Stdout)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("it ran")
	}
}

// TestAHookAtAPrompt: a deny at an event where no tool is concerned, as far as the agent has a word for it.
func TestAHookAtAPrompt(t *testing.T) {
	l := newLab(t, userHook("a", `echo '{"action":"deny","reason":"no prompts","input":{"a":1}}'`, "on = ['prompt:submit']"))
	l.run("gemini", "BeforeAgent", `{"session_id":"s","prompt":"hello"}`)
	r := l.only(t)
	if r.Decision.Action != canon.Deny || r.Decision.Input != nil {
		t.Errorf("%+v", r.Decision)
	}
	if !strings.Contains(strings.Join(r.Notes, "\n"), "an input means nothing at prompt:submit") {
		t.Errorf("notes %q", r.Notes)
	}
}

// TestMinimalPrivacyOfHooks: names that are words stay, reasons do not.
func TestMinimalPrivacyOfHooks(t *testing.T) {
	l := newLab(t, "privacy = 'minimal'\n"+userHook("a", "echo '"+blocked+"'", "")+userHook("a b", "exit 1", ""))
	l.run("gemini", "BeforeTool", rm)
	r := l.only(t)
	text, _ := json.Marshal(r)
	if strings.Contains(string(text), "not here") || strings.Contains(string(text), "a b") || r.UserHooks[0].Name != "a" {
		t.Errorf("%s", text)
	}
}

// TestHooksInAnOffProject are not run.
func TestHooksInAnOffProject(t *testing.T) {
	l := newLab(t, "")
	mark := filepath.Join(l.home, "ran")
	settings := "data_dir = '" + l.data + "'\n[off]\nprojects = ['" + l.home + "']\n" + userHook("a", "touch "+mark, "fail = 'closed'")
	if err := os.WriteFile(l.config, []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	payload, _ := json.Marshal(map[string]any{"tool_name": "run_shell_command", "tool_input": map[string]string{"command": "ls"}, "cwd": l.home})
	if got := l.run("gemini", "BeforeTool", string(payload)); got != string(host.Answer(struct{}{})) {
		t.Errorf("answer %s", got)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("it ran")
	}
}

// TestHooksHaveTheUsersHome: an interpreter runs what it finds there, so that the agent's HOME must not choose who judges.
func TestHooksHaveTheUsersHome(t *testing.T) {
	for settings, own := range map[string]bool{"": true, "environment = 'trusted'\n": false} {
		l := newLab(t, settings+userHook("a", `echo "{\"action\":\"deny\",\"reason\":\"$HOME $ZDOTDIR\"}"`, ""))
		env := l.env(strings.NewReader(rm))
		env.Environ = func() []string { return []string{"PATH=" + os.Getenv("PATH"), "HOME=/agents", "ZDOTDIR=/agents"} }
		Run(env, []string{"--agent", "gemini", "--event", "BeforeTool", "--config", l.config})
		want := "/agents /agents"
		if own {
			want = l.home + " "
		}
		if got := l.only(t).Decision.Reason; got != want {
			t.Errorf("%q: %q, want %q", settings, got, want)
		}
	}
}

// TestWhatAFailedHookWritesIsMasked: as it was written, before a note quotes it.
func TestWhatAFailedHookWritesIsMasked(t *testing.T) {
	for _, text := range []string{`{"password":"correct horse battery"}`, `password = "correct horse battery"`, `{"a":{"client_secret":"correct horse battery"}}`, `"Authorization: Bearer correcthorsebattery"`} {
		l := newLab(t, userHook("a", "printf %s \"$SAY\" >&2; exit 1", ""))
		env := l.env(strings.NewReader(rm))
		env.Environ = func() []string { return []string{"SAY=" + text} }
		Run(env, []string{"--agent", "gemini", "--event", "BeforeTool", "--config", l.config, text})
		if notes := strings.Join(l.only(t).Notes, "; "); strings.Contains(notes, "horse") || !strings.Contains(notes, "exit_1") {
			t.Errorf("%s: %s", text, notes)
		}
	}
}
