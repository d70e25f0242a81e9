package worker

import (
	"context"
	"errors"
	"time"
)

// watched gives a context that ends when the settings change, whatever the worker is at.
func (o Options) watched(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	if o.Changed != nil {
		go func() {
			for !o.Changed() {
				select {
				case <-ctx.Done():
					return
				case <-time.After(o.Poll):
				}
			}
			cancel(ErrChanged)
		}()
	}
	return ctx, func() { cancel(nil) }
}

// changed is ErrChanged where that ended the context.
func changed(ctx context.Context) error {
	if cause := context.Cause(ctx); errors.Is(cause, ErrChanged) {
		return cause
	}
	return nil
}

// freshEvery is how often settings that have changed are looked at again.
const freshEvery = 50 * time.Millisecond

// Fresh tells whether something may be sent by settings that may have changed. Where they have it waits: for the end of
// ctx, which is the worker's answer to that, or for their return. A nil function says that they never do.
func Fresh(ctx context.Context, changed func() bool) bool {
	for ctx.Err() == nil {
		if changed == nil || !changed() {
			return true
		}
		select {
		case <-ctx.Done():
		case <-time.After(freshEvery):
		}
	}
	return false
}
