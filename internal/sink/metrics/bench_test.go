package metrics

import (
	"encoding/json"
	"testing"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/store"
)

// BenchmarkFold is the cost of one event beside reading it, and the size of the state after it.
func BenchmarkFold(b *testing.B) {
	var events []store.Placed
	for n, kind := range canon.Kinds() {
		for _, agent := range []string{"gemini", "antigravity"} {
			events = append(events, store.Placed{Record: made(n, func(r *record.Record) {
				r.Agent, r.Event.Event = agent, kind
				r.Hook.Redactions = map[string]int{"jwt": 1}
				r.Guard = &record.Guard{Outcome: "allow", DurationMS: 12}
			})})
		}
	}
	s := newState(begin, nil)
	n := 0
	for b.Loop() {
		s.foldEvent(&events[n%len(events)])
		n++
	}
	text, err := json.Marshal(s)
	must(b, err)
	b.ReportMetric(float64(len(text)), "state-B")
}
