//go:build unix

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/boathook/boathook/hook"
	"github.com/boathook/boathook/internal/execrun"
)

// TestMain lets the test binary be the hook itself.
func TestMain(m *testing.M) {
	if os.Getenv("JUDGE") != "" {
		main()
	}
	os.Exit(m.Run())
}

// TestEveryAgent: the recorded shell calls of every agent, with a command that is to be blocked in them, are blocked by the
// hook in Go, started as the agent would start it, in the words that hook.Encode has for that agent.
func TestEveryAgent(t *testing.T) {
	const reason = "Force pushes are made by people."
	seen := map[string]bool{}
	for _, r := range shellCalls(t) {
		out, stderr, exit := start(t, r.payload, "--agent", r.agent, "--event", r.event)
		wantOut, wantErr, wantExit, err := hook.Encode(r.agent, r.event, hook.Deny(reason))
		if err != nil {
			t.Fatal(err)
		}
		if out != string(wantOut) || stderr != string(wantErr) || exit != wantExit || !strings.Contains(out+stderr, reason) {
			t.Errorf("%s %s: %q %q %d, want %q %q %d", r.agent, r.event, out, stderr, exit, wantOut, wantErr, wantExit)
		}
		seen[r.agent] = true
	}
	for _, agent := range []string{"gemini", "antigravity", "claude", "codex", "copilot", "cursor", "windsurf", "cline", "qwen", "amp", "opencode"} {
		if !seen[agent] {
			t.Errorf("no call of %s was played", agent)
		}
	}
}

// TestEveryAgentThroughExec: so does the hook in Python, and the one in JavaScript, that boathook exec asks.
func TestEveryAgentThroughExec(t *testing.T) {
	const reason = "Force pushes are made by people."
	for _, command := range [][]string{{"python3", "judge.py"}, {"node", "judge.mjs"}} {
		t.Run(command[0], func(t *testing.T) {
			if _, err := exec.LookPath(command[0]); err != nil {
				t.Skipf("SKIPPED LOUDLY: there is no %s here", command[0])
			}
			seen := map[string]bool{}
			for _, r := range shellCalls(t) {
				if seen[r.agent] {
					continue
				}
				seen[r.agent] = true
				env := execrun.Env{
					Stdin: strings.NewReader(r.payload), Lookup: os.LookupEnv, Environ: os.Environ(), Quiet: time.Minute, Stamp: func(e *hook.Event) { e.Time = time.Unix(1, 0).UTC() },
				}
				got := execrun.Run(env, append([]string{"--agent", r.agent, "--event", r.event, "--timeout", "15000", "--"}, command...))
				want, wantErr, exit, err := hook.Encode(r.agent, r.event, hook.Deny(reason))
				if err != nil || string(got.Stdout) != string(want) || string(got.Stderr) != string(wantErr) || got.Exit != exit {
					t.Errorf("%s %s: %+v, want %s %s %d", r.agent, r.event, got, want, wantErr, exit)
				}
			}
			if len(seen) < 11 {
				t.Errorf("only %d agents were played", len(seen))
			}
		})
	}
}

func start(t *testing.T, payload string, args ...string) (string, string, int) {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env, cmd.Stdin = []string{"JUDGE=1"}, strings.NewReader(payload)
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run() // the exit code says it
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// escaped is a text as it stands within quotes in JSON.
func escaped(t *testing.T, s string) string {
	t.Helper()
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		t.Fatal(err)
	}
	return b.String()[1 : b.Len()-2]
}

// shellCall is a recorded payload in which the command is another.
type shellCall struct{ agent, event, payload string }

func shellCalls(t *testing.T) []shellCall {
	t.Helper()
	files, err := filepath.Glob("../../internal/host/*/testdata/*/*.json")
	if err != nil {
		t.Fatal(err)
	}
	var out []shellCall
	for _, file := range files {
		agent := strings.Split(filepath.ToSlash(file), "/")[4]
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		event := strings.TrimSuffix(filepath.Base(file), ".json")
		for strings.Contains(event, ".") {
			if _, err := hook.Decode(agent, event, text); err == nil {
				break
			}
			event = event[:strings.LastIndexByte(event, '.')]
		}
		e, err := hook.Decode(agent, event, text)
		if err != nil || e.Event != hook.ToolBefore || e.Command() == "" || strings.HasSuffix(file, ".golden.json") {
			continue
		}
		once := escaped(t, e.Command())
		payload := strings.ReplaceAll(string(text), escaped(t, once), "git push --force") // Copilot: JSON in JSON
		payload = strings.ReplaceAll(payload, once, "git push --force")
		if e, err := hook.Decode(agent, event, []byte(payload)); err != nil || !strings.Contains(e.Command(), "git push --force") {
			continue // a command in another form
		}
		out = append(out, shellCall{agent, event, payload})
	}
	return out
}
