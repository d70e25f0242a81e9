package progress

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/oklog/ulid/v2"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/record"
	memories "github.com/boathook/boathook/internal/sink/memory"
	"github.com/boathook/boathook/internal/store"
)

// TestMemoryOf: how far the sink is, what it was given, and what prompts got of it.
func TestMemoryOf(t *testing.T) {
	if memorySink != memories.Name {
		t.Errorf("the sink is called %q", memories.Name)
	}
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), store.FileName))
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	look := func() Memory {
		t.Helper()
		m, err := MemoryOf(t.Context(), s, now, now.Add(-24*time.Hour), 100)
		must(t, err)
		return m
	}
	if diff := cmp.Diff(Memory{SuccessRate: 1}, look()); diff != "" {
		t.Error("nothing yet:", diff)
	}
	var rows []store.Row
	for n, outcome := range []string{"injected", "nothing", "held", "sampled_out", "", "repeated", "deadline"} {
		r := record.Record{V: record.Version, Event: canon.Event{ID: ulid.Make().String(), Time: now.Add(time.Duration(n-7) * time.Minute), Agent: "gemini", Event: canon.PromptSubmit, SessionID: "s"}}
		if outcome != "" {
			r.Recall = &record.Recall{Outcome: outcome, TookMS: float64(10 * n)}
		}
		text, err := json.Marshal(r)
		must(t, err)
		rows = append(rows, store.Row{Record: r, JSON: text})
	}
	_, err = s.Insert(t.Context(), rows)
	must(t, err)
	must(t, s.SetCursor(t.Context(), nil, store.Cursor{Name: memories.Name, Event: 5, Tries: 2, Error: "it is down"}))
	for name, n := range map[string]int64{memoryTaken: 90, memoryRefused: 2, memoryFailed: 8} {
		must(t, s.AddCounter(t.Context(), name, n))
	}
	want := Memory{
		Known: true, SuccessRate: 0.9, Lag: 120, Behind: 2, Latency: map[string]float64{"p50": 20, "p95": 60, "p99": 60},
		HitRate: 0.6, Asked: 5, Hits: 3, Injected: 1, Tries: 2, Error: "it is down",
	}
	if diff := cmp.Diff(want, look()); diff != "" {
		t.Error(diff)
	}
}

func TestQuantile(t *testing.T) {
	var hundred []float64
	for n := range 100 {
		hundred = append(hundred, float64(n+1))
	}
	if got, want := fmt.Sprint(quantile(hundred, 50), quantile(hundred, 95), quantile(hundred, 99), quantile(hundred[:1], 99)), "50 95 99 1"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
