package worker

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/ownfile"
	"github.com/boathook/boathook/internal/store"
)

// FlushFile is touched by one who waits for a running worker: its sinks shall hold nothing back.
const FlushFile = "worker.flush"

// Left is what is still on its way.
type Left struct {
	// Spooled counts the events that are not in the store, Behind for each sink the events and turns that it hasn't taken.
	Spooled int
	Behind  map[string]int64
}

// Any tells whether anything is.
func (l Left) Any() bool { return l.Spooled > 0 || len(l.Behind) > 0 }

// Flush stores and sends everything, itself or through the worker that runs, until nothing is left or ctx ends: then Left
// says what is. The end of ctx is no error. With ErrChanged it has to be called again, with the new settings.
func Flush(ctx context.Context, o Options) (Left, error) {
	for {
		_, err := Drain(ctx, o)
		if err != nil && !errors.Is(err, lock.ErrHeld) {
			left, lerr := Look(context.WithoutCancel(ctx), o)
			return left, errors.Join(err, lerr)
		}
		if o.Changed != nil && o.Changed() {
			return Left{}, ErrChanged
		}
		left, err := wait(ctx, o, true)
		if err != nil || !left.Any() || ctx.Err() != nil {
			return left, err
		}
	}
}

// Wait has a running worker send everything and waits until it has, or ctx ends: then Left says what is left. The end of
// ctx is no error. It only reads, so that any process may wait.
func Wait(ctx context.Context, o Options) (Left, error) { return wait(ctx, o, false) }

// wait returns early, where it is told to, when there is no worker any more.
func wait(ctx context.Context, o Options, needWorker bool) (Left, error) {
	o = o.withDefaults()
	if err := askFlush(o.DataDir, o.Now()); err != nil {
		return Left{}, err
	}
	for {
		left, err := Look(context.WithoutCancel(ctx), o)
		if err != nil || !left.Any() || ctx.Err() != nil || needWorker && !lock.Held(o.lockPath()) {
			return left, err
		}
		select {
		case <-ctx.Done():
		case <-time.After(min(o.Poll, 50*time.Millisecond)):
		}
	}
}

// Look counts what is still on its way: in the spool, and for the sinks of o in the store.
func Look(ctx context.Context, o Options) (Left, error) {
	names, err := o.Spool.Pending()
	if err != nil {
		return Left{}, err
	}
	left := Left{Spooled: len(names)}
	if len(o.Sinks) == 0 {
		return left, nil
	}
	s, err := store.OpenReadOnly(ctx, StorePath(o.DataDir))
	if errors.Is(err, fs.ErrNotExist) {
		return left, nil // nothing was ever stored
	}
	if err != nil {
		return left, err
	}
	defer func() { _ = s.Close() }()
	for _, sink := range o.Sinks {
		c, ok, err := s.Cursor(ctx, sink.Name())
		if err != nil {
			return left, err
		}
		if !ok {
			continue
		}
		events, turns, err := s.Lag(ctx, c)
		if err != nil {
			return left, err
		}
		if events+turns > 0 {
			if left.Behind == nil {
				left.Behind = map[string]int64{}
			}
			left.Behind[sink.Name()] = events + turns
		}
	}
	return left, nil
}

func askFlush(dataDir string, now time.Time) error {
	path := filepath.Join(dataDir, FlushFile)
	f, err := ownfile.Open(path, os.O_WRONLY|os.O_CREATE)
	if err != nil {
		return fmt.Errorf("ask worker to send: %w", err)
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("ask worker to send: %w", err)
	}
	if err := os.Chtimes(path, now, now); err != nil {
		return fmt.Errorf("ask worker to send: %w", err)
	}
	return nil
}

// flushAsked is when somebody asked last.
func flushAsked(dataDir string) time.Time {
	fi, err := os.Lstat(filepath.Join(dataDir, FlushFile))
	if err != nil {
		return time.Time{}
	}
	return fi.ModTime()
}

func (w *worker) heedFlush() {
	if asked := flushAsked(w.DataDir); !asked.Equal(w.flushed) {
		w.flushed = asked
		w.sinks.poke(true)
	}
}
