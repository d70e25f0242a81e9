package worker

import (
	"context"
	"time"

	"github.com/boathook/boathook/internal/store"
)

// Sink takes stored events to a destination, from its own cursor in the store. A sink isn't called concurrently with
// itself; other sinks and the drain work beside it.
type Sink interface {
	// Name is the name of its cursor.
	Name() string
	// Pass takes to the destination what is behind the cursor, and moves the cursor with what the destination has taken. It
	// returns when all is taken, ctx ends, or the destination can't be served now. An error is one of the store's; what the
	// destination does wrong is in the result and in the cursor.
	Pass(ctx context.Context, s *store.Store) (Passed, error)
}

// Eager is a Sink that may know better than its cursor when it is due: its settings may have been mended since it failed.
type Eager interface {
	Sink
	// Due tells whether what failed may be tried before its time has come.
	Due(c store.Cursor) bool
}

// early tells whether a sink is due though its cursor waits.
func early(s Sink, c store.Cursor) bool {
	e, ok := s.(Eager)
	return ok && e.Due(c)
}

// Passed is what a pass of a sink came to.
type Passed struct {
	// Events and Turns were taken by the destination.
	Events, Turns int
	// Behind says that something is still to be taken; Next is when to try that again, zero for at once.
	Behind bool
	Next   time.Time
}

type flushing struct{}

// Flushing tells a sink's pass that somebody waits for it, or that the worker is about to leave: what is only held back
// to be sent together with more should be sent now. A destination that refused is left alone for as long as it asked.
func Flushing(ctx context.Context) bool { return ctx.Value(flushing{}) != nil }

func withFlush(ctx context.Context) context.Context { return context.WithValue(ctx, flushing{}, true) }
