package worker

import (
	"context"
	"errors"
	"path/filepath"

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
const keepBytes = 4 << 20

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
			w.Log.Warn("store was removed or replaced, opening it again")
			err = errors.Join(errMoved, w.closeStore())
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
