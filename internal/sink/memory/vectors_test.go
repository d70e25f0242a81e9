package memory

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	rows "github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/sqlite"
)

// letters is an embedder that a test decides about.
type letters struct {
	width int
	fail  error
	asked int
}

func (l *letters) Model() string { return "letters" }

func (l *letters) Embed(_ context.Context, texts []string) ([][]float32, error) {
	l.asked++
	if l.fail != nil {
		return nil, l.fail
	}
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = make([]float32, l.width)
		for _, b := range []byte(text) {
			out[i][int(b)%l.width]++
		}
	}
	return out, nil
}

func (w *world) vectors(e Embedder) *Vectors {
	v := &Vectors{
		Open: func(ctx context.Context) (rows.Store, error) { return sqlite.Open(ctx, w.path) }, Embedder: e,
		Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return w.now },
	}
	w.t.Cleanup(v.Close)
	must(w.t, w.events.Present(w.t.Context(), VectorsName, w.now))
	return v
}

func (w *world) unembedded(model string, width int) int {
	w.t.Helper()
	s, err := sqlite.Open(w.t.Context(), w.path)
	must(w.t, err)
	defer func() { must(w.t, s.Close()) }()
	chunks, err := s.Unembedded(w.t.Context(), model, width, 10_000)
	must(w.t, err)
	return len(chunks)
}

// TestVectors: chunks get their vectors in batches, after they are stored; an embedder that is down is left alone, and holds up nothing.
func TestVectors(t *testing.T) {
	w := newWorld(t, many(t, 30)...)
	e := &letters{width: 8, fail: errors.New("429")}
	v := w.vectors(e)
	pass := func() (behind bool, next time.Time) {
		t.Helper()
		p, err := v.Pass(t.Context(), w.events)
		must(t, err)
		return p.Behind, p.Next
	}
	behind, next := pass()
	if !behind || !next.After(w.now) || e.asked != 1 {
		t.Errorf("%t %s, asked %d times", behind, next, e.asked)
	}
	if pass(); e.asked != 1 {
		t.Error("it isn't left alone")
	}
	if passed := w.pass(); passed.Behind {
		t.Errorf("memory waits for vectors: %+v", passed)
	}
	w.now, e.fail = next, nil
	for range 20 {
		if behind, next = pass(); !behind {
			break
		}
		if next.After(w.now) {
			w.now = next
		}
	}
	if behind || w.unembedded("letters", 8) != 0 || e.asked > 10 {
		t.Errorf("behind %t, %d are left, asked %d times", behind, w.unembedded("letters", 8), e.asked)
	}
	if w.unembedded("others", 8) == 0 || w.unembedded("letters", 16) == 0 {
		t.Error("vectors of another model, or width, stand for these")
	}
	c, ok, err := w.events.Cursor(t.Context(), VectorsName)
	must(t, err)
	if event, turn, err := w.events.Head(t.Context()); err != nil || !ok || c.Event != event || c.Turn != turn {
		t.Errorf("the cursor holds events: %+v", c)
	}
}

// TestOddVectors: an embedder that changes its width, or gives too few, changes nothing.
func TestOddVectors(t *testing.T) {
	w := newWorld(t, talk(t, 0, "s1")...)
	w.pass()
	e := &letters{width: 8}
	v := w.vectors(e)
	v.width = 16
	p, err := v.Pass(t.Context(), w.events)
	must(t, err)
	if !p.Behind || p.Turns != 0 || w.unembedded("letters", 16) == 0 {
		t.Errorf("%+v", p)
	}
}

// TestRetention: rows that are too old go, once an hour; and so do old notes of recall, and nothing else of that directory.
func TestRetention(t *testing.T) {
	w := newWorld(t, many(t, 3)...)
	recall := filepath.Join(w.dir, "recall")
	for name, age := range map[string]time.Duration{"old": 31 * 24 * time.Hour, "new": time.Hour} {
		write(t, filepath.Join(recall, name), "x")
		at := w.now.Add(-age)
		must(t, os.Chtimes(filepath.Join(recall, name), at, at))
	}
	must(t, os.Symlink(w.path, filepath.Join(recall, "link")))
	w.restart(func(c *Config) { c.Retention = rows.Retention{Raw: 24 * time.Hour, Summaries: 48 * time.Hour} })
	w.pass()
	if n := count(w.memory(), "user: "); n != 3 {
		t.Errorf("%d prompts", n)
	}
	entries, err := os.ReadDir(recall)
	must(t, err)
	var left []string
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if !slices.Equal(left, []string{"link", "new"}) {
		t.Errorf("%v", left)
	}
	w.now = w.now.Add(30 * time.Hour)
	w.insert(talk(t, 4*3600*8, "s9")...)
	w.pass()
	for range 20 {
		if passed := w.pass(); !passed.Behind {
			break
		}
		w.now = w.now.Add(time.Second)
	}
	if lines := w.memory(); count(lines, "user: the build of s0") != 0 || count(lines, "session claude/s0") != 1 || count(lines, "user: the build of s9") != 1 {
		t.Errorf("%v", lines)
	}
}
