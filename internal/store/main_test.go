package store

import (
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/record"
)

func newStore(t testing.TB) *Store {
	t.Helper()
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), FileName))
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	return s
}

// id makes the n-th of a row of ids that sort like n.
func id(n int) string {
	var u ulid.ULID
	_ = u.SetTime(uint64(1_700_000_000_000 + n))
	return u.String()
}

// row is the n-th event, n seconds after the first.
func row(t testing.TB, n int, change func(*record.Record)) Row {
	t.Helper()
	r := record.Record{
		V: record.Version,
		Event: canon.Event{
			ID: id(n), Time: time.Unix(int64(1_700_000_000+n), 0).UTC(), Agent: "gemini", Event: canon.ToolBefore,
			HostEvent: "BeforeTool", SessionID: "s",
		},
		Decision: record.Decision{Action: canon.Allow, Expressed: canon.Allow, Source: "default"},
	}
	if change != nil {
		change(&r)
	}
	b, err := json.Marshal(r)
	must(t, err)
	return Row{Record: r, JSON: b}
}

func insert(t testing.TB, s *Store, rows ...Row) int {
	t.Helper()
	n, err := s.Insert(t.Context(), rows)
	must(t, err)
	return n
}

func each(t testing.TB, s *Store, f Filter) []string {
	t.Helper()
	var ids []string
	last := f.AfterSeq
	must(t, s.Each(t.Context(), f, func(seq int64, b []byte) error {
		if seq <= last {
			t.Errorf("seq %d after %d", seq, last)
		}
		last = seq
		r, err := record.Parse(b)
		ids = append(ids, r.ID)
		return err
	}))
	return ids
}

func ids(ns ...int) []string {
	var out []string
	for _, n := range ns {
		out = append(out, id(n))
	}
	return out
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
