package otlp

import (
	"database/sql"
	"path/filepath"
	"testing"
	"time"

	wire "github.com/boathook/boathook/internal/otlp"
	"github.com/boathook/boathook/internal/store"
)

// TestPastDamagedRows: rows that can't be read are counted and passed, also where nothing is behind them.
func TestPastDamagedRows(t *testing.T) {
	path := filepath.Join(t.TempDir(), store.FileName)
	st, err := store.Open(t.Context(), path)
	must(t, err)
	t.Cleanup(func() { must(t, st.Close()) })
	insert(t, st, turns(t, 2)...)
	db, err := sql.Open("sqlite3", "file:"+path)
	must(t, err)
	for _, damage := range []string{
		"UPDATE events SET json = '{' WHERE seq IN (1, (SELECT max(seq) FROM events))", "UPDATE turns SET json = '' WHERE seq = (SELECT max(seq) FROM turns)",
	} {
		_, err := db.ExecContext(t.Context(), damage)
		must(t, err)
	}
	must(t, db.Close())
	r := newRig(t, st)
	if p := r.pass(); p.Behind || p.Events != 10 || p.Turns != 2 {
		t.Errorf("passed %+v", p)
	}
	r.atHead()
	if n := r.counter(countUnmapped); n != 3 {
		t.Errorf("%d counted as without a span", n)
	}
}

// TestWhatIsGoneIsNoFailure: after a purge nothing is behind, and nothing has failed.
func TestWhatIsGoneIsNoFailure(t *testing.T) {
	r := newRig(t, inStore(t, turns(t, 1)...))
	r.to.answer = func(int, []wire.Span) reply { return reply{status: 503} }
	if p := r.pass(); !p.Behind || r.cursor().Tries != 1 {
		t.Fatalf("passed %+v, cursor %+v", p, r.cursor())
	}
	_, err := r.store.Purge(t.Context(), store.PurgeFilter{})
	must(t, err)
	if p := r.pass(); p.Behind || !p.Next.IsZero() {
		t.Errorf("passed %+v", p)
	}
	if c := r.cursor(); c.Tries != 0 || c.Error != "" || !c.Next.IsZero() || !c.Moved.IsZero() {
		t.Errorf("cursor %+v", c)
	}
	// Nor is it a success where nothing is wanted.
	r.to.answer, r.sink.EventSpans, r.sink.GenAISpans = nil, false, false
	insert(t, r.store, made(t, 900, "gemini", "SessionEnd", `{"session_id":"s"}`))
	r.now = r.now.Add(time.Hour)
	r.pass()
	r.atHead()
	if !r.cursor().Moved.IsZero() {
		t.Errorf("cursor %+v", r.cursor())
	}
}
