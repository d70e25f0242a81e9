package doctor

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/selfwatch"
	"github.com/boathook/boathook/internal/worker"
)

// lostFor is how long it is told that an agent lost its hooks.
const lostFor = 24 * time.Hour

// hooksLost tells of sessions that went on without their hooks, as the worker saw it. They may be back.
func hooksLost(ctx context.Context, w *World) []Result {
	var out []Result
	told := map[string]bool{}
	for _, text := range w.seen(ctx, worker.HooksLost) {
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

// seen are the newest events of the last day that the worker made of what it saw.
func (w *World) seen(ctx context.Context, name string) []string {
	if !isThere(worker.StorePath(w.Settings.DataDir)) {
		return nil
	}
	s, err := w.Open(ctx)
	if err != nil {
		return nil // the store's checks say so
	}
	defer func() { _ = s.Close() }()                      // it was only read
	texts, _ := s.Named(ctx, name, w.Now().Add(-lostFor)) // the store's checks say why there are none
	return texts
}

// filesChanged tells of files that decide what boathook does, and that others changed, as the worker saw it.
func filesChanged(ctx context.Context, w *World) []Result {
	var out []Result
	told := map[string]bool{}
	for _, text := range w.seen(ctx, worker.FilesChanged) {
		var r struct {
			Time  time.Time
			Notes []string
		}
		if json.Unmarshal([]byte(text), &r) != nil {
			continue
		}
		for _, note := range r.Notes {
			what := strings.TrimPrefix(note, selfwatch.Note)
			path := what[:max(strings.IndexByte(what, ' '), 0)]
			if !told[path] {
				told[path] = true
				out = append(out, warn("look at it, if it was not you; 'boathook log' shows what went on then",
					"seen at %s: %s, by no command of boathook's", r.Time.Local().Format(time.DateTime), w.Foreign(what)))
			}
		}
	}
	return orOK(out, "no file that decides what boathook does was changed by others in the last day")
}
