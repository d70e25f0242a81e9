package store

import (
	"strings"
	"testing"

	"github.com/boathook/boathook/internal/record"
)

// TestCap: the oldest events go, sent or not, and no more than has to; what nobody had taken is counted.
func TestCap(t *testing.T) {
	s := newStore(t)
	const events = 1000
	for n := range events {
		insert(t, s, row(t, n, func(r *record.Record) { r.Prompt = strings.Repeat("x", 8000) }))
	}
	if done, err := s.CapStep(t.Context(), 100<<20); err != nil || done != (Capped{}) {
		t.Fatal(done, err)
	}
	must(t, s.SetCursor(t.Context(), nil, Cursor{Name: "a", Event: 300}))
	const limit = 4 << 20
	for range 1000 {
		done, err := s.CapStep(t.Context(), limit)
		must(t, err)
		if !done.More {
			break
		}
	}
	st, err := s.Stats(t.Context())
	must(t, err)
	if st.Bytes > limit || st.Events < 200 || st.Events > 500 {
		t.Errorf("%+v", st)
	}
	if left := each(t, s, Filter{}); left[len(left)-1] != id(events-1) {
		t.Errorf("the newest is %s", left[len(left)-1])
	}
	counters, err := s.Counters(t.Context())
	must(t, err)
	if gone := events - st.Events; counters[CounterCapped] != gone || counters[CounterUnsent] != gone-300 {
		t.Errorf("%v", counters)
	}
	must(t, s.Integrity(t.Context()))
}

// TestCapTakesTurnsAlong: those that the removed events began.
func TestCapTakesTurnsAlong(t *testing.T) {
	s := newStore(t)
	insert(t, s, full(t, 0, "s"), full(t, 1, "s"), full(t, 2, "s"))
	must(t, s.SetCursor(t.Context(), nil, Cursor{Name: "a", Event: 3, Turn: 1}))
	done, err := s.CapStep(t.Context(), 1)
	if err != nil || done != (Capped{Events: 3, Turns: 2, Unsent: 1, More: true}) {
		t.Fatal(done, err)
	}
}
