package metrics

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/otlp"
	"github.com/boathook/boathook/internal/record"
	memories "github.com/boathook/boathook/internal/sink/memory"
	"github.com/boathook/boathook/internal/store"
)

// TestMemory: the design's metrics are there once memory has a cursor.
func TestMemory(t *testing.T) {
	if memorySink != memories.Name || memoryTaken != memories.CountTaken || memoryRefused != memories.CountRefused || memoryFailed != memories.CountFailed {
		t.Error("these are other names than the sink's")
	}
	l := newLab(t)
	asked := func(outcome string, took float64) func(*record.Record) {
		return func(r *record.Record) {
			r.Event.Event, r.HostEvent, r.Recall = canon.PromptSubmit, "BeforeAgent", &record.Recall{Outcome: outcome, TookMS: took}
		}
	}
	l.insert(made(0, asked("injected", 12)), made(1, asked("nothing", 3)), made(2, asked("repeated", 12)), made(3, asked("sampled_out", 0)), made(4, asked("deadline", 250)))
	must(t, l.store.SetCursor(t.Context(), nil, store.Cursor{Name: memorySink, Event: 2}))
	for name, n := range map[string]int64{memoryTaken: 98, memoryRefused: 1, memoryFailed: 1} {
		must(t, l.store.AddCounter(t.Context(), name, n))
	}
	l.now = begin.Add(time.Minute)
	l.pass()
	check := func(want map[string]any) {
		t.Helper()
		got, all := map[string]any{}, l.last()
		for name := range want {
			switch m := all[name]; {
			case len(m.Gauge) == 1:
				got[name] = m.Gauge[0].Value
			case len(m.Sum) == 1:
				got[name] = m.Sum[0].Value
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	check(map[string]any{
		"ltm_ingest_success_rate": 0.98, "ltm_ingest_lag_seconds": 59.998, "ltm_spool_queue_depth": int64(3), "ltm_context_hit_rate": 0.5,
		"boathook.memory.rows": int64(98), "boathook.memory.refused": int64(1), "boathook.memory.failed": int64(1),
	})
	var took otlp.Histogram
	for _, h := range l.last()[recallTook].Histogram {
		took.Count += h.Count
		took.Sum += h.Sum
	}
	if took.Count != 4 || took.Sum != 277 || len(l.last()[recalls].Sum) != 5 {
		t.Errorf("%+v", l.last()[recallTook])
	}
	// What happened since the last export counts alone.
	must(t, l.store.AddCounter(t.Context(), memoryTaken, 10))
	must(t, l.store.SetCursor(t.Context(), nil, store.Cursor{Name: memorySink, Event: 5}))
	l.now = begin.Add(3 * time.Minute)
	l.insert(made(5))
	l.pass()
	check(map[string]any{"ltm_ingest_success_rate": 1.0, "ltm_spool_queue_depth": int64(1)})
	// A store that can't even be opened takes nothing.
	must(t, l.store.SetCursor(t.Context(), nil, store.Cursor{Name: memorySink, Event: 5, Tries: 3}))
	l.now = begin.Add(5 * time.Minute)
	l.pass()
	check(map[string]any{"ltm_ingest_success_rate": 0.0})
}

// TestNoMemory: where there is none nothing is told of it.
func TestNoMemory(t *testing.T) {
	l := newLab(t)
	l.insert(made(0))
	l.now = begin.Add(time.Minute)
	l.pass()
	for name := range l.last() {
		if name == recalls || name == recallTook || len(name) > 4 && name[:4] == "ltm_" || name == "boathook.memory.rows" {
			t.Errorf("%s is there", name)
		}
	}
}
