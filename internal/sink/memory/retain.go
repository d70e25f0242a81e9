package memory

import (
	"context"
	"errors"
	"reflect"
	"time"

	rows "github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/recall"
)

const (
	// retainEvery is how often memory is looked through for what is too old; the event store remembers when.
	retainEvery = time.Hour
	retained    = "memory_retention"
	// maxSteps bounds what is removed between two looks at the events.
	maxSteps = 20
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
	if t.sink.DataDir != "" {
		recall.Prune(t.sink.DataDir, now)
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, rows.ErrDenied): // a writer's login may not
		t.sink.Log.Info("what is too old in memory waits for an admin: 'boathook memory prune' with the login of one removes it", "reason", t.sink.masked(err.Error()))
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
