package store

import (
	"database/sql"
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/correlate"
)

// olderStore is a store as the first version left it, with one event.
func olderStore(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), FileName)
	step, err := migrations.ReadFile("migrations/001_events.sql")
	must(t, err)
	db, err := sql.Open("sqlite3", path)
	must(t, err)
	for _, query := range []string{string(step), "PRAGMA journal_mode = wal", "PRAGMA user_version = 1"} {
		_, err := db.Exec(query)
		must(t, err)
	}
	r := play(t, 1, "s", canon.PromptSubmit, "")
	_, err = db.Exec(`INSERT INTO events (id, time_ns, agent, event, host_event, session_id, turn_id, call_id, tool, rule, action,
expressed, source, latency_ms, json) VALUES (?, ?, 'gemini', 'prompt:submit', 'BeforeAgent', 's', '', '', '', '', '', '', '', 0, ?)`,
		r.Record.ID, unixNano(r.Record.Time), string(r.JSON))
	must(t, errors.Join(err, db.Close()))
	return path
}

// TestOlderStoreIsRead before any worker has brought it up to date, and goes on from there.
func TestOlderStoreIsRead(t *testing.T) {
	path := olderStore(t)
	r, err := OpenReadOnly(t.Context(), path)
	must(t, err)
	events, err := r.After(t.Context(), 0, 10, 1<<20)
	must(t, err)
	if len(events) != 1 || events[0].Place != (correlate.Place{}) {
		t.Errorf("events %+v", events)
	}
	_, ok, err := r.Event(t.Context(), id(1))
	turns, terr := r.Turns(t.Context(), 0, 10)
	cursors, cerr := r.Cursors(t.Context())
	event, turn, herr := r.Head(t.Context())
	st, serr := r.Stats(t.Context())
	must(t, errors.Join(err, terr, cerr, herr, serr))
	if !ok || turns != nil || cursors != nil || event != 1 || turn != 0 || st.Events != 1 {
		t.Errorf("%v %v %v %d %d %+v", ok, turns, cursors, event, turn, st)
	}
	must(t, r.Close())

	s, err := Open(t.Context(), path)
	must(t, err)
	defer s.Close()
	insert(t, s, play(t, 2, "s", canon.PromptSubmit, ""))
	if diff := cmp.Diff(ids(1, 2), each(t, s, Filter{})); diff != "" {
		t.Error(diff)
	}
	places, _ := placesOf(t, s)
	want := map[string]correlate.Place{id(1): {}, id(2): {TraceID: correlate.TraceID(id(2)), TurnID: id(2)}}
	if diff := cmp.Diff(want, places); diff != "" {
		t.Error(diff)
	}
	if done := retainAll(t, s, Retain{Body: at(1000)}); done.Expired != 2 {
		t.Errorf("%+v", done)
	}
}

// TestShare: the last user closes the store, and nobody can use it then.
func TestShare(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), FileName))
	must(t, err)
	if !s.Share() {
		t.Fatal("an open store can't be shared")
	}
	must(t, s.Close())
	insert(t, s, row(t, 1, nil))
	must(t, s.Close())
	if s.Share() {
		t.Fatal("a closed store is shared")
	}
	if _, err := s.Insert(t.Context(), []Row{row(t, 2, nil)}); err == nil {
		t.Fatal("inserted into a closed store")
	}
}

// TestCursorIsCompared: of two that move it from the same place one succeeds.
func TestCursorIsCompared(t *testing.T) {
	s := newStore(t)
	must(t, s.SetCursor(t.Context(), nil, Cursor{Name: "a", Event: 1, State: []byte("x")}))
	before, ok, err := s.Cursor(t.Context(), "a")
	must(t, err)
	next := before
	next.Event, next.Tries, next.Error = 2, 3, "no"
	must(t, s.SetCursor(t.Context(), &before, next))
	if err := s.SetCursor(t.Context(), &before, Cursor{Name: "a", Event: 9}); !errors.Is(err, ErrCursorMoved) || !ok {
		t.Fatal(err)
	}
	got, _, err := s.Cursor(t.Context(), "a")
	must(t, err)
	if diff := cmp.Diff(next, got); diff != "" {
		t.Fatal(diff)
	}
	must(t, s.DropCursor(t.Context(), "a"))
	if err := s.SetCursor(t.Context(), &next, next); !errors.Is(err, ErrCursorMoved) {
		t.Fatalf("a dropped cursor was moved: %v", err)
	}
}
