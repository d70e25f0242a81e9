package doctor

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/worker"
)

// lostFor is how long it is told that an agent lost its hooks.
const lostFor = 24 * time.Hour

// hooksLost tells of sessions that went on without their hooks, as the worker saw it. They may be back.
func hooksLost(ctx context.Context, w *World) []Result {
	if !isThere(worker.StorePath(w.Settings.DataDir)) {
		return nil
	}
	s, err := w.Open(ctx)
	if err != nil {
		return nil // the store's checks say so
	}
	defer func() { _ = s.Close() }() // it was only read
	texts, err := s.Named(ctx, worker.HooksLost, w.Now().Add(-lostFor))
	if err != nil {
		return nil // the store's checks say so
	}
	var out []Result
	told := map[string]bool{}
	for _, text := range texts {
		var r struct {
			Agent string
			Time  time.Time
			Notes []string
		}
		if json.Unmarshal([]byte(text), &r) != nil || told[r.Agent] || !w.wants(r.Agent) {
			continue
		}
		told[r.Agent] = true
		why := strings.TrimPrefix(strings.Join(r.Notes, "; "), "hooks lost: ")
		out = append(out, warn("boathook log --agent "+r.Agent+" shows the sessions", "a session of %s went on without its hooks, at %s: %s",
			r.Agent, r.Time.Local().Format(time.DateTime), w.Foreign(why)))
	}
	return orOK(out, "no session of the last day was seen without its hooks")
}
