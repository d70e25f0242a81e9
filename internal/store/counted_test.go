package store

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestACursorMovesWithItsCounts: both or nothing.
func TestACursorMovesWithItsCounts(t *testing.T) {
	s := newStore(t)
	ctx := t.Context()
	must(t, s.SetCursor(ctx, nil, Cursor{Name: "a"}))
	must(t, s.SetCursor(ctx, &Cursor{Name: "a"}, Cursor{Name: "a", Event: 3}, map[string]int64{"x": 2}))
	// It is elsewhere.
	if err := s.SetCursor(ctx, &Cursor{Name: "a"}, Cursor{Name: "a", Event: 9}, map[string]int64{"x": 5}); !errors.Is(err, ErrCursorMoved) {
		t.Errorf("%v", err)
	}
	// It can't be counted.
	_, err := s.db.ExecContext(ctx, "CREATE TRIGGER broken BEFORE INSERT ON counters BEGIN SELECT RAISE(FAIL, 'no'); END")
	must(t, err)
	if err := s.SetCursor(ctx, &Cursor{Name: "a", Event: 3}, Cursor{Name: "a", Event: 9}, map[string]int64{"x": 5}); err == nil {
		t.Error("no error")
	}
	c, _, err := s.Cursor(ctx, "a")
	must(t, err)
	counts, err := s.Counters(ctx)
	must(t, err)
	if diff := cmp.Diff(map[string]int64{"x": 2}, counts); diff != "" || c.Event != 3 {
		t.Error(c.Event, diff)
	}
}
