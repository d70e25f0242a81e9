package worker

import (
	"context"
	"encoding/json"
	"time"

	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/store"
)

// HooksLost is the name of the event that tells of an agent whose hooks are gone, or switched off, while a session of it goes
// on. The agent sends none such; the worker makes it.
const HooksLost = "HooksLost"

// watchEvery is how often the hooks are looked at, liveFor how long a session goes on of which nothing is heard.
const (
	watchEvery = 15 * time.Second
	liveFor    = 12 * time.Hour
)

// watch has the hooks looked at, beside everything else: what has to be looked at may be on a disk that hangs, and then it is
// looked at no more. What was found is spooled as hooks do it.
func (w *worker) watch(ctx context.Context) {
	if w.Watch == nil {
		return
	}
	select {
	case found := <-w.watched:
		w.watching = false
		w.spoolLost(found)
		return // it is not in the store yet, and would be told again
	default:
	}
	if w.watching || !w.watchedAt.IsZero() && time.Since(w.watchedAt) < w.WatchEvery {
		return
	}
	w.watchedAt = time.Now()
	live, err := w.store.Live(ctx, w.Now().Add(-liveFor), HooksLost)
	if err != nil {
		w.Log.Warn("sessions can't be looked for", "error", err)
		return
	}
	untold := live[:0]
	for _, s := range live {
		if !s.Noted {
			untold = append(untold, s)
		}
	}
	if len(untold) == 0 {
		return
	}
	w.watching = true
	if w.watched == nil {
		w.watched = make(chan []record.Record, 1)
	}
	go func(out chan<- []record.Record) { out <- w.Watch(untold) }(w.watched)
}

func (w *worker) spoolLost(found []record.Record) {
	for _, r := range found {
		text, err := json.Marshal(r)
		if err == nil {
			err = w.Spool.Append(r.ID, text)
		}
		if err != nil {
			w.Log.Warn("hooks are lost, and that could not be recorded", "agent", r.Agent, "error", err)
			continue
		}
		w.Log.Warn("hooks are lost while a session goes on", "agent", r.Agent, "why", r.Notes)
	}
}

// Watcher tells which of these sessions' agents have lost their hooks, as records of the event HooksLost.
type Watcher func(live []store.LiveSession) []record.Record
