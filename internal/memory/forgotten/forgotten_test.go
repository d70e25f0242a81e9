package forgotten

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/merge"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func message(session, text string, at time.Time) memory.Message {
	return memory.Message{Session: session, Role: "user", Text: text, Time: at, Source: memory.FromHook, Origin: text}
}

func batch() memory.Batch {
	return memory.Batch{
		Sessions: []memory.Session{
			{ID: "claude/a", Agent: "claude", Project: "p1", Started: noon, Active: noon.Add(time.Hour), Summary: "about one"},
			{ID: "claude/b", Agent: "claude", Project: "p2", Started: noon, Active: noon.Add(time.Hour), Summary: "about two"},
		},
		Messages: []memory.Message{
			message("claude/a", "one", noon), message("claude/a", "later", noon.Add(time.Hour)), message("claude/b", "two", noon),
		},
		ToolCalls: []memory.ToolCall{{
			Session: "claude/b", Tool: "bash", Args: []byte(`{"command":"ls"}`), Time: noon, Source: memory.FromHook, Origin: "c",
		}},
		Covers: []memory.Cover{{Session: "claude/a", Until: noon}, {Session: "claude/b", Until: noon}},
	}
}

// left is what is left of a batch.
func left(t *testing.T, b *Book) string {
	t.Helper()
	out, _, err := b.Filter(batch())
	if err != nil {
		t.Fatal(err)
	}
	var parts []string
	for _, s := range out.Sessions {
		parts = append(parts, s.ID+"="+s.Summary)
	}
	for _, m := range out.Messages {
		parts = append(parts, m.Text)
	}
	for _, c := range out.ToolCalls {
		parts = append(parts, c.Tool)
	}
	for _, c := range out.Covers {
		parts = append(parts, "cover "+c.Session)
	}
	return strings.Join(parts, ", ")
}

func TestFilter(t *testing.T) {
	clean, err := merge.Clean(batch())
	if err != nil {
		t.Fatal(err)
	}
	const all = "claude/a=about one, claude/b=about two, one, later, two, bash, cover claude/a, cover claude/b"
	for name, tt := range map[string]struct {
		entries []Entry
		want    string
	}{
		"nothing": {nil, all},
		"a session": {
			[]Entry{{Kind: Session, ID: "claude/a", Until: noon.Add(2 * time.Hour)}}, "claude/b=about two, two, bash, cover claude/b",
		},
		"a session until then": {
			[]Entry{{Kind: Session, ID: "claude/a", Until: noon.Add(time.Minute)}},
			"claude/a=, claude/b=about two, later, two, bash, cover claude/a, cover claude/b",
		},
		"a project": {[]Entry{{Kind: Project, ID: "p2"}}, "claude/a=about one, one, later, cover claude/a"},
		"a time":    {[]Entry{{Kind: All, Since: noon, Until: noon.Add(time.Minute)}}, "claude/a=, claude/b=, later, cover claude/a, cover claude/b"},
		"rows": {
			[]Entry{
				{Kind: Row, ID: merge.MessageGroup(clean.Messages[0])}, {Kind: Row, ID: merge.CallGroup(clean.ToolCalls[0])}, {Kind: Summary, ID: "claude/a"},
			},
			"claude/a=, claude/b=about two, later, two, cover claude/a, cover claude/b",
		},
		"others": {[]Entry{{Kind: Session, ID: "claude/c"}, {Kind: Project, ID: "p3"}, {Kind: All, Until: noon.Add(-time.Hour)}}, all},
	} {
		dir := t.TempDir()
		if err := Open(dir).Add(tt.entries...); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, left(t, Open(dir))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestAddedElsewhere: a book that another process has written to is read again; what is known is not written twice.
func TestAddedElsewhere(t *testing.T) {
	dir := t.TempDir()
	one, two := Open(dir), Open(dir)
	before := left(t, one)
	if _, err := os.Stat(one.Path()); err == nil {
		t.Error("a look made the file")
	}
	if err := two.Add(Entry{Kind: Session, ID: "claude/a"}); err != nil {
		t.Fatal(err)
	}
	if got := left(t, one); got == before {
		t.Errorf("it was not read again: %s", got)
	}
	text, err := os.ReadFile(one.Path())
	if err != nil {
		t.Fatal(err)
	}
	if err := one.Add(Entry{Kind: Session, ID: "claude/a", Since: noon}); err != nil {
		t.Fatal(err)
	}
	if again, err := os.ReadFile(one.Path()); err != nil || !bytes.Equal(text, again) {
		t.Errorf("it was written again: %q, %v", again, err)
	}
	if bytes.Contains(text, []byte("claude")) {
		t.Errorf("it says what was forgotten: %s", text)
	}
	if info, err := os.Stat(one.Path()); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// TestTorn: what a killed process left of a line counts for nothing, and what another version wrote is no reason to bring things back.
func TestTorn(t *testing.T) {
	dir := t.TempDir()
	b := Open(dir)
	if err := b.Add(Entry{Kind: Session, ID: "claude/a"}); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(b.Path())
	if err != nil {
		t.Fatal(err)
	}
	for cut := range len(whole) {
		if err := os.WriteFile(b.Path(), whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		fresh := Open(dir)
		if err := fresh.Add(Entry{Kind: Project, ID: "p2"}); err != nil {
			t.Fatal(err)
		}
		if got := left(t, Open(dir)); strings.Contains(got, "claude/b") {
			t.Fatalf("cut at %d: %s", cut, got)
		}
	}
	if err := os.WriteFile(b.Path(), append(whole, []byte("v2 session of another kind\n")...), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Open(dir).Filter(batch()); err == nil {
		t.Error("a line of another version was passed over")
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("v1 row 0123456789abcdef0123456789abcdef 0 0 .\n"))
	f.Add([]byte("\nv1 session 0123\nv"))
	f.Fuzz(func(t *testing.T, text []byte) {
		known, err := parse(bytes.NewReader(text))
		for name, spans := range known {
			if err != nil || len(spans) == 0 || len(name) < 32 {
				t.Errorf("%q: %v, %v", name, spans, err)
			}
		}
	})
}
