package worker

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/store"
)

// CounterBadRemoved counts the files that were removed from spool/bad, for their age or for lack of room.
const CounterBadRemoved = "quarantine_removed"

// retainEvery is how often the store is looked through for what is too old; the store remembers when.
const (
	retainEvery = time.Hour
	retained    = "retention"
)

// retain does a part of the removal of what is too old, between two looks at the spool.
func (w *worker) retain(ctx context.Context) {
	if w.store == nil || w.Retention == (Retention{}) || !w.lock.Current() || time.Now().Before(w.retainAt) {
		return
	}
	more, err := w.retainStep(ctx)
	if err != nil {
		w.Log.Warn("what is too old isn't removed yet", "error", err)
	}
	if err != nil || !more {
		w.retainAt = time.Now().Add(retainEvery)
	}
}

func (w *worker) retainStep(ctx context.Context) (more bool, err error) {
	now := w.Now()
	last, err := w.store.DoneAt(ctx, retained)
	if age := now.Sub(last); err != nil || age >= 0 && age < retainEvery {
		return false, err
	}
	var r store.Retain
	if w.Retention.Body > 0 {
		r.Body = now.Add(-w.Retention.Body)
	}
	if w.Retention.Metadata > 0 {
		r.Metadata = now.Add(-w.Retention.Metadata)
	}
	done, err := w.store.RetainStep(ctx, r)
	if err != nil || done.More {
		return done.More, err
	}
	removed, err := w.Spool.PruneBad(r.Metadata)
	if err == nil && removed > 0 {
		w.Log.Warn("removed from the quarantine", "files", removed)
		err = w.store.AddCounter(ctx, CounterBadRemoved, int64(removed))
	}
	return false, errors.Join(err, w.store.Done(ctx, retained, now))
}

// Purge removes what matches from the store and from the spool. Beside a worker it waits until what is spooled now has
// been stored, or ctx ends.
func Purge(ctx context.Context, o Options, f store.PurgeFilter) (store.Purged, error) {
	return purge(ctx, o, f.Matches, func(s *store.Store) (store.Purged, error) { return s.Purge(ctx, f) })
}

// PurgeMatching is Purge of the events whose JSON a function selects.
func PurgeMatching(ctx context.Context, o Options, match func(line []byte) bool) (store.Purged, error) {
	return purge(ctx, o, match, func(s *store.Store) (store.Purged, error) { return s.PurgeMatching(ctx, match) })
}

func purge(
	ctx context.Context, o Options, match func([]byte) bool, stored func(*store.Store) (store.Purged, error),
) (store.Purged, error) {
	o = o.withDefaults()
	spooled, err := purgeSpool(ctx, o, match)
	if err != nil {
		return store.Purged{}, err
	}
	if _, err := os.Lstat(StorePath(o.DataDir)); errors.Is(err, fs.ErrNotExist) {
		return store.Purged{Spooled: spooled}, nil
	}
	s, err := store.Open(ctx, StorePath(o.DataDir))
	if err != nil {
		return store.Purged{Spooled: spooled}, err
	}
	done, err := stored(s)
	done.Spooled = spooled
	return done, errors.Join(err, s.Close())
}

// purgeSpool removes waiting events that match. They are the worker's while it runs: then it has to store those that wait now,
// not those that hooks go on to write.
func purgeSpool(ctx context.Context, o Options, match func([]byte) bool) (removed int, err error) {
	begun, err := o.Spool.Pending()
	if err != nil {
		return 0, err
	}
	l, err := lock.TryLock(o.lockPath())
	for errors.Is(err, lock.ErrHeld) {
		names, perr := o.Spool.Pending()
		begun = slices.DeleteFunc(begun, func(name string) bool { _, waits := slices.BinarySearch(names, name); return !waits })
		if perr != nil || len(begun) == 0 {
			return 0, perr
		}
		select {
		case <-ctx.Done():
			return 0, fmt.Errorf("wait for %d spooled events: %w", len(begun), ctx.Err())
		case <-time.After(min(o.Poll, 50*time.Millisecond)):
		}
		l, err = lock.TryLock(o.lockPath())
	}
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, l.Unlock()) }()
	names, err := o.Spool.Pending()
	if err != nil {
		return 0, err
	}
	for _, name := range names {
		b, err := o.Spool.Read(name)
		if err != nil || !match(b) {
			continue // one that can't be read is the worker's to put aside
		}
		if err := o.Spool.Done(name); err != nil {
			return removed, err
		}
		removed++
	}
	return removed, nil
}
