package trial

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/boathook/boathook/internal/agentrun"
	"github.com/boathook/boathook/internal/host/registry"
)

func TestSessionsCoverEveryDefaultEvent(t *testing.T) {
	for _, agent := range Agents() {
		steps, err := Sessions([]string{agent}, "/tmp/it's a $home", "secret")
		if err != nil {
			t.Fatal(err)
		}
		played := map[string]bool{}
		for _, s := range steps {
			played[s.Event] = true
			if !json.Valid(s.Payload) || strings.Contains(string(s.Payload), recordedHome+"/") || strings.Contains(string(s.Payload), tokenMark) {
				t.Errorf("%s %s: %s", agent, s.Event, s.Payload)
			}
		}
		h, _ := registry.Lookup(agent)
		for _, e := range h.Events {
			whole := agent == "gemini" || agent == "antigravity" // the others' are short
			if e.Default && !played[e.Name] && (whole || e.Gate && e.Name == "PreToolUse") {
				t.Errorf("%s: no %s in the session", agent, e.Name)
			}
		}
	}
}

func TestGuardJudges(t *testing.T) {
	g, err := StartGuard(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	tests := []struct{ command, decision, rule string }{
		{"rm -rf /", "DENY", "no-rm-rf"},
		{"git push --force", "REVIEW", "force-push"},
		{"ls", "ALLOW", ""},
	}
	for _, tt := range tests {
		body := `{"input":{"spanId":"1","toolName":"bash","toolInput":{},"rawTextFields":{"command":"` + tt.command + `"}}}`
		resp, err := http.Post(g.URL(), "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		var got verdict
		if err := json.NewDecoder(resp.Body).Decode(&got); err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if got.Decision != tt.decision || got.MatchedRule != tt.rule {
			t.Errorf("%s: %+v", tt.command, got)
		}
	}
	if g.Asked() != len(tests) {
		t.Errorf("asked %d times", g.Asked())
	}
}

func TestPlay(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("the sessions are played through a POSIX shell, which this system lacks")
	}
	home := t.TempDir()
	if err := os.MkdirAll(WorkDir(home), 0o700); err != nil {
		t.Fatal(err)
	}
	p := Player{Home: home, Path: os.Getenv("PATH"), Now: time.Now, Installed: map[string]agentrun.Hooks{"antigravity": {
		ByEvent: map[string]agentrun.Hook{"PreToolUse": {Command: `cat; pwd >&2; exit 3`}},
	}}}
	s := Step{Agent: "antigravity", Event: "PreToolUse", Payload: []byte(`{"decision":"deny","reason":"r"}`)}
	var err error
	if s.Result, err = p.Play(context.Background(), s); err != nil {
		t.Fatal(err)
	}
	if reason, denied := s.Denied(); !denied || reason != "r" {
		t.Errorf("answer %q", s.Result.Stdout)
	}
	if faults := s.Faults(); len(faults) != 2 || !strings.Contains(faults[1], "shop") {
		t.Errorf("faults %q", faults)
	}
	if _, err := p.Play(context.Background(), Step{Agent: "antigravity", Event: "Stop"}); err == nil {
		t.Error("no error for an event that is not installed")
	}
}

// Each agent is told of a deny in its own words.
func TestDenied(t *testing.T) {
	for _, tt := range []struct {
		agent, stdout, stderr string
		exit                  int
		denied                bool
	}{
		{"gemini", `{"decision":"deny","reason":"r"}`, "", 0, true},
		{"claude", `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"r"}}`, "", 0, true},
		{"copilot", `{"permissionDecision":"deny","permissionDecisionReason":"r"}`, "", 0, true},
		{"cursor", `{"permission":"deny","user_message":"r","agent_message":"r"}`, "", 0, true},
		{"cline", `{"cancel":true,"errorMessage":"r"}`, "", 0, true},
		{"amp", `{"action":"deny","reason":"r"}`, "", 0, true},
		{"windsurf", "", "r\n", 2, true},
		{"windsurf", "", "", 2, false},
		{"claude", "", "r\n", 2, false},
		{"claude", "", "", 0, false},
		{"gemini", "{}", "", 0, false},
	} {
		s := Step{Agent: tt.agent, Result: agentrun.Result{Stdout: tt.stdout, Stderr: tt.stderr, Exit: tt.exit}}
		reason, denied := s.Denied()
		if denied != tt.denied || denied && reason != "r" {
			t.Errorf("%s %q: %t %q", tt.agent, tt.stdout, denied, reason)
		}
		if clean := len(s.Faults()) == 0; clean != (tt.exit == 0 || tt.denied) {
			t.Errorf("%s: faults %q", tt.agent, s.Faults())
		}
		if !strings.Contains(s.Answer(), reason) {
			t.Errorf("%s: %q", tt.agent, s.Answer())
		}
	}
}
