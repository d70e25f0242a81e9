package store

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/record"
)

// TestDamagedRowsBlockNothing: whatever was written into the store's own tables, events are stored, sinks have cursors that
// they can move, and counters count.
func TestDamagedRowsBlockNothing(t *testing.T) {
	for name, statement := range map[string]string{
		"cursor of another":  "INSERT INTO cursors (name, event, turn, state, moved_ns) VALUES ('zz', 'garbage', 0, x'', 0)",
		"cursor, text":       "UPDATE cursors SET event = 'garbage'",
		"cursor, blob":       "UPDATE cursors SET event = CAST('1' AS BLOB)",
		"cursor, fraction":   "UPDATE cursors SET turn = 0.5",
		"cursor, times":      "UPDATE cursors SET moved_ns = 'x', next_ns = 'y', tries = 'z'",
		"cursor, its name":   "UPDATE cursors SET name = CAST('a' AS BLOB)",
		"cursor, the rest":   "UPDATE cursors SET state = 5, error = x'ff00'",
		"session":            "UPDATE sessions SET json = 5, last_ns = 'x'",
		"session, a blob":    "UPDATE sessions SET json = x'ff', open = 'x'",
		"session, its key":   "UPDATE sessions SET key = CAST(key AS BLOB), last_ns = 0, open = 1",
		"session, a list":    "UPDATE sessions SET json = '[]'",
		"session, no object": "UPDATE sessions SET json = '{\"turn\":{\"id\":\"a\"},\"turn_id\":\"a\",\"calls\":[{}]}'",
		"done":               "INSERT OR REPLACE INTO done (name, at_ns) VALUES ('x', 'garbage'), ('absent:a', 'garbage')",
		"counter":            "INSERT INTO counters (name, n) VALUES ('x', 'garbage'), ('removals', x'ff'), ('damaged_cursors', 'y')",
		"counted":            "INSERT INTO counted (token) VALUES (x'ff'), ('total:x:y'), (CAST('total:x:' AS BLOB))",
		"turn":               "INSERT INTO turns (id, end_ns, json) VALUES (x'ff', 'x', x'ff')",
	} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t)
			s.Keep(1 << 20)
			now := time.Unix(1_700_000_000, 0)
			must(t, s.Present(t.Context(), "a", now))
			prompt := func(n int) Row {
				return row(t, n, func(r *record.Record) { r.Event.Event = canon.PromptSubmit })
			}
			insert(t, s, prompt(0))
			_, err := s.db.ExecContext(t.Context(), statement)
			must(t, err)
			must(t, s.Present(t.Context(), "a", now))
			must(t, s.Absent(t.Context(), "zz", now))
			insert(t, s, prompt(1))
			_, err = s.Sweep(t.Context(), now.Add(time.Hour))
			must(t, err)
			c, ok, err := s.Cursor(t.Context(), "a")
			if err != nil || !ok {
				t.Fatal(ok, err)
			}
			_, err = s.After(t.Context(), c.Event, 10, 1<<20)
			must(t, err)
			next := c
			next.Event = 2
			must(t, s.SetCursor(t.Context(), &c, next))
			_, err = s.Cursors(t.Context())
			must(t, err)
			_, err = s.DoneAt(t.Context(), "x")
			must(t, err)
			must(t, s.Done(t.Context(), "x", now))
			must(t, s.AddCounter(t.Context(), "x", 1))
			must(t, s.AddCountersOnce(t.Context(), "token", map[string]int64{"x": 1}))
			_, err = s.AddGrowth(t.Context(), "x", 2)
			must(t, err)
			counters, err := s.Counters(t.Context())
			if err != nil || counters["x"] != 4 {
				t.Error(counters, err)
			}
			retainAll(t, s, Retain{Metadata: now.Add(time.Hour), Body: now.Add(time.Hour)})
			_, err = s.CapStep(t.Context(), 1)
			must(t, err)
			_, err = s.Purge(t.Context(), PurgeFilter{})
			must(t, err)
		})
	}
}

// TestDamagedCursorBeginsAnew: it is counted, and another's stays.
func TestDamagedCursorBeginsAnew(t *testing.T) {
	s := newStore(t)
	insert(t, s, row(t, 0, nil), row(t, 1, nil))
	must(t, s.SetCursor(t.Context(), nil, Cursor{Name: "a", Event: 1}))
	must(t, s.SetCursor(t.Context(), nil, Cursor{Name: "b", Event: 1}))
	_, err := s.db.ExecContext(t.Context(), "UPDATE cursors SET event = 'x' WHERE name = 'a'")
	must(t, err)
	if all, err := s.Cursors(t.Context()); err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	must(t, s.Present(t.Context(), "a", time.Now()))
	all, err := s.Cursors(t.Context())
	must(t, err)
	if len(all) != 2 || all[0].Event != 2 || all[1].Event != 1 {
		t.Errorf("%+v", all)
	}
	counters, err := s.Counters(t.Context())
	if err != nil || counters[CounterCursors] != 1 {
		t.Errorf("%v, %v", counters, err)
	}
}

// TestAbsentFor: a sink that comes back soon goes on where it was, and one that comes back late begins at the head, whether
// somebody has looked meanwhile or not.
func TestAbsentFor(t *testing.T) {
	begin := time.Unix(1_700_000_000, 0)
	for name, tt := range map[string]struct {
		seen []time.Duration // when it was seen to be absent
		back time.Duration
		want int64
	}{
		"soon":                {[]time.Duration{0}, AbsentFor - 1, 1},
		"soon, seen twice":    {[]time.Duration{0, AbsentFor - 2}, AbsentFor - 1, 1},
		"late":                {[]time.Duration{0}, AbsentFor, 3},
		"late, seen twice":    {[]time.Duration{0, AbsentFor}, AbsentFor + 1, 3},
		"dropped in between":  {[]time.Duration{0, AbsentFor}, 0, 3},
		"the clock went back": {[]time.Duration{0, -time.Hour}, AbsentFor - time.Hour - 1, 1},
		"never absent":        {nil, time.Hour, 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t)
			insert(t, s, row(t, 0, nil))
			must(t, s.Present(t.Context(), "a", begin))
			insert(t, s, row(t, 1, nil), row(t, 2, nil))
			for _, at := range tt.seen {
				must(t, s.Absent(t.Context(), "a", begin.Add(at)))
			}
			must(t, s.Present(t.Context(), "a", begin.Add(tt.back)))
			c, _, err := s.Cursor(t.Context(), "a")
			must(t, err)
			since, err := s.DoneAt(t.Context(), absence("a"))
			must(t, err)
			if c.Event != tt.want || !since.IsZero() {
				t.Errorf("at %d, absent since %v", c.Event, since)
			}
		})
	}
}

// TestCursorBeyondTheHead: an older copy of the store was put in its place.
func TestCursorBeyondTheHead(t *testing.T) {
	s := newStore(t)
	insert(t, s, row(t, 0, nil))
	must(t, s.SetCursor(t.Context(), nil, Cursor{Name: "a", Event: 100, Turn: 100, State: []byte("mine")}))
	must(t, s.Present(t.Context(), "a", time.Now()))
	c, _, err := s.Cursor(t.Context(), "a")
	must(t, err)
	if diff := cmp.Diff(Cursor{Name: "a", Event: 1, State: []byte("mine")}, c); diff != "" {
		t.Error(diff)
	}
}
