package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/llm/llmtest"
	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/audit"
	"github.com/boathook/boathook/internal/memory/open"
	"github.com/boathook/boathook/internal/memory/recall"
	"github.com/boathook/boathook/internal/memory/sqlite"
)

// noon is the time of testEnv.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// keeping is a home whose memory has a solved incident in the project shop, and a session of another project.
func keeping(t *testing.T, settings string) (home, shop string) {
	t.Helper()
	home = t.TempDir()
	shop = filepath.Join(home, "shop")
	writeTo(t, filepath.Join(home, ".config", "boathook", "config.toml"), "[memory]\nenabled = true\n"+settings)
	data := filepath.Join(home, ".local", "share", "boathook")
	for _, dir := range []string{shop, filepath.Join(home, "other"), data} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	key := func(dir string) string {
		r, err := open.Projects(data, config.Settings{Memory: config.Memory{Provider: open.SQLite}})
		if err != nil {
			t.Fatal(err)
		}
		p, err := r.Of(dir)
		if err != nil {
			t.Fatal(err)
		}
		return p.Key
	}
	s, err := sqlite.Open(t.Context(), filepath.Join(data, sqlite.FileName))
	if err != nil {
		t.Fatal(err)
	}
	at := noon.Add(-49 * time.Hour)
	one, two := memory.SessionID("claude", "one"), memory.SessionID("gemini", "two")
	batch := memory.Batch{
		Sessions: []memory.Session{
			{ID: one, Project: key(shop), Root: shop, Agent: "claude", Started: at, Ended: at.Add(5 * time.Minute), Active: at.Add(5 * time.Minute), Outcome: memory.StatusSuccess, Summary: "The port was freed with fuser."},
			{ID: two, Project: key(filepath.Join(home, "other")), Root: filepath.Join(home, "other"), Agent: "gemini", Started: at, Ended: at.Add(time.Minute), Active: at},
		},
		Messages: []memory.Message{
			{Session: one, Role: memory.RoleUser, Time: at, Text: "the server does not start: EADDRINUSE on port 3000", Source: memory.FromHook, Origin: "e1"},
			{Session: one, Role: memory.RoleAssistant, Time: at.Add(2 * time.Minute), Text: "Port 3000 is free again.\x1b]0;owned\x07 \u202eevil", Source: memory.FromHook, Origin: "e3"},
			{Session: two, Role: memory.RoleUser, Time: at, Text: "EADDRINUSE of the other project", Source: memory.FromHook, Origin: "e4"},
		},
		ToolCalls: []memory.ToolCall{{
			Session: one, CallID: "c1", Tool: "bash", HostTool: "Bash", Kind: "shell", Status: memory.StatusSuccess, Command: "fuser -k 3000/tcp",
			Args: json.RawMessage(`{"command":"fuser -k 3000/tcp"}`), Output: "3000/tcp: 4711", Time: at.Add(time.Minute), Duration: 12 * time.Millisecond, Source: memory.FromHook, Origin: "e2",
		}},
	}
	if _, err := s.Write(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return home, shop
}

// inside runs a command in a directory, as a person at no terminal does.
func inside(t *testing.T, home, dir string, args ...string) (code int, out, errs string) {
	t.Helper()
	return typing(t, home, dir, "", func(*Env) {}, args...)
}

func typing(t *testing.T, home, dir, typed string, change func(*Env), args ...string) (code int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	env := testEnv(home)
	env.Dir, env.Stdin, env.Stdout, env.Stderr = dir, strings.NewReader(typed), &stdout, &stderr
	env.Under = func() (string, int, bool) { return "", 0, false }
	env.Present = func() bool { return true }
	env.Exe = filepath.Join(home, "bin", "boathook")
	writeTo(t, env.Exe, "#!/bin/sh\n")
	if err := os.Chmod(env.Exe, 0o755); err != nil {
		t.Fatal(err)
	}
	change(env)
	code = Run(context.Background(), env, args)
	return code, stdout.String(), stderr.String()
}

func decoded(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
}

type searchDoc struct {
	Results []foundJSON
	Query   string
}

// TestMemorySearch: what is found is the project's own, harmless, and in the log; another's only where it is asked for.
func TestMemorySearch(t *testing.T) {
	home, shop := keeping(t, "")
	code, out, errs := inside(t, home, shop, "memory", "search", "--explain", "EADDRINUSE", "port", "password=hunter2canary")
	if code != exitOK || errs != "" {
		t.Fatal(code, errs)
	}
	for _, want := range []string{"EADDRINUSE on port 3000", "2 d 1 h ago", "claude", "claude/one", "relevance"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if strings.Contains(out, "other project") || strings.ContainsAny(out, "\x1b\x07\u202e") {
		t.Errorf("%q", out)
	}
	var doc searchDoc
	_, out, _ = inside(t, home, shop, "memory", "search", "--json", "--tool", "bash", "--status", "success", "3000")
	if decoded(t, out, &doc); len(doc.Results) != 1 || doc.Results[0].Command != "fuser -k 3000/tcp" || doc.Results[0].ID == "" {
		t.Fatalf("%s", out)
	}
	for args, want := range map[string]int{
		"--all-projects": 3, "--agent gemini": 0, "--since 1d": 0, "--session one": 2, "--session claude/one": 2, "--role assistant": 1, "--project " + shop: 2, "--limit 1 --all-projects": 1,
	} {
		_, out, errs := inside(t, home, shop, append([]string{"memory", "search", "--json", "EADDRINUSE 3000"}, strings.Fields(args)...)...)
		if decoded(t, out, &doc); len(doc.Results) < min(want, 1) || want == 0 && len(doc.Results) > 0 || len(doc.Results) > max(want, 0)+1 {
			t.Errorf("%s: %d results, want about %d; %s", args, len(doc.Results), want, errs)
		}
	}
	entries, err := audit.Log{Dir: filepath.Join(home, ".local", "share", "boathook")}.Read(100)
	if err != nil || len(entries) != 10 {
		t.Fatal(len(entries), err)
	}
	if e := entries[0]; e.Action != audit.Search || e.Via != "cli" || e.Who == "" || strings.Contains(e.Query, "hunter2canary") || !strings.Contains(e.Query, "EADDRINUSE") || len(e.Filter.Projects) != 1 {
		t.Errorf("%+v", e)
	}
}

func TestMemorySearchSaysWhatIsWrong(t *testing.T) {
	home, shop := keeping(t, "")
	for _, tc := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"search"}, exitUsage, "wants words to look for"},
		{[]string{"search", "the", "of"}, exitUsage, "nothing to look for"},
		{[]string{"search", "x", "--limit", "0"}, exitUsage, "--limit is between 1 and 200"},
		{[]string{"search", "fuser", "--status", "done"}, exitUsage, "--status is success, error or blocked"},
		{[]string{"search", "fuser", "--since", "soon"}, exitUsage, "is no time"},
		{[]string{"search", "fuser", "--agent", "nobody"}, exitUsage, "nobody"},
		{[]string{"search", "fuser", "--session", "nowhere"}, exitFailed, "memory has no session"},
		{[]string{"show"}, exitUsage, "wants ids"},
		{[]string{"show", "x", "--pending"}, exitUsage, "one of these at a time"},
		{[]string{"show", "nothing-has-this"}, exitFailed, "memory has no nothing-has-this"},
		{[]string{"show", "--reject", "XXXXXX"}, exitFailed, "--pending' lists what waits"},
		{[]string{"timeline", "nothing-has-this"}, exitFailed, "memory has no nothing-has-this"},
		{[]string{"timeline", "a", "b"}, exitUsage, "takes one id"},
		{[]string{"enable", "--inject", "always"}, exitUsage, "--inject is off, on or review"},
		{[]string{"enable", "--provider", "mysql"}, exitUsage, "--provider is sqlite or postgres"},
		{[]string{"enable", "--inject", "on"}, exitRefused, "no terminal to ask on"},
		{[]string{"roles", "--login", "x"}, exitUsage, "NAME=ROLE"},
		{[]string{"roles", "--schema", "x"}, exitUsage, "go with --sql"},
	} {
		code, _, errs := inside(t, home, shop, append([]string{"memory"}, tc.args...)...)
		if code != tc.code || !strings.Contains(errs, tc.want) {
			t.Errorf("%v: exit %d, %q; want %d, %q", tc.args, code, errs, tc.code, tc.want)
		}
	}
	empty := t.TempDir()
	for _, args := range [][]string{{"search", "fuser"}, {"show", "x"}, {"timeline"}, {"stats"}} {
		if code, _, errs := inside(t, empty, empty, append([]string{"memory"}, args...)...); code != exitFailed || !strings.Contains(errs, "boathook memory enable") {
			t.Errorf("%v: %d, %s", args, code, errs)
		}
		code, out, _ := inside(t, empty, empty, append([]string{"memory", "--json"}, args...)...)
		_ = code
		if out != "" && !json.Valid([]byte(out)) {
			t.Errorf("%v: %s", args, out)
		}
	}
}

// TestMemorySearchWithVectors: what means the same is found without a word in common; a dead embedder leaves the keywords.
func TestMemorySearchWithVectors(t *testing.T) {
	api := llmtest.Start(t, 64, llmtest.Concepts{{"EADDRINUSE", "already taken"}})
	home, shop := keeping(t, "[memory.embedding]\nprovider = \"openai-compatible\"\nmodel = \"planted\"\n[llm]\nbaseUrl = \""+api.URL+"\"\napiKey = \"canary-key\"\n")
	s, err := sqlite.Open(t.Context(), filepath.Join(home, ".local", "share", "boathook", sqlite.FileName))
	if err != nil {
		t.Fatal(err)
	}
	chunks, err := s.Unembedded(t.Context(), "planted", 64, 100)
	if err != nil || len(chunks) == 0 {
		t.Fatal(len(chunks), err)
	}
	var vectors []memory.Embedding
	for _, c := range chunks {
		vectors = append(vectors, memory.Embedding{Chunk: c.ID, Vector: llmtest.Concepts{{"EADDRINUSE", "already taken"}}.Vector(c.Text, 64)})
	}
	if err := s.Embed(t.Context(), "planted", 64, vectors); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	var doc struct {
		searchDoc
		Embedder string
	}
	_, out, errs := inside(t, home, shop, "memory", "search", "--json", "socket already taken")
	if decoded(t, out, &doc); doc.Embedder != "ok" || errs != "" {
		t.Errorf("%s%s", out, errs)
	}
	near := func(r foundJSON) bool {
		return strings.Contains(r.Text, "EADDRINUSE") && r.Relevance > 0.9 && r.Distance < 0.2
	}
	if !slices.ContainsFunc(doc.Results, near) {
		t.Errorf("%s", out)
	}
	api.Set(func(s *llmtest.Server) { s.Status = 500 })
	code, out, errs := inside(t, home, shop, "memory", "search", "--json", "EADDRINUSE")
	if decoded(t, out, &doc); code != exitOK || doc.Embedder != "failed" || len(doc.Results) == 0 || !strings.Contains(errs, "only keywords") || strings.Contains(errs, "canary") {
		t.Errorf("%d %s%s", code, out, errs)
	}
}

func TestMemoryShowAndTimeline(t *testing.T) {
	home, shop := keeping(t, "")
	var found searchDoc
	_, out, _ := inside(t, home, shop, "memory", "search", "--json", "--tool", "bash", "fuser")
	if decoded(t, out, &found); len(found.Results) == 0 {
		t.Fatal(out)
	}
	id := found.Results[0].ID
	code, out, errs := inside(t, home, shop, "memory", "show", id)
	if code != exitOK || !strings.Contains(out, "$ fuser -k 3000/tcp") || !strings.Contains(out, "3000/tcp: 4711") || !strings.Contains(out, "12 ms") {
		t.Errorf("%d %s%s", code, out, errs)
	}
	code, out, _ = inside(t, home, shop, "memory", "show", "--json", id, "another")
	var shown struct {
		Entries []memory.Entry
		Missing []string
		Code    int `json:"exit_code"`
	}
	if decoded(t, out, &shown); code != exitFailed || len(shown.Entries) != 1 || !slices.Equal(shown.Missing, []string{"another"}) || shown.Code != exitFailed {
		t.Errorf("%d %s", code, out)
	}
	_, out, _ = inside(t, home, shop, "memory", "show", "--session", "one")
	if strings.Index(out, "EADDRINUSE") > strings.Index(out, "fuser") || !strings.Contains(out, "free again") || strings.ContainsAny(out, "\x1b\x07\u202e") {
		t.Errorf("%q", out)
	}
	_, out, _ = inside(t, home, shop, "memory", "timeline")
	if !strings.Contains(out, "The port was freed with fuser.") || !strings.Contains(out, "success") || strings.Contains(out, "gemini") {
		t.Errorf("%s", out)
	}
	if _, out, _ = inside(t, home, shop, "memory", "timeline", "--all-projects"); !strings.Contains(out, "gemini/two") || !strings.Contains(out, filepath.Join(home, "other")) {
		t.Errorf("%s", out)
	}
	_, out, _ = inside(t, home, shop, "memory", "timeline", id, "--around", "1")
	if !strings.Contains(out, "▸") || !strings.Contains(out, "EADDRINUSE") || !strings.Contains(out, "free again") {
		t.Errorf("%s", out)
	}
	if _, out, _ = inside(t, home, shop, "memory", "timeline", id, "--around", "0"); strings.Contains(out, "EADDRINUSE") {
		t.Errorf("%s", out)
	}
	code, out, _ = inside(t, home, shop, "memory", "stats", "--json")
	var stats struct {
		Store struct{ Sessions, Messages, Projects int }
	}
	if decoded(t, out, &stats); code != exitOK || stats.Store.Sessions != 2 || stats.Store.Messages != 3 || stats.Store.Projects != 2 {
		t.Errorf("%d %s", code, out)
	}
	if code, out, errs = inside(t, home, shop, "memory", "stats", "--project", "."); code != exitOK || !strings.Contains(out, "1 session") {
		t.Errorf("%d %s%s", code, out, errs)
	}
}

// TestMemoryApproval: only a person at a terminal lets something into a prompt.
func TestMemoryApproval(t *testing.T) {
	home, shop := keeping(t, "inject = \"review\"\n")
	data := filepath.Join(home, ".local", "share", "boathook")
	book := recall.Book{Data: data, Hash: func(s string) string { return strings.Repeat("0a", 32) }, Now: func() time.Time { return noon }}
	for range 2 {
		if err := book.Hold("claude/new", recall.Review{Agent: "claude", Asked: "why is the port\x1b[31m in use", Block: "## Relevant past incidents\n- fuser -k 3000/tcp"}); err != nil {
			t.Fatal(err)
		}
	}
	var doc struct{ Pending []recall.Review }
	_, out, _ := inside(t, home, shop, "memory", "show", "--pending", "--json")
	if decoded(t, out, &doc); len(doc.Pending) != 2 {
		t.Fatal(out)
	}
	one, two := doc.Pending[0].Code, doc.Pending[1].Code
	_, out, _ = inside(t, home, shop, "memory", "show", "--pending")
	if !strings.Contains(out, one) || !strings.Contains(out, "fuser -k 3000/tcp") || strings.Contains(out, "\x1b") {
		t.Errorf("%q", out)
	}
	below := func(e *Env) { e.Under = func() (string, int, bool) { return "claude", 7, true } }
	absent := func(e *Env) { e.Present = func() bool { return false } }
	for _, change := range []func(*Env){below, absent} {
		if code, _, errs := typing(t, home, shop, "", change, "memory", "show", "--approve", one); code != exitRefused || !strings.Contains(errs, "is for a person") {
			t.Errorf("%d %s", code, errs)
		}
	}
	if _, ok := book.Approved("claude/new"); ok {
		t.Error("an agent approved it")
	}
	if code, out, errs := inside(t, home, shop, "memory", "show", "--approve", one); code != exitOK || !strings.Contains(out, "Approved") {
		t.Errorf("%d %s%s", code, out, errs)
	}
	if code, out, errs := inside(t, home, shop, "memory", "show", "--reject", two, "--json"); code != exitOK || !strings.Contains(out, "rejected") {
		t.Errorf("%d %s%s", code, out, errs)
	}
	if r, ok := book.Approved("claude/new"); !ok || r.Code != one {
		t.Errorf("%+v, %t", r, ok)
	}
	if _, out, _ = inside(t, home, shop, "memory", "show", "--pending"); !strings.Contains(out, "Nothing waits") {
		t.Errorf("%s", out)
	}
}

// TestMemorySessionByItsBeginning: a session is found by the beginning of its agent's own id, which is what a model is told; one that is
// not there is an error.
func TestMemorySessionByItsBeginning(t *testing.T) {
	home, shop := keeping(t, "")
	for _, name := range []string{"claude/onetwo", "onetwo", "onetwothree"} {
		code, out, errs := inside(t, home, shop, "memory", "show", "--session", name)
		if code != exitFailed || out != "" || !strings.Contains(errs, "memory has no session") {
			t.Error(name, code, out, errs)
		}
	}
	store, err := sqlite.Open(t.Context(), filepath.Join(home, ".local", "share", "boathook", sqlite.FileName))
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"onetwothree-4", "onetwothree-5"} {
		own := memory.SessionID("claude", id)
		if _, err := store.Write(t.Context(), memory.Batch{
			Sessions: []memory.Session{{ID: own, Project: "p", Root: shop, Agent: "claude", Started: noon, Active: noon}},
			Messages: []memory.Message{{Session: own, Role: memory.RoleUser, Time: noon, Text: "said in " + id, Source: memory.FromHook, Origin: id}},
		}); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"claude/onetwothree-4", "onetwothree-4"} {
		if code, out, errs := inside(t, home, shop, "memory", "show", "--session", name); code != exitOK || !strings.Contains(out, "said in onetwothree-4") {
			t.Error(name, code, out, errs)
		}
	}
	if code, _, errs := inside(t, home, shop, "memory", "show", "--session", "onetwo"); code != exitUsage || !strings.Contains(errs, "onetwothree-5") {
		t.Error("two sessions begin so:", code, errs)
	}
}
