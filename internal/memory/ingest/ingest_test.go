package ingest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/forgotten"
	"github.com/boathook/boathook/internal/memory/intake"
	"github.com/boathook/boathook/internal/memory/project"
	"github.com/boathook/boathook/internal/memory/sqlite"
	"github.com/boathook/boathook/internal/redact"
)

func testOptions(t *testing.T) Options {
	t.Helper()
	dir := t.TempDir()
	s, err := sqlite.Open(t.Context(), filepath.Join(dir, sqlite.FileName))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	mask, _ := redact.New(redact.Options{})
	in := intake.New(intake.Options{Mask: mask, Exclude: []string{"/secret/**"}})
	return Options{Store: s, Intake: in, Forgotten: forgotten.Open(dir), Name: "old.jsonl"}
}

func read(t *testing.T, o Options, lines ...string) Report {
	t.Helper()
	r, err := Read(t.Context(), strings.NewReader(strings.Join(lines, "\n")), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// entries are all rows as lines, and as the export writes them.
func entries(t *testing.T, s memory.Store) (all []memory.Entry, text string) {
	t.Helper()
	all, _, err := s.Entries(t.Context(), memory.Filter{AllProjects: true}, "", 1000)
	if err != nil {
		t.Fatal(err)
	}
	sessions, _, err := s.Sessions(t.Context(), memory.Filter{AllProjects: true}, "", 1000)
	if err != nil {
		t.Fatal(err)
	}
	roots := map[string]string{}
	for _, one := range sessions {
		roots[one.ID] = one.Root
	}
	var out bytes.Buffer
	for _, e := range all {
		id := ""
		if e.Message != nil {
			id = e.Message.Session
		} else {
			id = e.Call.Session
		}
		l, ok := LineOf(e, roots[id])
		if !ok {
			continue
		}
		line, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(append(line, '\n'))
	}
	return all, out.String()
}

const (
	lineOne  = `{"session":"s1","project":"/home/me/shop","id":"1","role":"user","ts":"2026-01-31T14:30:00Z","text":"why does the build fail?","novel":1}`
	lineTwo  = `{"session":"s1","project":"/home/me/shop","id":"2","role":"tool","ts":1769869801000,"tool":"bash","command":"make","status":"error","text":"no rule","args":{"command":"make"},"result":{"out":"no rule"},"duration_ms":12}`
	lineMore = `{"session":"s2","project":"shop","id":"3","role":"assistant","ts":"2026-01-31T14:31:00+09:00","text":"빌드가 됩니다","agent":"chat","model":"m","tokens_total":5}`
)

func TestIdempotent(t *testing.T) {
	o := testOptions(t)
	if r := read(t, o, "", lineOne, lineTwo, lineMore); r.New != 3 || r.Bad != 0 || r.Lines != 3 || r.Messages != 2 || r.ToolCalls != 1 {
		t.Errorf("%+v", r)
	}
	_, before := entries(t, o.Store)
	if r := read(t, o, lineMore, lineTwo, lineOne, lineOne); r.New+r.Changed != 0 {
		t.Errorf("again: %+v", r)
	}
	if _, after := entries(t, o.Store); after != before {
		t.Errorf("%s", cmp.Diff(before, after))
	}
	list, _, err := o.Store.Sessions(t.Context(), memory.Filter{Projects: []string{project.Named("shop").Key}}, "", 10)
	if err != nil || len(list) != 1 || list[0].ID != "chat/s2" {
		t.Errorf("%+v, %v", list, err)
	}
}

// TestExportedAgain: what was exported changes nothing where it comes from, and makes the same rows elsewhere.
func TestExportedAgain(t *testing.T) {
	o := testOptions(t)
	read(t, o, lineOne, lineTwo, lineMore)
	all, text := entries(t, o.Store)
	if r := read(t, o, text); r.New+r.Changed+r.Bad != 0 || r.Lines != len(all) {
		t.Errorf("into the same: %+v\n%s", r, text)
	}
	other := testOptions(t)
	read(t, other, text)
	again, _ := entries(t, other.Store)
	if diff := cmp.Diff(all, again); diff != "" {
		t.Error(diff)
	}
}

// TestBadLines are named by file, line and member, and cost nothing but themselves.
func TestBadLines(t *testing.T) {
	o := testOptions(t)
	bad := []string{
		`{"session":"s"`, `[]`, `{"role":"user","ts":1,"text":"x"}`, `{"session":5,"role":"user","ts":1,"text":"x"}`,
		`{"session":"s","role":"boss","ts":1,"text":"x"}`, `{"session":"s","role":"user","ts":"yesterday","text":"x"}`,
		`{"session":"s","role":"user","ts":1,"text":" "}`, `{"session":"s","role":"tool","ts":1,"text":"x","status":"error"}`,
		`{"session":"s","role":"tool","tool":"x","status":"odd","ts":1}`, `{"session":"s","role":"user","ts":1,"text":"x","agent":"a/b"}`,
		`{"session":"s","role":"user","text":"x"}`,
	}
	r := read(t, o, append([]string{lineOne}, append(bad, lineTwo)...)...)
	if r.New != 2 || r.Bad != len(bad) {
		t.Errorf("%+v", r)
	}
	want := []string{
		"old.jsonl:2: not JSON", "old.jsonl:3: no JSON object", "old.jsonl:4: session: ", "old.jsonl:5: session: it must be a text", "old.jsonl:6: role: ",
		"old.jsonl:7: ts: ", "old.jsonl:8: text: ", "old.jsonl:9: tool: ", "old.jsonl:10: status: ", "old.jsonl:11: agent: ", "old.jsonl:12: ts: it is not there",
	}
	for i, w := range want {
		if i >= len(r.Problems) || !strings.HasPrefix(r.Problems[i], w) {
			t.Errorf("%q, want %s", r.Problems, w)
		}
	}
	if long := read(t, o, `{"session":"`+strings.Repeat("x", maxLine)+`"}`, lineMore); long.Bad != 1 || long.New != 1 {
		t.Errorf("%+v", long)
	}
}

// TestNothingThatMayNotBeKept: private passages, secrets and excluded projects stay out.
func TestNothingThatMayNotBeKept(t *testing.T) {
	const canary = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
	o := testOptions(t)
	r := read(t, o,
		`{"session":"s","id":"1","role":"user","ts":1,"text":"use `+canary+` and <private>my salary</private> now"}`,
		`{"session":"s","id":"2","role":"tool","ts":1,"tool":"bash","command":"echo `+canary+`","text":"`+canary+`"}`,
		`{"session":"x","id":"3","role":"user","ts":1,"project":"/secret/plans","text":"the takeover"}`)
	if r.New != 2 || r.Left != 1 {
		t.Errorf("%+v", r)
	}
	for _, text := range []string{canary, "salary", "takeover"} {
		if n, err := o.Store.Occurs(t.Context(), text); err != nil || n != 0 {
			t.Errorf("%s stands there %d times, %v", text, n, err)
		}
	}
}

func TestForgottenStays(t *testing.T) {
	o := testOptions(t)
	if err := o.Forgotten.Add(forgotten.Entry{Kind: forgotten.Session, ID: "import/s1"}); err != nil {
		t.Fatal(err)
	}
	if r := read(t, o, lineOne, lineTwo, lineMore); r.New != 1 || r.Forgotten != 2 {
		t.Errorf("%+v", r)
	}
}

func FuzzParse(f *testing.F) {
	for _, line := range []string{lineOne, lineTwo, lineMore, `{"session":1}`, `null`} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		l, err := Parse(text)
		if err == nil && (l.Session == "" || l.Role == "") {
			t.Errorf("%q: %+v", text, l)
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", text, err)
		}
	})
}

// TestSource: who told a line first stays known, and nobody else can be named.
func TestSource(t *testing.T) {
	const line = `{"session":"s","role":"user","ts":"2026-01-31T14:30:00Z","text":"x"%s}`
	for given, want := range map[string]memory.Source{
		``: memory.FromImport, `,"source":""`: memory.FromImport, `,"source":"import"`: memory.FromImport, `,"source":"hook"`: memory.FromHook,
		`,"source":"transcript"`: memory.FromTranscript, `,"source":null`: memory.FromImport,
	} {
		l, err := Parse([]byte(fmt.Sprintf(line, given)))
		if err != nil || l.message("a/s").Source != want {
			t.Errorf("%s: %+v, %v", given, l, err)
		}
		back, ok := LineOf(memory.Entry{Message: &memory.Message{Session: "a/s", Role: "user", Text: "x", Source: want}}, "")
		if !ok || back.source() != want {
			t.Errorf("%s comes back as %+v", given, back)
		}
	}
	for _, wrong := range []string{`,"source":"me"`, `,"source":7`, `,"source":["hook"]`} {
		if l, err := Parse([]byte(fmt.Sprintf(line, wrong))); err == nil || !strings.HasPrefix(err.Error(), "source: ") {
			t.Errorf("%s: %+v, %v", wrong, l, err)
		}
	}
}

// TestToolsWordsAlone: a source that knows of a tool only what it said has that as a message, as any other role's; an export has it
// again.
func TestToolsWordsAlone(t *testing.T) {
	o := testOptions(t)
	const line = `{"session":"s1","project":"/home/me/shop","id":"7","role":"tool","ts":1769869801000,"text":"$ make\nno rule"}`
	if r := read(t, o, line); r.New != 1 || r.Messages != 1 || r.ToolCalls != 0 || r.Bad != 0 {
		t.Fatalf("%+v", r)
	}
	all, text := entries(t, o.Store)
	if len(all) != 1 || all[0].Message == nil || all[0].Message.Role != memory.RoleTool || all[0].Message.Text != "$ make\nno rule" {
		t.Errorf("%+v", all)
	}
	other := testOptions(t)
	read(t, other, text)
	again, _ := entries(t, other.Store)
	if diff := cmp.Diff(all, again); diff != "" {
		t.Error(diff)
	}
}
