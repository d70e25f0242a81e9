package progress

import (
	"context"
	"slices"
	"time"

	"github.com/boathook/boathook/internal/store"
)

// The names of memory's cursor and of its counters (package sink/memory).
const (
	memorySink    = "memory"
	memoryTaken   = "memory_rows"
	memoryRefused = "memory_refused"
	memoryFailed  = "memory_failed"
)

// Memory is how far memory is, and how it did when prompts asked it. The names of the JSON are those of the metrics.
type Memory struct {
	// Known says that memory was on at all.
	Known bool `json:"-"`
	// SuccessRate is the share of the rows that memory took of those that it was given, since the store was made.
	SuccessRate float64 `json:"ltm_ingest_success_rate"`
	Lag         float64 `json:"ltm_ingest_lag_seconds"`
	Behind      int64   `json:"ltm_spool_queue_depth"`
	// Latency are quantiles of what memory took of hooks, in milliseconds: p50, p95, p99.
	Latency map[string]float64 `json:"ltm_retrieval_latency_ms,omitempty"`
	HitRate float64            `json:"ltm_context_hit_rate"`
	// Asked is how often it was asked since the time that was given, Hits how often something was found, Injected how often that
	// was told to a model.
	Asked    int `json:"asked"`
	Hits     int `json:"hits"`
	Injected int `json:"injected"`
	// Tries have failed since the last success, for the reason Error.
	Tries int    `json:"failed_tries,omitempty"`
	Error string `json:"error,omitempty"`
}

// MemoryOf looks at what the event store knows of memory. Of what prompts asked since a time it looks at the newest so many events.
func MemoryOf(ctx context.Context, s *store.Store, now, since time.Time, events int) (m Memory, err error) {
	c, known, err := s.Cursor(ctx, memorySink)
	if err != nil {
		return m, err
	}
	m.Known, m.Tries, m.Error, m.SuccessRate = known, c.Tries, c.Error, 1
	if known {
		if m.Behind, _, err = s.Lag(ctx, c); err != nil {
			return m, err
		}
	}
	if m.Behind > 0 {
		first, err := s.After(ctx, c.Event, 1, 1)
		if err != nil {
			return m, err
		}
		if len(first) > 0 && !first[0].Damaged {
			m.Lag = max(0, now.Sub(first[0].Record.Time).Seconds())
		}
	}
	counts, err := s.Counters(ctx)
	if err != nil {
		return m, err
	}
	if all := counts[memoryTaken] + counts[memoryRefused] + counts[memoryFailed]; all > 0 {
		m.SuccessRate = float64(counts[memoryTaken]) / float64(all)
	}
	return m, m.recalls(ctx, s, since, events)
}

func (m *Memory) recalls(ctx context.Context, s *store.Store, since time.Time, events int) error {
	list, err := s.Recalls(ctx, since, events)
	var took []float64
	for _, r := range list {
		switch r.Outcome {
		case "sampled_out":
			continue
		case "injected":
			m.Injected++
			m.Hits++
		case "held", "repeated":
			m.Hits++
		}
		m.Asked++
		took = append(took, r.TookMS)
	}
	if len(took) == 0 {
		return err
	}
	m.HitRate = float64(m.Hits) / float64(m.Asked)
	slices.Sort(took)
	m.Latency = map[string]float64{"p50": quantile(took, 50), "p95": quantile(took, 95), "p99": quantile(took, 99)}
	return err
}

// quantile is the smallest that so many of a hundred do not exceed.
func quantile(sorted []float64, percent int) float64 {
	return sorted[min(len(sorted)-1, (len(sorted)*percent+99)/100-1)]
}
