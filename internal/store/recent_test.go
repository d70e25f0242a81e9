package store

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/boathook/boathook/internal/record"
)

// TestKeptEventsAreThoseOfTheDisk: with the events kept or not, whatever was dropped for lack of room or removed by
// another process, After and Event say the same.
func TestKeptEventsAreThoseOfTheDisk(t *testing.T) {
	s := newStore(t)
	other, err := Open(t.Context(), s.path)
	must(t, err)
	defer other.Close()
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		s.Keep(rapid.SampledFrom([]int{0, 1, 2000, 1 << 20}).Draw(rt, "keep"))
		for range rapid.IntRange(1, 4).Draw(rt, "batches") {
			var rows []Row
			for range rapid.IntRange(1, 6).Draw(rt, "rows") {
				rows = append(rows, row(t, n, func(r *record.Record) { r.SessionID = fmt.Sprint("s", n%3) }))
				n++
			}
			into := s
			if rapid.IntRange(0, 4).Draw(rt, "other") == 0 {
				into = other // a gap in what s knows
			}
			insert(t, into, rows...)
		}
		if rapid.IntRange(0, 3).Draw(rt, "purge") == 0 {
			_, err := other.Purge(t.Context(), PurgeFilter{Session: "s1"})
			must(t, err)
		}
		head, _, err := s.Head(t.Context())
		must(t, err)
		seq, limit := head-rapid.Int64Range(0, 30).Draw(rt, "behind"), rapid.IntRange(1, 20).Draw(rt, "limit")
		want, err := other.After(t.Context(), seq, limit, 5000)
		must(t, err)
		got, err := s.After(t.Context(), seq, limit, 5000)
		must(t, err)
		if len(got) == 0 || len(got) > len(want) {
			if len(want) > 0 {
				rt.Fatalf("%d events, want %d", len(got), len(want))
			}
		}
		// What is kept may be the first part of what could be read.
		if diff := cmp.Diff(want[:len(got)], got); diff != "" {
			rt.Fatal(diff)
		}
		for _, p := range want {
			if q, ok, err := s.Event(t.Context(), p.Record.ID); err != nil || !ok || q.Seq != p.Seq {
				rt.Fatalf("event %s: %v %v", p.Record.ID, ok, err)
			}
		}
	})
}
