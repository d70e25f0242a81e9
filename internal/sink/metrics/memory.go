package metrics

import (
	"context"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/otlp"
	"github.com/boathook/boathook/internal/store"
)

// memorySink is the name of memory's cursor, and these are its counters in the store (package sink/memory).
const (
	memorySink    = "memory"
	memoryTaken   = "memory_rows"
	memoryRefused = "memory_refused"
	memoryFailed  = "memory_failed"
)

func memoryCounters() []counter {
	return []counter{
		{memoryTaken, "boathook.memory.rows", "{row}", "Messages and tool calls that memory took, as hooks told them."},
		{memoryRefused, "boathook.memory.refused", "{row}", "Messages and tool calls that memory refused for good."},
		{memoryFailed, "boathook.memory.failed", "{row}", "Messages and tool calls of tries that memory did not take."},
	}
}

// memory is how far memory is.
type memory struct {
	// on says that it has a cursor, events how many wait for it, since when the oldest, tries how many failures it had.
	on     bool
	events int64
	since  time.Time
	tries  int
}

// lookAtMemory finds out when the oldest event happened that memory has not taken.
func lookAtMemory(ctx context.Context, st *store.Store, c store.Cursor, events int64) (memory, error) {
	m := memory{on: true, events: events, tries: c.Tries}
	if events == 0 {
		return m, nil
	}
	first, err := st.After(ctx, c.Event, 1, 1)
	if err == nil && len(first) > 0 && !first[0].Damaged {
		m.since = first[0].Record.Time
	}
	return m, err
}

// ingest are the rows that memory took, refused, and failed to take.
type ingest struct {
	Taken   int64 `json:"taken,omitempty"`
	Refused int64 `json:"refused,omitempty"`
	Failed  int64 `json:"failed,omitempty"`
}

func (v seen) ingest() ingest {
	return ingest{v.counts[memoryTaken], v.counts[memoryRefused], v.counts[memoryFailed]}
}

// ltm are the gauges of memory, under the names of its design. What is called a rate is a share, from 0 to 1.
func (v seen) ltm(counts *state, at uint64, now time.Time) []otlp.Metric {
	if !v.memory.on {
		return nil
	}
	lag := 0.0
	if !v.memory.since.IsZero() {
		lag = max(0, now.Sub(v.memory.since).Seconds())
	}
	gauge := func(name, unit, description string, value any) otlp.Metric {
		return otlp.Metric{Name: name, Unit: unit, Description: description, Gauge: []otlp.Number{{Time: at, Value: value}}}
	}
	out := []otlp.Metric{
		gauge("ltm_ingest_success_rate", "{share}", "Share of the rows that memory took of those that it was given since the last export.",
			v.memory.success(counts.Ingest, v.ingest())),
		gauge("ltm_ingest_lag_seconds", "s", "Time since the oldest event that memory has not taken.", lag),
		gauge("ltm_spool_queue_depth", "{event}", "Events that memory has not taken.", v.memory.events),
	}
	if share, asked := hits(counts.Sums[recalls]); asked {
		out = append(out, gauge("ltm_context_hit_rate", "{share}", "Share of the questions to memory that found something.", share))
	}
	return out
}

// success is the share of rows that were taken between two looks. Where nothing was tried all is well, unless memory waits after a failure.
func (m memory) success(before, now ingest) float64 {
	taken, lost := now.Taken-before.Taken, now.Refused-before.Refused+now.Failed-before.Failed
	switch {
	case taken < 0 || lost < 0: // another store
		return 1
	case taken+lost > 0:
		return float64(taken) / float64(taken+lost)
	case m.tries > 0 && m.events > 0:
		return 0
	}
	return 1
}

// hits is the share of questions whose answer was told, waits for a person's approval, or had been told in the session before.
func hits(sums map[string]int64) (share float64, asked bool) {
	var hit, all int64
	for key, n := range sums {
		_, outcome, _ := strings.Cut(key, separator)
		switch outcome {
		case "sampled_out":
			continue
		case "injected", "held", "repeated":
			hit += n
		}
		all += n
	}
	if all == 0 {
		return 0, false
	}
	return float64(hit) / float64(all), true
}
