package worker

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/boathook/boathook/internal/spool"
	"github.com/boathook/boathook/internal/store"
)

// The counters that the worker keeps in the store.
const (
	CounterQuarantined  = "quarantined"
	CounterDropped      = "dropped"
	CounterDroppedBytes = "dropped_bytes"
	CounterCorrupt      = "corrupt_stores"
	// CounterNotKept is what hooks could not write to the spool: a full disk, a quota, a file system that takes no writes.
	CounterNotKept = "not_kept"
)

// keepBytes bounds the events that the store keeps in memory for sinks that keep up.
const keepBytes = 1 << 20

// insertTries bounds how often one batch meets a store that is damaged or taken away.
const insertTries = 4

// insert returns when the rows are in the file that the store's path names. A corrupt store is opened again once, since a
// faulty read may look like it, and then moved aside for a new one.
func (w *worker) insert(ctx context.Context, rows []store.Row) (inserted int, err error) {
	damaged := 0
	for range insertTries {
		inserted, err = w.insertOnce(ctx, rows)
		switch {
		case errors.Is(err, store.ErrCorrupt):
			if damaged++; damaged < 2 {
				err = errors.Join(err, w.closeStore())
				continue
			}
			if merr := w.replaceStore(ctx, err); merr != nil {
				return 0, errors.Join(err, merr)
			}
			damaged = 0
		case err != nil:
			return 0, err
		case w.store.Current():
			return inserted, nil
		default:
			err = errors.Join(errMoved, w.closeMoved(ctx))
		}
	}
	return 0, err
}

var errMoved = errors.New("store was removed or replaced while it was written")

func (w *worker) insertOnce(ctx context.Context, rows []store.Row) (int, error) {
	if err := w.openStore(ctx); err != nil {
		return 0, err
	}
	return w.store.Insert(ctx, rows)
}

func (w *worker) openStore(ctx context.Context) (err error) {
	if w.store != nil {
		return nil
	}
	open := store.Open
	if w.Spool.Fsync {
		// The spool's copy is on the disk: it may go only when the store's is too.
		open = store.OpenDurable
	}
	if w.store, err = open(ctx, StorePath(w.DataDir)); err != nil {
		w.store = nil
		return err
	}
	if err := w.prepareCursors(ctx); err != nil {
		return errors.Join(err, w.closeStore())
	}
	if len(w.Sinks) > 0 && !w.NoSend {
		w.store.Keep(keepBytes)
	}
	w.sinks.set(w.store)
	return nil
}

func (w *worker) closeStore() error {
	if w.store == nil {
		return nil
	}
	s := w.store
	w.sinks.set(nil)
	w.store, w.counted = nil, spool.Totals{} // the next one may be another
	return s.Close()
}

// closeMoved closes a store whose file, or whose log, is no longer the one that its path names. What only the log has goes
// into the file first, which may still be the right one.
func (w *worker) closeMoved(ctx context.Context) error {
	w.Log.Warn("store was removed or replaced, opening it again")
	err := w.store.Checkpoint(ctx)
	return errors.Join(err, w.closeStore())
}

// absentEvery is how often sinks that are not configured are looked at.
const absentEvery = time.Minute

// lookAfter is what is done for the store between two looks at the spool.
func (w *worker) lookAfter(ctx context.Context) {
	if w.store == nil || !w.lock.Current() {
		return
	}
	if !w.store.Current() {
		if err := errors.Join(w.closeMoved(ctx), w.openExisting(ctx)); err != nil {
			w.Log.Warn("store can't be opened again yet", "error", err)
		}
		if w.store == nil {
			return
		}
	}
	if time.Since(w.absentAt) >= absentEvery {
		w.absentAt = time.Now()
		if err := w.heedAbsent(ctx); err != nil {
			w.Log.Warn("sinks that are not configured aren't forgotten yet", "error", err)
		}
	}
	w.keepCap(ctx)
	w.retain(ctx)
	w.watch(ctx)
}

// keepCap removes the oldest events where the store is over its cap, for a short time at once: events may be waiting.
func (w *worker) keepCap(ctx context.Context) {
	if w.store == nil || w.StoreMax <= 0 || !w.lock.Current() {
		return
	}
	if fi, err := os.Lstat(StorePath(w.DataDir)); err != nil || fi.Size() <= w.StoreMax {
		return
	}
	var unsent, events int
	for began := time.Now(); time.Since(began) < capFor; {
		done, err := w.store.CapStep(ctx, w.StoreMax)
		if err != nil {
			w.Log.Warn("cap of the store isn't kept", "error", err)
			break
		}
		unsent, events = unsent+done.Unsent, events+done.Events
		if !done.More {
			break
		}
	}
	// The file becomes smaller with that.
	if err := w.store.Checkpoint(ctx); err != nil {
		w.Log.Warn("cap of the store isn't kept yet", "error", err)
	}
	w.capped += events
	w.cappedUnsent += unsent
	if w.capped > 0 && time.Since(w.capTold) >= capToldEvery {
		w.Log.Warn("store was over its cap (store.max_mb): the oldest events were removed", "events", w.capped, "unsent", w.cappedUnsent)
		w.capped, w.cappedUnsent, w.capTold = 0, 0, time.Now()
	}
}

const (
	capFor       = time.Second
	capToldEvery = time.Minute
)

// replaceStore moves the corrupt store aside and opens a new one.
func (w *worker) replaceStore(ctx context.Context, cause error) error {
	_ = w.closeStore() // a corrupt one may not close in order
	to, err := store.MoveAside(StorePath(w.DataDir), w.Now())
	if err != nil {
		return err
	}
	w.Log.Error("store was corrupt and is replaced", "kept", filepath.Base(to), "error", cause)
	if err := w.openStore(ctx); err != nil {
		return err
	}
	if err := w.store.AddCounter(ctx, CounterCorrupt, 1); err != nil {
		w.Log.Warn("replaced store isn't counted", "error", err)
	}
	return nil
}
