package backfill

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/forgotten"
	"github.com/boathook/boathook/internal/memory/intake"
	"github.com/boathook/boathook/internal/memory/recall"
	"github.com/boathook/boathook/internal/memory/sqlite"
	"github.com/boathook/boathook/internal/redact"
)

// ended is when the recorded sessions were over.
var ended = time.Date(2026, 11, 30, 18, 10, 0, 0, time.UTC)

// pastHome is a home with the records that the real agents made.
func pastHome(t testing.TB) string {
	t.Helper()
	home := t.TempDir()
	if err := os.CopyFS(home, os.DirFS(filepath.Join("..", "..", "transcripts", "testdata", "home"))); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(home, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return os.Chtimes(path, ended, ended)
	})
	if err != nil {
		t.Fatal(err)
	}
	return home
}

// testIntake is one whose projects are the directories.
func testIntake() *intake.Intake {
	mask, _ := redact.New(redact.Options{})
	return intake.New(intake.Options{Mask: mask, Strip: recall.Strip})
}

func storeIn(t testing.TB, dir string) memory.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(dir, sqlite.FileName))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func options(s memory.Store, data, home string) Options {
	return Options{
		Store: s, Into: "test", Intake: testIntake(), Forgotten: forgotten.Open(data), DataDir: data, Home: home,
		Now: func() time.Time { return ended.Add(24 * time.Hour) },
	}
}

func run(t testing.TB, o Options) Report {
	t.Helper()
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// rowsOf are all rows of a store, as JSON.
func rowsOf(t testing.TB, s memory.Store) string {
	t.Helper()
	all := struct {
		Sessions []memory.Session
		Entries  []memory.Entry
	}{}
	ctx := context.Background()
	f := memory.Filter{AllProjects: true}
	for at := memory.Page(""); ; {
		list, next, err := s.Sessions(ctx, f, at, 100)
		if err != nil {
			t.Fatal(err)
		}
		all.Sessions = append(all.Sessions, list...)
		if at = next; at == "" {
			break
		}
	}
	for at := memory.Page(""); ; {
		list, next, err := s.Entries(ctx, f, at, 100)
		if err != nil {
			t.Fatal(err)
		}
		all.Entries = append(all.Entries, list...)
		if at = next; at == "" {
			break
		}
	}
	text, err := json.MarshalIndent(all, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestTwice: what was read once adds nothing, whether it is remembered as read or read again.
func TestTwice(t *testing.T) {
	data, home := t.TempDir(), pastHome(t)
	s := storeIn(t, data)
	o := options(s, data, home)
	first := run(t, o)
	if first.New == 0 || first.Messages == 0 || first.ToolCalls == 0 || first.Unchanged != 0 || len(first.Unread) > 0 {
		t.Fatalf("%+v", first)
	}
	want := rowsOf(t, s)
	second := run(t, o)
	if second.New+second.Changed+second.Known != 0 || second.Unchanged != second.Files || second.Files != first.Files {
		t.Errorf("the second time: %+v", second)
	}
	o.Again = true
	third := run(t, o)
	if third.New+third.Changed != 0 || third.Unchanged != 0 || third.Known == 0 {
		t.Errorf("again: %+v", third)
	}
	if diff := cmp.Diff(want, rowsOf(t, s)); diff != "" {
		t.Error(diff)
	}
}

// TestDryRun writes nothing.
func TestDryRun(t *testing.T) {
	data, home := t.TempDir(), pastHome(t)
	s := storeIn(t, data)
	o := options(s, data, home)
	o.DryRun = true
	r := run(t, o)
	if r.Messages == 0 || r.ToolCalls == 0 || r.New != 0 {
		t.Errorf("%+v", r)
	}
	if st, err := s.Stats(t.Context(), memory.Filter{AllProjects: true}); err != nil || st.Messages+st.ToolCalls+st.Sessions != 0 {
		t.Errorf("%+v, %v", st, err)
	}
	o.DryRun = false
	if real := run(t, o); real.Messages != r.Messages || real.ToolCalls != r.ToolCalls || real.Unchanged != 0 {
		t.Errorf("%+v, and the dry run had %+v", real, r)
	}
}

// TestLimits: what was left out for the choice of one run is read by the next.
func TestLimits(t *testing.T) {
	data, home := t.TempDir(), pastHome(t)
	s := storeIn(t, data)
	o := options(s, data, home)
	o.Projects = []string{"/home/user/shop"}
	shop := run(t, o)
	if shop.Agents["gemini"].Messages == 0 || shop.Agents["claude"].Messages != 0 {
		t.Errorf("%+v %+v", shop.Agents["gemini"], shop.Agents["claude"])
	}
	o.Projects = nil
	o.Since = ended.Add(-time.Hour)
	late := run(t, o) // the records were all written to since, but only Copilot's session was then
	if late.Agents["copilot"].Messages == 0 || late.Agents["claude"].Messages != 0 || late.Agents["gemini"].Unchanged != 1 {
		t.Errorf("%+v", late)
	}
	o.Since = time.Time{}
	if all := run(t, o); all.Agents["claude"].Messages == 0 || all.Agents["copilot"].Unchanged != 1 {
		t.Errorf("%+v", all)
	}
	want := storeIn(t, t.TempDir())
	run(t, options(want, t.TempDir(), home))
	if diff := cmp.Diff(rowsOf(t, want), rowsOf(t, s)); diff != "" {
		t.Errorf("in parts, -at once +in parts:\n%s", diff)
	}
}

// TestChanged: a record that went on is read again, and adds what is new.
func TestChanged(t *testing.T) {
	data, home := t.TempDir(), pastHome(t)
	s := storeIn(t, data)
	o := options(s, data, home)
	o.Agent = "gemini"
	run(t, o)
	path := filepath.Join(home, ".gemini", "tmp", "shop", "chats", "session-2026-11-30T09-27-b7eef73b.jsonl")
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"id":"new","timestamp":"2026-11-30T18:09:00Z","type":"user","content":[{"text":"one more thing"}]}` + "\n"); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if r := run(t, o); r.New != 1 || r.Unchanged != 0 {
		t.Errorf("%+v", r)
	}
}

// TestAnotherStore: what one store has taken another has not.
func TestAnotherStore(t *testing.T) {
	data, home := t.TempDir(), pastHome(t)
	o := options(storeIn(t, data), data, home)
	first := run(t, o)
	o.Store = storeIn(t, t.TempDir()) // of the same name, and empty: somebody has removed it
	if r := run(t, o); r.New != first.New {
		t.Errorf("%+v", r)
	}
	o.Into = "another"
	if r := run(t, o); r.Unchanged != 0 {
		t.Errorf("%+v", r)
	}
}

// TestNothingSecret: what an agent's record has in clear is masked before it is kept.
func TestNothingSecret(t *testing.T) {
	const canary = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
	data, home := t.TempDir(), t.TempDir()
	dir := filepath.Join(home, ".claude", "projects", "p")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	text := `{"type":"user","uuid":"1","sessionId":"s","cwd":"/p","timestamp":"2026-11-30T09:00:00Z","message":{"role":"user","content":"use ` + canary + `"}}
{"type":"assistant","uuid":"2","sessionId":"s","cwd":"/p","timestamp":"2026-11-30T09:00:01Z","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"export TOKEN=` + canary + `"}}]}}
{"type":"user","uuid":"3","sessionId":"s","cwd":"/p","timestamp":"2026-11-30T09:00:02Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"token ` + canary + `"}]}}
`
	if err := os.WriteFile(filepath.Join(dir, "s.jsonl"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := storeIn(t, data)
	if r := run(t, options(s, data, home)); r.Messages != 1 || r.ToolCalls != 1 {
		t.Fatalf("%+v", r)
	}
	if n, err := s.Occurs(t.Context(), canary); err != nil || n != 0 {
		t.Errorf("it stands in the store %d times, %v", n, err)
	}
	if n, err := s.Occurs(t.Context(), "export TOKEN="); err != nil || n == 0 {
		t.Errorf("the command is not there: %d, %v", n, err)
	}
}
