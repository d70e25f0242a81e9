package store

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/record"
)

func TestGlance(t *testing.T) {
	s := newStore(t)
	at := func(n int) time.Time { return time.Unix(int64(1_700_000_000+n), 0).UTC() }
	insert(t, s,
		row(t, 0, nil),
		row(t, 10, func(r *record.Record) {
			r.Decision = record.Decision{Action: canon.Deny, Expressed: canon.Deny, Source: "remote_guard"}
		}),
		row(t, 20, func(r *record.Record) { r.Agent, r.Decision.Source = "antigravity", "remote_guard" }),
		row(t, 30, nil),
	)
	got, err := s.Glance(t.Context(), at(5), at(15))
	must(t, err)
	want := Glance{
		Oldest: at(0), Newest: at(30), Rows: 4, Decisions: map[string]int64{"deny": 1, "allow": 1},
		Agents: []AgentGlance{{"antigravity", 1, 1, at(20)}, {"gemini", 2, 1, at(30)}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	must(t, s.Quick(t.Context()))
}

func TestGlanceOfAnEmptyStore(t *testing.T) {
	got, err := newStore(t).Glance(t.Context(), time.Unix(0, 0), time.Unix(0, 0))
	must(t, err)
	if diff := cmp.Diff(Glance{Decisions: map[string]int64{}}, got); diff != "" {
		t.Error(diff)
	}
}

func TestQuestions(t *testing.T) {
	s := newStore(t)
	asked := func(outcome string) func(*record.Record) {
		return func(r *record.Record) {
			r.Decision.Source, r.Guard = "remote_guard", &record.Guard{Outcome: outcome, DurationMS: 3}
		}
	}
	insert(t, s, row(t, 0, asked("allow")), row(t, 1, nil), row(t, 2, asked("deny")), row(t, 3, asked("timeout")))
	got, err := s.Questions(t.Context(), 2)
	must(t, err)
	want := []record.Guard{{Outcome: "timeout", DurationMS: 3}, {Outcome: "deny", DurationMS: 3}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func BenchmarkGlance(b *testing.B) {
	s := newStore(b)
	text := strings.Repeat("x", 2000)
	for n := 0; n < 100; n++ {
		rows := make([]Row, 1000)
		for i := range rows {
			rows[i] = row(b, n*1000+i, func(r *record.Record) { r.Prompt = text })
		}
		insert(b, s, rows...)
	}
	day := time.Unix(1_700_000_000, 0)
	for b.Loop() {
		if _, err := s.Glance(b.Context(), day, day.Add(27*time.Hour)); err != nil {
			b.Fatal(err)
		}
	}
}

func TestRecalls(t *testing.T) {
	s := newStore(t)
	said := func(outcome string) func(*record.Record) {
		return func(r *record.Record) {
			if outcome == "" {
				r.Prompt = `what does "recall":{ mean`
				return
			}
			r.Recall = &record.Recall{Outcome: outcome, TookMS: 3}
		}
	}
	insert(t, s, row(t, 0, said("nothing")), row(t, 1, said("")), row(t, 2, said("injected")), row(t, 3, said("held")))
	got, err := s.Recalls(t.Context(), time.Unix(0, 0), 3)
	must(t, err)
	if diff := cmp.Diff([]record.Recall{{Outcome: "held", TookMS: 3}, {Outcome: "injected", TookMS: 3}}, got); diff != "" {
		t.Error(diff)
	}
	if got, err = s.Recalls(t.Context(), time.Now().Add(time.Hour), 9); err != nil || len(got) != 0 {
		t.Error(got, err)
	}
}
