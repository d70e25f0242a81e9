package hookrun

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/config"
)

const (
	geminiCall  = `{"hook_event_name":"BeforeTool","session_id":"s1","timestamp":"t","transcript_path":"/t/session-1.jsonl","cwd":"/w","tool_name":"run_shell_command","tool_input":{"command":"rm -rf x"}}`
	claudeCall  = `{"hook_event_name":"PreToolUse","session_id":"s1","transcript_path":"/t/s1.jsonl","cwd":"/w","prompt_id":"p","permission_mode":"default","tool_name":"Bash","tool_input":{"command":"rm -rf x"},"tool_use_id":"c1"}`
	copilotCall = `{"hook_event_name":"PreToolUse","session_id":"s1","timestamp":"t","cwd":"/w","tool_name":"Bash","tool_input":{"command":"rm -rf x"}}`
	camelCall   = `{"sessionId":"s1","timestamp":1,"cwd":"/w","toolName":"bash","toolArgs":{"command":"rm -rf x"}}`
	cursorCall  = `{"hook_event_name":"preToolUse","session_id":"s1","cursor_version":"3","workspace_roots":["/w"],"tool_name":"Shell","tool_input":{"command":"rm -rf x"},"tool_use_id":"c1"}`
	eitherEnd   = `{"hook_event_name":"SessionEnd","session_id":"s1","cwd":"/w","transcript_path":null,"reason":"other"}`

	claudeDeny = `"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"`
	camelDeny  = `{"permissionDecision":"deny"`
	cursorDeny = `{"permission":"deny"`
	geminiDeny = `{"decision":"deny"`
)

// wired runs a hook with some arguments in some environment.
func (l *lab) wired(stdin io.Reader, vars map[string]string, args ...string) string {
	env := l.env(stdin)
	env.Lookup = func(name string) (string, bool) { v, ok := vars[name]; return v, ok }
	return string(Run(env, append(args, "--config", l.config)).Stdout)
}

func TestWithoutAgentThePayloadSays(t *testing.T) {
	hostile := map[string]string{"COPILOT_CLI": "1", "CURSOR_VERSION": "1", "QWEN_PROJECT_DIR": "/p", "GEMINI_PROJECT_DIR": "/p", "CLAUDECODE": "1"}
	for _, tc := range []struct {
		name, payload, agent, event, answer string
		args                                []string
	}{
		{"gemini", geminiCall, "gemini", "BeforeTool", geminiDeny, nil},
		{"claude", claudeCall, "claude", "PreToolUse", claudeDeny, nil},
		{"copilot", camelCall, "copilot", "preToolUse", camelDeny, nil},
		{"copilot's other form", copilotCall, "copilot", "PreToolUse", claudeDeny, nil},
		{"cursor", cursorCall, "cursor", "preToolUse", cursorDeny, nil},
		{"an event that the arguments name", camelCall, "copilot", "permissionRequest", `{"behavior":"deny"`, []string{"--event", "permissionRequest"}},
		{"an event that the agent does not have", camelCall, "copilot", "preToolUse", camelDeny, []string{"--event", "BeforeTool"}},
		{"an agent without an event", claudeCall, "claude", "PreToolUse", claudeDeny, []string{"--agent", "claude"}},
	} {
		for env, vars := range map[string]map[string]string{"": nil, " in a hostile environment": hostile} {
			t.Run(tc.name+env, func(t *testing.T) {
				l := newLab(t, "[guard]\nfail = 'closed'\n")
				got := l.wired(strings.NewReader(tc.payload), vars, tc.args...)
				if tc.event == "permissionRequest" { // nobody is asked there
					tc.answer = ""
				}
				if !strings.Contains(got, tc.answer) || tc.answer == "" && got != "" {
					t.Errorf("answer %q, want %s", got, tc.answer)
				}
				rec := l.only(t)
				if rec.Agent != tc.agent || rec.HostEvent != tc.event || rec.Tool == nil || rec.Tool.Command != "rm -rf x" || rec.Hook.AgentLabel != "" {
					t.Errorf("record %+v, tool %+v", rec.Event, rec.Tool)
				}
			})
		}
	}
}

// What could be of several agents is said to be, and gets no answer; nor does what is of none.
func TestAmbiguousIsSilentAndSaidToBe(t *testing.T) {
	for payload, note := range map[string]string{
		eitherEnd: "could be of claude or codex", "{}": "of no agent that is known", "": "of no agent that is known", "\x00{[": "of no agent that is known",
	} {
		l := newLab(t, "[guard]\nfail = 'closed'\non_error = 'deny'\n")
		if got := l.wired(strings.NewReader(payload), map[string]string{"CLAUDECODE": "1"}); got != "" {
			t.Errorf("%s: answer %q", payload, got)
		}
		rec := l.only(t)
		if rec.Agent != "unknown" || rec.Event.Event != canon.Other || !strings.Contains(strings.Join(rec.Notes, "\n"), note) {
			t.Errorf("%s: %+v, notes %q", payload, rec.Event, rec.Notes)
		}
	}
}

// The watchdog must not open what is closed for an agent that only the payload named: the moment that it is known, its
// answer is the closed one.
func TestClosedIsClosedForADetectedAgent(t *testing.T) {
	for name, settings := range map[string]string{
		"the guard":     "[guard]\nfail = 'closed'\n",
		"on_error":      "[guard]\non_error = 'deny'\n",
		"a closed hook": "[[hooks]]\non = ['tool:before']\ncommand = ['/bin/true']\nfail = 'closed'\n",
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t, settings)
			r := &run{env: l.env(strings.NewReader("")), deadline: make(chan time.Duration, 1)}
			r.args.config = l.config
			r.named()
			r.decide(allowed())
			r.settings = config.Load(config.Request{Path: l.config, Home: l.home, AccountHome: func() string { return l.home }})
			r.expectTheWorst()
			if got := r.answer(); got.Stdout != nil {
				t.Fatalf("before the payload: %s", got.Stdout)
			}
			r.decode([]byte(camelCall))
			if got := string(r.answer().Stdout); !strings.Contains(got, camelDeny) {
				t.Errorf("answer %q", got)
			}
		})
	}
}

// A hook of Claude Code's settings that Copilot or Cursor runs answers as theirs, and not at all where they have their own.
func TestForeignEnvironments(t *testing.T) {
	installed := func(agent, event string) string {
		return `{"command":"'/b/boathook' hook --agent ` + agent + ` --event ` + event + ` --config '/c'"}`
	}
	claude := []string{"--agent", "claude", "--event", "PreToolUse"}
	copilot, cursor := map[string]string{"COPILOT_CLI": "1"}, map[string]string{"CURSOR_VERSION": "3"}
	for _, tc := range []struct {
		name, payload string
		vars          map[string]string
		file, text    string
		agent, answer string
	}{
		{"copilot alone", copilotCall, copilot, "", "", "copilot", claudeDeny},
		{"copilot with its own", copilotCall, copilot, ".copilot/hooks/boathook.json", installed("copilot", "preToolUse"), "", ""},
		{"copilot with its own for another event", copilotCall, copilot, ".copilot/hooks/boathook.json", installed("copilot", "sessionStart"), "copilot", claudeDeny},
		{"copilot with another's file", copilotCall, copilot, ".copilot/hooks/boathook.json", "{}", "copilot", claudeDeny},
		{"cursor alone", cursorCall, cursor, "", "", "cursor", cursorDeny},
		{"another program's hook of the same words", copilotCall, copilot, ".copilot/hooks/boathook.json", strings.ReplaceAll(installed("copilot", "preToolUse"), "boathook", "other"), "copilot", claudeDeny},
		{"cursor among both variables", cursorCall, map[string]string{"COPILOT_CLI": "1", "CURSOR_VERSION": "3"}, ".cursor/hooks.json", installed("cursor", "preToolUse"), "", ""},
		{"cursor with its own", cursorCall, cursor, ".cursor/hooks.json", installed("cursor", "preToolUse"), "", ""},
		{"a repository's variable under Claude Code", claudeCall, copilot, ".copilot/hooks/boathook.json", installed("copilot", "preToolUse"), "claude", claudeDeny},
		{"both variables under Claude Code", claudeCall, map[string]string{"COPILOT_CLI": "1", "CURSOR_VERSION": "3"}, ".cursor/hooks.json", installed("cursor", "preToolUse"), "claude", claudeDeny},
		{"another home for Copilot's files", copilotCall, map[string]string{"COPILOT_CLI": "1", "COPILOT_HOME": "elsewhere"}, "elsewhere/hooks/boathook.json", installed("copilot", "preToolUse"), "copilot", claudeDeny},
		{"Copilot's payload without its variable", copilotCall, nil, ".copilot/hooks/boathook.json", installed("copilot", "preToolUse"), "claude", claudeDeny},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := newLab(t, "[guard]\nfail = 'closed'\n")
			if tc.file != "" {
				path := filepath.Join(l.home, filepath.FromSlash(tc.file))
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(tc.text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			got := l.wired(strings.NewReader(tc.payload), tc.vars, claude...)
			if tc.agent == "" {
				if all := l.records(t); got != "" || len(all) != 0 {
					t.Errorf("answer %q, %d records", got, len(all))
				}
				return
			}
			if rec := l.only(t); rec.Agent != tc.agent || !strings.Contains(got, tc.answer) {
				t.Errorf("agent %s, answer %q", rec.Agent, got)
			}
		})
	}
}

// TestAnotherHomeSilencesNothing: a hook stands aside for one that the user has installed, not for one that a variable leads to.
func TestAnotherHomeSilencesNothing(t *testing.T) {
	l := newLab(t, "[guard]\nfail = 'closed'\n")
	env := l.env(strings.NewReader(copilotCall))
	env.Home = t.TempDir()
	env.Lookup = func(name string) (string, bool) { return "1", name == "COPILOT_CLI" }
	path := filepath.Join(env.Home, ".copilot", "hooks", "boathook.json")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("'/b/boathook' hook --agent copilot --event preToolUse --config '/c'"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := string(Run(env, []string{"--agent", "claude", "--event", "PreToolUse", "--config", l.config}).Stdout)
	if !strings.Contains(got, claudeDeny) {
		t.Errorf("answer %q", got)
	}
}

// TestASlipInTheEvent: a gate stays one where the payload says that it is.
func TestASlipInTheEvent(t *testing.T) {
	l := newLab(t, "[guard]\nfail = 'closed'\n")
	got := l.run("claude", "pretooluse", claudeCall)
	rec := l.only(t)
	if !strings.Contains(got, claudeDeny) || rec.HostEvent != "PreToolUse" || !slices.Contains(rec.Notes, `event "pretooluse" is not known for claude, the payload says which it is`) {
		t.Errorf("answer %q, record %+v", got, rec)
	}
}
