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

// FilesChanged is the name of the event that tells of files that decide what boathook does, and that none of its own commands changed.
// It is the worker's, too; it stands in the newest session that goes on.
const FilesChanged = "FilesChanged"

// watchEvery is how often the hooks and the files are looked at, liveFor how long a session goes on of which nothing is heard.
const (
	watchEvery = 15 * time.Second
	liveFor    = 12 * time.Hour
)

// watch has the hooks and the files looked at, beside everything else: what has to be looked at may be on a disk that hangs, and then
// it is looked at no more. What was found is spooled as hooks do it.
func (w *worker) watch(ctx context.Context) {
	if w.Watch == nil && w.Files == nil {
		return
	}
	select {
	case found := <-w.watched:
		w.watching = false
		w.spoolFound(found)
		return // it is not in the store yet, and would be told again
	default:
	}
	if w.watching || !w.watchedAt.IsZero() && time.Since(w.watchedAt) < w.WatchEvery {
		return
	}
	w.watchedAt = time.Now()
	live, err := w.store.Live(ctx, w.Now().Add(-liveFor), HooksLost, FilesChanged)
	if err != nil {
		w.Log.Warn("sessions can't be looked for", "error", err)
		return
	}
	if len(live) == 0 && w.Files == nil {
		return
	}
	w.watching = true
	if w.watched == nil {
		w.watched = make(chan found, 1)
	}
	go func(out chan<- found) { out <- w.look(live) }(w.watched)
}

// found is what was seen. told is called when all of it is recorded; it may be nil.
type found struct {
	records []record.Record
	told    func()
}

func (w *worker) look(live []store.LiveSession) (out found) {
	var untold []store.LiveSession
	for _, s := range live {
		if !s.Noted {
			untold = append(untold, s)
		}
	}
	if w.Watch != nil && len(untold) > 0 {
		out.records = w.Watch(untold)
	}
	if w.Files != nil {
		changed, told := w.Files(live)
		out.records, out.told = append(out.records, changed...), told
	}
	return out
}

func (w *worker) spoolFound(f found) {
	all := true
	for _, r := range f.records {
		text, err := json.Marshal(r)
		if err == nil {
			err = w.Spool.Append(r.ID, text)
		}
		if err != nil {
			all = false
			w.Log.Warn("something was seen that could not be recorded", "event", r.HostEvent, "agent", r.Agent, "error", err)
			continue
		}
		w.Log.Warn(said(r.HostEvent), "agent", r.Agent, "why", r.Notes)
	}
	if all && f.told != nil {
		f.told()
	}
}

func said(event string) string {
	if event == FilesChanged {
		return "files of boathook's were changed"
	}
	return "hooks are lost while a session goes on"
}

// Watcher tells which of these sessions' agents have lost their hooks, as records of the event HooksLost.
type Watcher func(live []store.LiveSession) []record.Record

// FileWatcher tells, as records of the event FilesChanged, which files were changed by others, in the newest of these sessions. told
// is to be called when they are recorded: from then on they are known as they are.
type FileWatcher func(live []store.LiveSession) (changed []record.Record, told func())
