package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/audit"
	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/record"
)

const (
	bluebird = "the bluebird contract is worth four million"
	ordinary = "please run the ordinary tests of this shop"
)

// remembering is a home whose memory knows two sessions of Claude Code, the first of hooks and of its agent's record, with an audit
// log, refused events, and a call that was denied.
func remembering(t *testing.T) (home, data string) {
	t.Helper()
	home = t.TempDir()
	data = filepath.Join(home, ".local", "share", "boathook")
	writeTo(t, filepath.Join(home, ".config", "boathook", "config.toml"), "[memory]\nenabled = true\n")
	now := time.Now().UTC().Add(-2 * time.Hour)
	if err := os.MkdirAll(data, 0o700); err != nil {
		t.Fatal(err)
	}
	spoolEvents(t, home, 0, 6, func(i int, r *record.Record) {
		r.Agent, r.Time, r.SessionID, r.CWD = "claude", now.Add(time.Duration(i)*time.Second), "secret-session-one", filepath.Join(home, "shop")
		prompt := bluebird
		if i >= 3 {
			r.SessionID, prompt = "plain-session-two", ordinary
		}
		switch i % 3 {
		case 0:
			r.Event.Event, r.HostEvent, r.Tool, r.Prompt = canon.PromptSubmit, "UserPromptSubmit", nil, prompt
		case 1:
			r.Event.Event, r.HostEvent = canon.ToolAfter, "PostToolUse"
			args, _ := json.Marshal(map[string]string{"command": "grep '" + prompt + "' notes"})
			r.Tool = &canon.Tool{Name: "bash", HostName: "Bash", Kind: "shell", Command: "grep '" + prompt + "' notes", Input: args, Status: "success"}
		case 2:
			r.Event.Event, r.HostEvent, r.Tool, r.Response = canon.AgentStop, "Stop", nil, "It says that "+prompt
		}
		line, err := json.Marshal(map[string]any{"boathook": 1, "event": r.Event})
		if err != nil {
			t.Fatal(err)
		}
		if err := audit.Append(data, append(line, '\n'), 1<<20); err != nil {
			t.Fatal(err)
		}
	})
	if code, _, errs := byPerson(t, home, "worker", "drain"); code != exitOK {
		t.Fatal(errs)
	}
	writeTo(t, filepath.Join(data, "spool", "bad", "x.json"), `{"prompt":"`+bluebird+`"`)
	writeTo(t, filepath.Join(data, "recall", "secret-session-one.json"), `{"items":[]}`)
	writeTo(t, filepath.Join(data, "memory-bad.jsonl"), `{"text":"`+bluebird+`"}`+"\n"+`{"text":"other"}`+"\n")
	writeTo(t, filepath.Join(home, ".claude", "projects", "shop", "secret-session-one.jsonl"), fmt.Sprintf(
		`{"type":"user","uuid":"u1","sessionId":"secret-session-one","cwd":%q,"timestamp":%q,"message":{"role":"user","content":%q}}`+"\n",
		filepath.Join(home, "shop"), now.Format(time.RFC3339Nano), bluebird))
	return home, data
}

// byPerson runs a command by the real clock, as a person does whom no agent has started.
func byPerson(t *testing.T, home string, args ...string) (code int, out, errs string) {
	t.Helper()
	return runBelow(t, "", home, args...)
}

func runBelow(t *testing.T, agent, home string, args ...string) (code int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	env := testEnv(home)
	env.Stdin, env.Stdout, env.Stderr, env.Now = strings.NewReader(""), &stdout, &stderr, time.Now
	env.Under = func() (string, int, bool) { return agent, 4711, agent != "" }
	code = Run(t.Context(), env, args)
	return code, stdout.String(), stderr.String()
}

// TestMemoryIsAPersons: an agent may look, and neither take out nor carry away.
func TestMemoryIsAPersons(t *testing.T) {
	home, data := remembering(t)
	for _, args := range []string{"forget --all-projects --yes", "prune --yes", "export --all-projects"} {
		code, out, errs := runBelow(t, "codex", home, append([]string{"memory"}, strings.Fields(args)...)...)
		if code != exitRefused || !strings.Contains(errs, "for a person") || strings.Contains(out, ordinary) {
			t.Errorf("%s: exit %d: %s%s", args, code, out, errs)
		}
	}
	if got := standsIn(t, data, bluebird); len(got) < 4 {
		t.Errorf("it stands only in %q", got)
	}
}

func writeTo(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// standsIn are the files below a directory that have a text, byte by byte.
func standsIn(t *testing.T, dir, text string) (out []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		if err == nil && bytes.Contains(b, []byte(text)) {
			rel, _ := filepath.Rel(dir, path)
			out = append(out, rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestMemoryForget(t *testing.T) {
	for name, choice := range map[string][]string{
		"a session": {"--session", "claude/secret-session-one"}, "an id alone": {"--session", "secret-session-one"},
		"a text": {"--all-projects", "--query", "bluebird contract"},
	} {
		t.Run(name, func(t *testing.T) {
			home, data := remembering(t)
			if got := standsIn(t, data, bluebird); len(got) < 4 {
				t.Fatalf("it stands only in %q", got)
			}
			forget := append([]string{"memory", "forget", "--json"}, choice...)
			code, out, errs := byPerson(t, home, append(forget, "--dry-run")...)
			if code != exitOK || !strings.Contains(out, `"dry_run":true`) || strings.Contains(out, `"messages":0`) {
				t.Fatalf("exit %d: %s%s", code, out, errs)
			}
			if code, _, _ := byPerson(t, home, forget...); code != exitRefused || len(standsIn(t, data, bluebird)) < 4 {
				t.Errorf("without --yes: exit %d", code)
			}
			code, out, errs = byPerson(t, home, append(forget, "--yes")...)
			if code != exitOK || !strings.Contains(out, `"absent":true`) || !strings.Contains(out, "secret-session-one.jsonl") {
				t.Errorf("exit %d: %s%s", code, out, errs)
			}
			if got := standsIn(t, data, bluebird); got != nil {
				t.Errorf("it still stands in %q", got)
			}
			if got := standsIn(t, data, ordinary); len(got) < 2 {
				t.Errorf("the other session is gone, too: %q", got)
			}
			code, out, errs = byPerson(t, home, "memory", "backfill", "--json")
			if code != exitOK || !strings.Contains(out, `"forgotten":1`) || standsIn(t, data, bluebird) != nil {
				t.Errorf("backfill: exit %d: %s%s, and it stands in %q", code, out, errs, standsIn(t, data, bluebird))
			}
			code, out, _ = byPerson(t, home, append(forget, "--yes")...)
			if none := strings.Contains(out, "memory has no session"); !none && (code != exitOK || !strings.Contains(out, `"messages":0`)) {
				t.Errorf("again: exit %d: %s", code, out)
			}
		})
	}
}

// TestMemoryForgetAnonymizes: what was done stays, without what it said.
func TestMemoryForgetAnonymizes(t *testing.T) {
	home, data := remembering(t)
	code, out, errs := byPerson(t, home, "memory", "forget", "--session", "claude/secret-session-one", "--anonymize", "--yes", "--json")
	if code != exitOK || !strings.Contains(out, `"absent":true`) {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	if got := standsIn(t, data, bluebird); got != nil {
		t.Errorf("it stands in %q", got)
	}
	code, out, errs = byPerson(t, home, "memory", "export", "--session", "claude/secret-session-one")
	if code != exitOK || strings.Count(out, `"tool":"bash"`) != 1 || !strings.Contains(out, `"status":"success"`) {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
}

func TestMemoryForgetWantsToKnowWhat(t *testing.T) {
	home, _ := remembering(t)
	for _, args := range [][]string{
		{}, {"--agent", "claude"}, {"--since", "1h"}, {"--query", "bluebird"}, {"--all-projects", "--query", "is"}, {"--project", ".", "--all-projects"},
	} {
		if code, out, errs := byPerson(t, home, append([]string{"memory", "forget", "--yes"}, args...)...); code != exitUsage {
			t.Errorf("%v: exit %d: %s%s", args, code, out, errs)
		}
	}
	if code, _, errs := byPerson(t, home, "memory", "forget", "--session", "nobody", "--yes"); code != exitFailed || !strings.Contains(errs, "no session") {
		t.Errorf("exit %d: %s", code, errs)
	}
}

// TestMemoryExportAndIngest: what one memory has another can take, and neither has a line twice.
func TestMemoryExportAndIngest(t *testing.T) {
	home, _ := remembering(t)
	file := filepath.Join(home, "out.jsonl")
	code, out, errs := byPerson(t, home, "memory", "export", "--all-projects", "--out", file)
	if code != exitOK || !strings.Contains(out, "wrote ") {
		t.Fatalf("exit %d: %s%s", code, out, errs)
	}
	text, err := os.ReadFile(file)
	if err != nil || bytes.Count(text, []byte("\n")) < 6 {
		t.Fatalf("%s, %v", text, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	code, out, errs = byPerson(t, home, "memory", "ingest", "--json", file)
	if code != exitOK || !strings.Contains(out, `"new":0`) || !strings.Contains(out, `"bad":0`) {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	other := t.TempDir()
	writeTo(t, filepath.Join(other, ".config", "boathook", "config.toml"), "[memory]\nenabled = true\n")
	if code, out, errs := byPerson(t, other, "memory", "ingest", "--format", "jsonl", file); code != exitOK || !strings.Contains(out, "6 rows are new") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	writeTo(t, filepath.Join(other, "bad.jsonl"), `{"session":"s","role":"user","ts":1,"text":"fine"}`+"\n"+`{"session":"s","role":"king","ts":1,"text":"x"}`+"\n")
	code, out, errs = byPerson(t, other, "memory", "ingest", filepath.Join(other, "bad.jsonl"))
	if code != exitFailed || !strings.Contains(errs, "bad.jsonl:2: role: ") || !strings.Contains(out, "1 row is new") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	code, out, errs = byPerson(t, home, "memory", "export", "--all-projects", "--format", "markdown")
	if code != exitOK || !strings.Contains(out, "# ") || !strings.Contains(out, ordinary) || !strings.Contains(out, "bash, success") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
}

func TestMemoryPrune(t *testing.T) {
	home, data := remembering(t)
	if code, out, errs := byPerson(t, home, "memory", "prune", "--yes"); code != exitOK || !strings.Contains(out, "nothing is too old") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	old := `{"session":"old","id":"1","role":"user","ts":"2020-01-31T14:30:00Z","text":"an antique question about gopher"}`
	writeTo(t, filepath.Join(home, "old.jsonl"), old)
	if code, out, errs := byPerson(t, home, "memory", "ingest", filepath.Join(home, "old.jsonl")); code != exitOK {
		t.Fatalf("%s%s", out, errs)
	}
	if code, out, errs := byPerson(t, home, "memory", "prune", "--dry-run", "--json"); code != exitOK || !strings.Contains(out, `"messages":1`) {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	if code, out, errs := byPerson(t, home, "memory", "prune", "--yes", "--json"); code != exitOK || !strings.Contains(out, `"messages":1`) {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	if code, out, _ := byPerson(t, home, "memory", "prune", "--yes"); code != exitOK || !strings.Contains(out, "nothing is too old") {
		t.Errorf("exit %d: %s", code, out)
	}
	if got := standsIn(t, data, "antique question"); got != nil {
		t.Errorf("it stands in %q", got)
	}
}

func TestMemoryBackfill(t *testing.T) {
	home := t.TempDir()
	if err := os.CopyFS(home, os.DirFS(filepath.Join("..", "transcripts", "testdata", "home"))); err != nil {
		t.Fatal(err)
	}
	writeTo(t, filepath.Join(home, ".config", "boathook", "config.toml"), "[memory]\nenabled = true\n")
	code, out, errs := byPerson(t, home, "memory", "backfill", "--dry-run")
	if code != exitOK || !strings.Contains(out, "this was a dry run") || !strings.Contains(out, "gemini: 1 session") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	if _, err := os.Stat(filepath.Join(home, ".local", "share", "boathook", "memory.db")); err == nil {
		t.Error("the dry run made a memory")
	}
	if code, out, errs = byPerson(t, home, "memory", "backfill"); code != exitOK || !strings.Contains(out, "codex: 1 session") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	if code, out, errs = byPerson(t, home, "memory", "backfill", "--json"); code != exitOK || !strings.Contains(out, `"new":0`) || strings.Contains(out, `"unchanged":0,"sessions":1`) {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	if code, _, errs := byPerson(t, home, "memory", "backfill", "--agent", "cursor"); code != exitUsage || !strings.Contains(errs, "can't be read") {
		t.Errorf("exit %d: %s", code, errs)
	}
}

// TestMemoryForgetBesideAWorker: a worker that stores, remembers and holds the databases open brings nothing back.
func TestMemoryForgetBesideAWorker(t *testing.T) {
	home, data := remembering(t)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	ended := exitFailed
	go func() {
		defer close(done)
		env := testEnv(home)
		env.Stdin, env.Stdout, env.Stderr, env.Now = strings.NewReader(""), io.Discard, io.Discard, time.Now
		ended = Run(ctx, env, []string{"worker"})
	}()
	defer func() {
		stop()
		<-done
	}()
	for !lock.Held(filepath.Join(data, "worker.lock")) {
		select {
		case <-done:
			t.Fatalf("the worker ended: exit %d", ended)
		case <-time.After(5 * time.Millisecond):
		}
	}
	now := time.Now().UTC().Add(-time.Hour)
	spoolEvents(t, home, 100, 300, func(i int, r *record.Record) { // more of both sessions, while it works
		r.Agent, r.Time, r.CWD = "claude", now.Add(time.Duration(i)*time.Millisecond), filepath.Join(home, "shop")
		r.Event.Event, r.HostEvent, r.Tool = canon.PromptSubmit, "UserPromptSubmit", nil
		r.SessionID, r.Prompt = "secret-session-one", fmt.Sprintf("%s, says line %d", bluebird, i)
		if i%2 == 0 {
			r.SessionID, r.Prompt = "plain-session-two", fmt.Sprintf("%s, once more %d", ordinary, i)
		}
	})
	code, out, errs := byPerson(t, home, "memory", "forget", "--session", "claude/secret-session-one", "--yes", "--json")
	if code != exitOK || !strings.Contains(out, `"absent":true`) {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	select {
	case <-done:
		t.Error("the worker ended before")
	default:
	}
	stop()
	if <-done; ended != exitOK {
		t.Errorf("the worker: exit %d", ended)
	}
	if code, _, errs := byPerson(t, home, "worker", "drain"); code != exitOK {
		t.Error(errs)
	}
	if got := standsIn(t, data, bluebird); got != nil {
		t.Errorf("it stands in %q", got)
	}
	code, out, errs = byPerson(t, home, "memory", "export", "--session", "claude/plain-session-two")
	if n := strings.Count(out, "once more"); code != exitOK || n != 150 {
		t.Errorf("exit %d, %d lines of the other session: %s", code, n, errs)
	}
}
