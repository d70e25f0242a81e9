package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/boathook/boathook/internal/hookrun"
	rerun "github.com/boathook/boathook/internal/replay"
)

// sessions are hooks that run in this process, over a home with a project that git knows.
type sessions struct {
	home, project, config string
	ran                   int
}

func newSessions(t *testing.T, ownPolicy, settings string) *sessions {
	t.Helper()
	home := t.TempDir()
	s := &sessions{home: home, project: filepath.Join(home, "shop"), config: filepath.Join(home, ".config", "boathook", "config.toml")}
	for path, text := range map[string]string{
		s.config: settings + "\n", filepath.Join(home, ".config", "boathook", "policy.toml"): ownPolicy,
		filepath.Join(s.project, ".gitignore"): "build/\n", filepath.Join(s.project, "src", "main.go"): "x",
		filepath.Join(s.project, "build", "out"): "x", filepath.Join(s.project, ".env"): "A=1",
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(s.project, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(home, filepath.Join(s.project, "link")); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *sessions) hook(agent, event, payload string) {
	now := time.Now()
	hookrun.Run(hookrun.Env{
		Stdin: strings.NewReader(payload), Lookup: func(string) (string, bool) { return "", false }, Home: s.home, Dir: s.project,
		AccountHome: func() string { return s.home }, Wake: func(hookrun.Worker) error { s.ran++; return nil },
		Now: time.Now, Start: now, Quiet: time.Minute,
	}, []string{"--agent", agent, "--event", event, "--config", s.config})
}

// shell is a call of Claude Code's or Gemini CLI's shell.
func (s *sessions) shell(agent, command string) {
	tool, event := "Bash", "PreToolUse"
	if agent == "gemini" {
		tool, event = "run_shell_command", "BeforeTool"
	}
	payload, _ := json.Marshal(map[string]any{ // always marshals
		"session_id": "s1", "cwd": s.project, "hook_event_name": event, "tool_name": tool, "tool_input": map[string]string{"command": command},
	})
	s.hook(agent, event, string(payload))
}

func (s *sessions) replay(t *testing.T, args ...string) rerun.Report {
	t.Helper()
	code, out, errs := live(t, s.home, append([]string{"policy", "replay", "--json", "--since", "1h"}, args...)...)
	if code != exitOK {
		t.Fatalf("exit %d: %s%s", code, out, errs)
	}
	var r rerun.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// ownPolicy has rules of each sort: by effect, by command, by argument, by path, an allow, one in the shadow, one that has expired.
const ownPolicy = `version = 1
packs = ["default"]
[override.delete-tree]
mode = "shadow"
[[rules]]
id = "build-may-go"
action = "allow"
when = { effect = "delete", path = "{project}/build/**" }
[[rules]]
id = "no-deploy"
action = "deny"
reason = "People deploy."
when = { command = "make deploy" }
[[rules]]
id = "no-lock"
action = "ask"
reason = "It is generated."
when = { effect = ["write", "overwrite"], path = "*.lock" }
[[rules]]
id = "tickets"
action = "ask"
reason = "It writes."
when = { mcp = "tracker/create_*", arg = { title = "*" } }
[[rules]]
id = "over"
action = "deny"
reason = "It was."
expires = 2020-01-01
when = { command = "git status" }
`

// TestReplayIsAsLive: of everything that replay says that it can judge, it says what the hooks said, and by the same rule. The calls are
// those of the corpus of policy/testdata, and the recordings of all agents.
func TestReplayIsAsLive(t *testing.T) {
	for name, own := range map[string]string{"built-in": "", "own": ownPolicy} {
		t.Run(name, func(t *testing.T) {
			s := newSessions(t, own, "[hook]\ndeadline_ms = 12000")
			s.corpus(t)
			s.recordings(t)
			r := s.replay(t)
			if len(r.Changes) != 0 || r.OtherRule != 0 || r.Computed != 0 {
				text, _ := json.MarshalIndent(r.Changes, "", "  ")
				t.Errorf("%d have another rule, %d were computed; changes:\n%s", r.OtherRule, r.Computed, text)
			}
			if r.Calls < 700 || r.Evaluated*100 < r.Calls*90 || r.Decisions["deny"] == 0 || r.Decisions["ask"] == 0 {
				t.Errorf("%d calls, %d judged: %v, %v", r.Calls, r.Evaluated, r.Decisions, r.NotEvaluable)
			}
		})
	}
}

// corpus drives every third case through a hook.
func (s *sessions) corpus(t *testing.T) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "policy", "testdata", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatal("no corpus", err)
	}
	for _, path := range files {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		in := bufio.NewScanner(f)
		for n := 0; in.Scan(); n++ {
			var c struct {
				Command, Tool, Agent string
				Input                json.RawMessage
			}
			if err := json.Unmarshal(in.Bytes(), &c); err != nil {
				t.Fatal(err)
			}
			switch {
			case c.Command != "" && n%3 == 0:
				s.shell("claude", c.Command)
			case c.Tool != "" && c.Agent == "claude":
				s.hook("claude", "PreToolUse", fmt.Sprintf(`{"session_id":"s1","cwd":%q,"tool_name":%q,"tool_input":%s}`, s.project, c.Tool, c.Input))
			}
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// recordings drives what the agents were seen to send.
func (s *sessions) recordings(t *testing.T) {
	t.Helper()
	for _, agent := range agentNames() {
		files, err := filepath.Glob(filepath.Join("..", "host", agent, "testdata", "*", "*.json"))
		if err != nil || len(files) == 0 {
			t.Fatal("no recordings of "+agent, err)
		}
		for _, path := range files {
			if strings.HasSuffix(path, ".golden.json") {
				continue
			}
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			event, _, _ := strings.Cut(filepath.Base(path), ".")
			s.hook(agent, event, string(text))
		}
	}
}

// TestReplaySaysWhatChanges, and what it cannot tell.
func TestReplaySaysWhatChanges(t *testing.T) {
	s := newSessions(t, "", "[hook]\ndeadline_ms = 12000")
	for range 2 {
		s.shell("claude", "make deploy")
	}
	s.shell("gemini", "git push --force")
	s.shell("gemini", "curl -H 'Authorization: Bearer abcdefghijklmnopqrstuvwxyz0123456789' https://example.com")
	own := filepath.Join(s.home, "new.toml")
	text := "version = 1\n[override.git-push-force]\naction = \"off\"\n[[rules]]\nid = \"no-deploy\"\naction = \"deny\"\nreason = \"People deploy.\"\nwhen = { command = \"make deploy\" }\n"
	if err := os.WriteFile(own, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r := s.replay(t, "--policy", own)
	if r.Calls != 4 || r.Evaluated != 3 || r.NotEvaluable[rerun.WhyMasked] != 1 || len(r.Changes) != 2 {
		t.Fatalf("%+v", r)
	}
	if c := r.Changes[0]; c.Rule != "no-deploy" || c.From != "allow" || c.To != "deny" || c.Calls != 2 || len(c.Examples) != 1 || c.Examples[0].What != "make deploy" {
		t.Errorf("%+v", c)
	}
	if c := r.Changes[1]; c.FromRule != "git-push-force" || c.From != "deny" || c.To != "allow" {
		t.Errorf("%+v", c)
	}
	_, out, _ := live(t, s.home, "policy", "replay", "--policy", own)
	for _, want := range []string{"4 recorded calls", "1 not evaluable: a masked secret", "allow → deny  no-deploy (user)", "deny git-push-force → allow", "make deploy"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if strings.Contains(out, "abcdefghijklmnop") {
		t.Errorf("a secret is shown:\n%s", out)
	}
}

// TestReplayOfMinimalPrivacy: hashes cannot be judged.
func TestReplayOfMinimalPrivacy(t *testing.T) {
	s := newSessions(t, "", "privacy = \"minimal\"\n[hook]\ndeadline_ms = 12000")
	s.shell("claude", "git push --force")
	if r := s.replay(t); r.Evaluated != 0 || r.NotEvaluable[rerun.WhyMinimal] != 1 {
		t.Errorf("%+v", r)
	}
}

// TestReplayOfTranscripts: what agents recorded themselves is judged, and what is shown of it is masked.
func TestReplayOfTranscripts(t *testing.T) {
	home := t.TempDir()
	from := filepath.Join("..", "transcripts", "testdata", "home")
	if err := os.CopyFS(home, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	code, out, errs := live(t, home, "policy", "replay", "--transcripts", "--since", "2020-01-01")
	if code != exitOK || !strings.Contains(out, "git-push-force") || !strings.Contains(out, "copilot bash: git push --force origin main") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	code, out, _ = live(t, home, "policy", "replay", "--transcripts", "--since", "2020-01-01", "--agent", "qwen", "--json")
	if code != exitOK || !strings.Contains(out, `"calls":1,`) {
		t.Errorf("exit %d: %s", code, out)
	}
	if code, _, errs = live(t, home, "policy", "replay", "--transcripts", "--agent", "amp"); code != exitUsage {
		t.Errorf("exit %d: %s", code, errs)
	}
}
