package store

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/record"
)

func TestInsertIsIdempotent(t *testing.T) {
	s := newStore(t)
	if n := insert(t, s, row(t, 1, nil), row(t, 2, nil)); n != 2 {
		t.Fatal(n)
	}
	changed := row(t, 2, func(r *record.Record) { r.Agent = "other" })
	if n := insert(t, s, changed, row(t, 3, nil), row(t, 3, nil)); n != 1 {
		t.Fatal(n)
	}
	if n := insert(t, s); n != 0 {
		t.Fatal(n)
	}
	if diff := cmp.Diff(ids(1, 2, 3), each(t, s, Filter{Agent: "gemini"})); diff != "" {
		t.Fatal(diff)
	}
}

func TestInsertIsAllOrNothing(t *testing.T) {
	s := newStore(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Insert(ctx, []Row{row(t, 1, nil)}); err == nil {
		t.Fatal("inserted with a cancelled context")
	}
	if got := each(t, s, Filter{}); got != nil {
		t.Fatal(got)
	}
}

func TestBytesAreKept(t *testing.T) {
	s := newStore(t)
	want := row(t, 1, func(r *record.Record) { r.Prompt = "한글 \x00 \u2028 </script>" })
	want.JSON = append([]byte("  "), append(want.JSON, " \n\xff"...)...)
	insert(t, s, want)
	must(t, s.Each(t.Context(), Filter{}, func(_ int64, b []byte) error {
		if diff := cmp.Diff(string(want.JSON), string(b)); diff != "" {
			t.Error(diff)
		}
		return nil
	}))
}

func TestFilter(t *testing.T) {
	s := newStore(t)
	for n := range 10 {
		insert(t, s, row(t, n, func(r *record.Record) {
			switch n {
			case 3:
				r.Agent, r.HostEvent = "codex", "pre"
			case 4:
				r.Tool = &canon.Tool{Name: "bash", Command: `echo "<100%_done>" \ X`}
			case 5:
				r.SessionID, r.Event.Event = "other", canon.AgentStop
			case 6:
				r.Decision.Action = canon.Deny
			case 7:
				r.Prompt = "100 percent, undone"
			}
		}))
	}
	at := func(n int) time.Time { return time.Unix(int64(1_700_000_000+n), 0) }
	for _, tt := range []struct {
		name string
		f    Filter
		want []string
	}{
		{"all", Filter{}, ids(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)},
		{"since", Filter{Since: at(8)}, ids(8, 9)},
		{"until", Filter{Until: at(2)}, ids(0, 1)},
		{"far bounds", Filter{Since: time.Date(1, 2, 3, 0, 0, 0, 0, time.UTC), Until: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), Limit: 1}, ids(0)},
		{"agent", Filter{Agent: "codex"}, ids(3)},
		{"event", Filter{Event: "agent:stop"}, ids(5)},
		{"host event", Filter{HostEvent: "pre"}, ids(3)},
		{"session", Filter{Session: "other"}, ids(5)},
		{"tool", Filter{Tool: "bash"}, ids(4)},
		{"action", Filter{Action: "deny"}, ids(6)},
		{"text in any case", Filter{Text: "PERCENT, u"}, ids(7)},
		{"text with wildcards", Filter{Text: "100%_"}, ids(4)},
		{"text as typed", Filter{Text: `"<100%_done>" \ X`}, ids(4)},
		{"after", Filter{AfterSeq: 8}, ids(8, 9)},
		{"first two", Filter{Limit: 2}, ids(0, 1)},
		{"last two", Filter{Limit: 2, Newest: true}, ids(8, 9)},
		{"last two of many", Filter{Limit: 2, Newest: true, Session: "s", Until: at(7)}, ids(4, 6)},
		{"last of few", Filter{Limit: 9, Newest: true, AfterSeq: 8}, ids(8, 9)},
		{"last without limit", Filter{Newest: true, AfterSeq: 8}, ids(8, 9)},
		{"none", Filter{Agent: "gemini", Session: "nobody"}, nil},
		{"last of none", Filter{Newest: true, Limit: 3, Session: "nobody"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, each(t, s, tt.f)); diff != "" {
				t.Fatal(diff)
			}
		})
	}
}

func TestEachPagesAndCallsBackFreely(t *testing.T) {
	s := newStore(t)
	var rows []Row
	want := []string{}
	for n := range 3*pageRows + 5 {
		pad := ""
		if n%50 == 7 {
			pad = strings.Repeat("x", pageBytes) // ends a page by itself
		}
		rows = append(rows, row(t, n, func(r *record.Record) { r.Prompt = pad }))
		want = append(want, id(n))
	}
	insert(t, s, rows...)
	var got []string
	must(t, s.Each(t.Context(), Filter{}, func(_ int64, b []byte) error {
		r, err := record.Parse(b)
		got = append(got, r.ID)
		return errors.Join(err, s.AddCounter(t.Context(), "seen", 1))
	}))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatal(diff)
	}
	if c, err := s.Counters(t.Context()); err != nil || c["seen"] != int64(len(want)) {
		t.Fatalf("counted %v, %v", c, err)
	}
	if diff := cmp.Diff(want[:pageRows+1], each(t, s, Filter{Limit: pageRows + 1})); diff != "" {
		t.Fatal(diff)
	}
	stop := errors.New("stop")
	if err := s.Each(t.Context(), Filter{}, func(int64, []byte) error { return stop }); !errors.Is(err, stop) {
		t.Fatal(err)
	}
}

func TestCounters(t *testing.T) {
	s := newStore(t)
	must(t, s.AddCounter(t.Context(), "a", 1))
	must(t, s.AddCounter(t.Context(), "a", 2))
	for _, token := range []string{"t1", "t1", "t2", "t2", "t3"} {
		must(t, s.AddCountersOnce(t.Context(), token, map[string]int64{"a": 10, "b": 1}))
	}
	got, err := s.Counters(t.Context())
	must(t, err)
	if diff := cmp.Diff(map[string]int64{"a": 33, "b": 3}, got); diff != "" {
		t.Fatal(diff)
	}
}
