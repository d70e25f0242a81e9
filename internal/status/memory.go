package status

import (
	"context"
	"time"

	"github.com/boathook/boathook/internal/doctor"
	"github.com/boathook/boathook/internal/duration"
	"github.com/boathook/boathook/internal/sink/progress"
	"github.com/boathook/boathook/internal/store"
)

// Memory is whether it is on, how far it is, and what it did today.
type Memory struct {
	Enabled  bool   `json:"enabled"`
	Provider string `json:"provider"`
	Inject   string `json:"inject"`
	Embedder string `json:"embedder"`
	// Behind are events that are not kept yet, Lag since when in seconds.
	Behind int64   `json:"behind_events"`
	Lag    float64 `json:"lag_seconds"`
	// Asked is how often prompts asked it today, Hits how often something was found, Injected how often a model was told.
	Asked    int     `json:"asked_today"`
	Hits     int     `json:"hits_today"`
	Injected int     `json:"injected_today"`
	P95      float64 `json:"p95_ms,omitempty"`
	// Tries have failed since the store last took something.
	Tries int    `json:"failed_tries,omitempty"`
	Error string `json:"error,omitempty"`
}

// newestEvents is how many events are looked at for what memory was asked.
const newestEvents = 2_000

func (s *Status) memory(w *doctor.World) {
	m := w.Settings.Memory
	s.Memory = &Memory{Enabled: m.Enabled, Provider: m.Provider, Inject: m.Inject, Embedder: m.Embedding.Provider}
}

// recalled is what the event store knows of memory.
func (s *Status) recalled(ctx context.Context, w *doctor.World, db *store.Store) error {
	if !s.Memory.Enabled {
		return nil
	}
	now := w.Now()
	y, m, d := now.Date()
	got, err := progress.MemoryOf(ctx, db, now, time.Date(y, m, d, 0, 0, 0, 0, now.Location()), newestEvents)
	if err != nil {
		return err
	}
	k := s.Memory
	k.Behind, k.Lag, k.Asked, k.Hits, k.Injected, k.P95 = got.Behind, got.Lag, got.Asked, got.Hits, got.Injected, got.Latency["p95"]
	if k.Tries, k.Error = got.Tries, w.Foreign(got.Error); k.Tries > 0 {
		s.problem("memory: %s: %s", progress.Failed(k.Tries), k.Error)
	}
	return nil
}

// Text is the row for people.
func (m Memory) Text() string {
	if !m.Enabled {
		return "off; 'boathook memory enable' turns it on"
	}
	text := "on (" + m.Provider + ")"
	if m.Embedder != "none" {
		text += ", vectors by " + m.Embedder
	}
	switch {
	case m.Behind > 0:
		text += ", " + doctor.Count(m.Behind, "event") + " not kept yet, the oldest for " + duration.Text((time.Duration(m.Lag) * time.Second))
	default:
		text += ", all is kept"
	}
	switch m.Inject {
	case "off":
		return text + "; nothing goes into prompts"
	case "review":
		text += "; what fits waits for approval"
	}
	if m.Asked == 0 {
		return text + "; no prompt asked it today"
	}
	return text + "; today " + doctor.Count(int64(m.Asked), "prompt") + " asked it, " + doctor.Count(int64(m.Injected), "answer") + " told"
}
