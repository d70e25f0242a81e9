package memory

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"time"

	rows "github.com/boathook/boathook/internal/memory"
)

const (
	// retainEvery is how often memory is looked through for what is too old; the event store remembers when.
	retainEvery = time.Hour
	retained    = "memory_retention"
	// maxSteps bounds what is removed between two looks at the events.
	maxSteps = 20
	// recallDir keeps which session was told what; nobody asks after recallAge.
	recallDir = "recall"
	recallAge = 30 * 24 * time.Hour
)

// retain removes what is too old. What fails is tried again an hour later, and holds up nothing.
func (t *taking) retain(ctx context.Context) error {
	now := t.sink.Now()
	last, err := t.events.DoneAt(ctx, retained)
	if err != nil {
		return err
	}
	if age := now.Sub(last); age >= 0 && age < retainEvery {
		return nil
	}
	more, err := t.remove(ctx, now)
	err = errors.Join(err, t.sink.pruneRecall(now))
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		t.sink.Log.Warn("what is too old in memory isn't removed yet", "reason", t.sink.masked(err.Error()))
	case more:
		t.passed.Behind, t.passed.Next = true, now.Add(time.Second)
		return nil
	}
	return t.events.Done(ctx, retained, now)
}

func (t *taking) remove(ctx context.Context, now time.Time) (more bool, err error) {
	if reflect.DeepEqual(t.sink.Retention, rows.Retention{}) {
		return false, nil
	}
	st, err := t.sink.open(ctx)
	if err != nil {
		return false, err
	}
	for range maxSteps {
		if _, more, err = st.Retain(ctx, t.sink.Retention, now); err != nil || !more {
			return false, err
		}
	}
	return true, nil
}

// pruneRecall removes the notes of sessions that are long over. Only regular files of the directory itself go.
func (s *Sink) pruneRecall(now time.Time) error {
	if s.DataDir == "" {
		return nil
	}
	dir := filepath.Join(s.DataDir, recallDir)
	if fi, err := os.Lstat(dir); err != nil || !fi.IsDir() {
		return nil // there is none, or it is somebody's link
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("look through %s: %w", dir, err)
	}
	for _, e := range entries {
		fi, err := e.Info()
		if err != nil || !fi.Mode().IsRegular() || now.Sub(fi.ModTime()) < recallAge {
			continue
		}
		if err := os.Remove(filepath.Join(dir, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove a note of recall: %w", err)
		}
	}
	return nil
}
