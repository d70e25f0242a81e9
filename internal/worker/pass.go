package worker

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime/debug"
	"strings"

	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/spool"
	"github.com/boathook/boathook/internal/store"
)

// A batch is one transaction: so many events, or less where they are large. A listing of the spool is bounded, too.
const (
	batchRows  = 256
	batchBytes = 2 << 20
	listNames  = 20_000
)

// batch is rows with the names of their files, and what reading them came to.
type batch struct {
	rows  []store.Row
	names []string
	bytes int
	// poison are files that are no events, and why.
	poison []poisoned
	// deferred counts files that can't be read now.
	deferred int
	// stored is closed when nobody needs a large batch any more.
	stored chan struct{}
}

// large tells whether a batch takes much memory: the next one isn't read before it is stored.
func (b *batch) large() bool { return b.bytes > 2*batchBytes }

type poisoned struct {
	name   string
	reason error
}

// pass stores everything that waits now. A file that is no event is put aside, one that can't be read now is left for
// later, and neither keeps the others. An error means that nothing can be stored now; the spool keeps the rest.
func (w *worker) pass(ctx context.Context) (Stats, error) {
	var s Stats
	for {
		names, more, err := w.Spool.Oldest(listNames)
		if err != nil {
			return s, err
		}
		before := s
		s.Deferred = 0 // what was left before is met again
		if err := w.storeAll(ctx, names, &s); err != nil {
			return s, err
		}
		if !more || s == before || ctx.Err() != nil || !w.lock.Current() {
			return s, nil
		}
	}
}

// storeAll stores the named events: while one batch is stored the next is read.
func (w *worker) storeAll(ctx context.Context, names []string, s *Stats) error {
	ctx, cancel := context.WithCancel(ctx)
	batches := w.loadAll(ctx, names)
	defer func() {
		cancel()
		for range batches { // nothing reads the spool any more when this returns
		}
	}()
	for {
		b, ok := <-batches
		if !ok {
			return nil
		}
		large := b.large()
		s.Deferred += b.deferred
		for _, p := range b.poison {
			w.quarantine(p.name, p.reason, s)
		}
		err := w.storeBatch(context.WithoutCancel(ctx), b, s)
		if large {
			stored := b.stored
			b = batch{}
			giveBack(w.store)
			close(stored)
		}
		if err != nil {
			return err
		}
		if ctx.Err() != nil || !w.lock.Current() {
			return nil
		}
	}
}

// loadAll reads batches ahead until ctx ends.
func (w *worker) loadAll(ctx context.Context, names []string) <-chan batch {
	out := make(chan batch)
	go func() {
		defer close(out)
		for len(names) > 0 && ctx.Err() == nil {
			var b batch
			b, names = w.load(names)
			stored := make(chan struct{})
			b.stored = stored
			large := b.large()
			select {
			case out <- b:
			case <-ctx.Done():
				return
			}
			b = batch{}
			if !large {
				continue
			}
			select {
			case <-stored:
			case <-ctx.Done():
			}
		}
	}()
	return out
}

// giveBack returns the memory that large events took: a worker runs beside people's work.
func giveBack(s *store.Store) {
	if s != nil && s.Shed() {
		debug.FreeOSMemory()
	}
}

// load reads the next batch and returns the names behind it.
func (w *worker) load(names []string) (batch, []string) {
	var b batch
	for i, name := range names {
		if len(b.rows) >= batchRows || b.bytes >= batchBytes {
			return b, names[i:]
		}
		row, err := w.read(name)
		switch {
		case err == nil:
			b.rows, b.names = append(b.rows, row), append(b.names, name)
			b.bytes += len(row.JSON)
		case errors.Is(err, fs.ErrNotExist): // the cap took it
		case errors.Is(err, errPoison):
			b.poison = append(b.poison, poisoned{name, err})
		default:
			w.Log.Warn("event can't be read now", "file", name, "error", err)
			b.deferred++
		}
	}
	return b, nil
}

// errPoison marks an error that no retry can cure.
var errPoison = errors.New("not an event")

func (w *worker) read(name string) (store.Row, error) {
	b, err := w.Spool.Read(name)
	for _, poison := range []error{spool.ErrForeign, spool.ErrTooBig, spool.ErrUnreadable} {
		if errors.Is(err, poison) {
			return store.Row{}, fmt.Errorf("%w: %w", errPoison, err)
		}
	}
	if err != nil {
		return store.Row{}, err
	}
	parse := record.Parse
	if len(b) > keepBytes { // then the store won't keep the record, and needs but few of its fields
		parse = record.ParseBare
	}
	r, err := parse(b)
	if err != nil {
		return store.Row{}, fmt.Errorf("%w: %w", errPoison, err)
	}
	// An id that is stored already would make the content vanish.
	if r.ID != strings.TrimSuffix(name, ".json") {
		return store.Row{}, fmt.Errorf("%w: the file's name isn't the record's id", errPoison)
	}
	return store.Row{Record: r, JSON: b}, nil
}

func (w *worker) quarantine(name string, reason error, s *Stats) {
	if err := w.Spool.Quarantine(name, reason.Error()); err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			w.Log.Warn("file can't be quarantined now", "file", name, "reason", reason, "error", err)
			s.Deferred++
		}
		return
	}
	w.Log.Warn("quarantined", "file", name, "reason", reason)
	s.Quarantined++
}

// storeBatch commits the batch and removes its files, in that order. A row that the store rejects is found by storing
// them one by one.
func (w *worker) storeBatch(ctx context.Context, b batch, s *Stats) error {
	if len(b.rows) == 0 {
		return nil
	}
	inserted, err := w.insert(ctx, b.rows)
	if errors.Is(err, store.ErrRejected) {
		if len(b.rows) == 1 {
			w.quarantine(b.names[0], err, s)
			return nil
		}
		for i := range b.rows {
			if err := w.storeBatch(ctx, batch{rows: b.rows[i : i+1], names: b.names[i : i+1]}, s); err != nil {
				return err
			}
		}
		return nil
	}
	if err != nil {
		return err
	}
	removed := 0
	for _, name := range b.names {
		if err := w.Spool.Done(name); err != nil {
			w.Log.Warn("stored event can't be removed from the spool", "error", err)
			s.Deferred++
			continue
		}
		removed++
	}
	if inserted > 0 {
		w.sinks.poke(false)
	}
	s.Stored += inserted
	s.Known += max(0, removed-inserted)
	return nil
}
