package owed

import (
	"database/sql"
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/store"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// lab is a store with a cursor, and another connection to its file.
type lab struct {
	t     *testing.T
	store *store.Store
	db    *sql.DB
}

func newLab(t *testing.T) *lab {
	path := filepath.Join(t.TempDir(), store.FileName)
	s, err := store.Open(t.Context(), path)
	must(t, err)
	db, err := sql.Open("sqlite3", "file:"+path)
	must(t, err)
	t.Cleanup(func() { must(t, errors.Join(db.Close(), s.Close())) })
	must(t, s.SetCursor(t.Context(), nil, store.Cursor{Name: "a"}))
	return &lab{t, s, db}
}

func (l *lab) exec(query string) {
	l.t.Helper()
	_, err := l.db.ExecContext(l.t.Context(), query)
	must(l.t, err)
}

// breaks makes every write of a cursor fail.
func (l *lab) breaks() {
	l.exec("CREATE TRIGGER broken BEFORE UPDATE ON cursors BEGIN SELECT RAISE(FAIL, 'disk is full'); END")
}

func (l *lab) mends() { l.exec("DROP TRIGGER broken") }

func (l *lab) want(event int64, count int64) {
	l.t.Helper()
	c, _, err := l.store.Cursor(l.t.Context(), "a")
	must(l.t, err)
	counts, err := l.store.Counters(l.t.Context())
	must(l.t, err)
	if diff := cmp.Diff([]int64{event, count}, []int64{c.Event, counts["n"]}); diff != "" {
		l.t.Error(diff)
	}
}

func TestOwed(t *testing.T) {
	l, c := newLab(t), Cursor{}
	ctx := t.Context()
	l.breaks()
	if err := c.Write(ctx, l.store, store.Cursor{Name: "a"}, store.Cursor{Name: "a", Event: 3}, map[string]int64{"n": 2}); err == nil {
		t.Fatal("written")
	}
	for range 2 {
		if c.Settle(ctx, l.store) == nil {
			t.Error("settled")
		}
	}
	l.want(0, 0)
	l.mends()
	for range 2 {
		must(t, c.Settle(ctx, l.store))
		l.want(3, 2)
	}
}

// TestSomebodyElseMovedIt: what was owed is none of ours any more.
func TestSomebodyElseMovedIt(t *testing.T) {
	l, c := newLab(t), Cursor{}
	ctx := t.Context()
	l.breaks()
	if err := c.Write(ctx, l.store, store.Cursor{Name: "a"}, store.Cursor{Name: "a", Event: 3}, nil); err == nil {
		t.Fatal("written")
	}
	l.mends()
	must(t, l.store.SetCursor(ctx, nil, store.Cursor{Name: "a", Event: 1}))
	must(t, c.Settle(ctx, l.store))
	l.want(1, 0)
	if err := c.Write(ctx, l.store, store.Cursor{Name: "a"}, store.Cursor{Name: "a", Event: 3}, nil); !errors.Is(err, store.ErrCursorMoved) {
		t.Errorf("%v", err)
	}
	must(t, c.Settle(ctx, l.store))
	l.want(1, 0)
}

// TestAnotherStore: its cursor stands at the same place by chance.
func TestAnotherStore(t *testing.T) {
	l, other, c := newLab(t), newLab(t), Cursor{}
	ctx := t.Context()
	l.breaks()
	if err := c.Write(ctx, l.store, store.Cursor{Name: "a"}, store.Cursor{Name: "a", Event: 3}, nil); err == nil {
		t.Fatal("written")
	}
	must(t, c.Settle(ctx, other.store))
	other.want(0, 0)
}

// TestACursorThatDoesNotMove is not one that somebody else has moved: reading it again would help nobody.
func TestACursorThatDoesNotMove(t *testing.T) {
	l, c := newLab(t), Cursor{}
	l.exec("CREATE TRIGGER broken BEFORE UPDATE ON cursors BEGIN SELECT RAISE(IGNORE); END")
	err := c.Write(t.Context(), l.store, store.Cursor{Name: "a"}, store.Cursor{Name: "a", Event: 3}, nil)
	if err == nil || errors.Is(err, store.ErrCursorMoved) || c.Settle(t.Context(), l.store) == nil {
		t.Errorf("%v", err)
	}
	l.mends()
	must(t, c.Settle(t.Context(), l.store))
	l.want(3, 0)
}
