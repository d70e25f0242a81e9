package worker

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/boathook/boathook/internal/store"
)

// maxRest bounds how long a sink rests. A time beyond it comes of a clock that was set, and is over.
const maxRest = time.Hour

// runner runs one sink in a goroutine of its own.
type runner struct {
	Options
	sink Sink
	// share gives a store to work with, which the runner closes; nil when none is open.
	share func() *store.Store
	wake  chan struct{}

	mu sync.Mutex
	// due says that a pass has to be made, busy that one is under way.
	due, busy, flush bool
	last             Passed
	// restUntil is when the next pass may begin, fails how many ended with an error since one that didn't.
	restUntil time.Time
	fails     int
	// progress is when something was taken last, or there was nothing to take.
	progress time.Time
}

func (r *runner) run(ctx context.Context) {
	r.rest(ctx)
	for {
		wait, ready := r.next()
		if ready && !Fresh(ctx, r.Changed) {
			return
		}
		if ready {
			r.pass(ctx)
			continue
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-r.wake:
		case <-timer.C:
		}
		timer.Stop()
		if ctx.Err() != nil {
			return
		}
	}
}

// rest honours what a worker before this one was asked by the destination.
func (r *runner) rest(ctx context.Context) {
	s := r.share()
	if s == nil {
		return
	}
	defer func() { _ = s.Close() }()
	if c, ok, err := s.Cursor(ctx, r.sink.Name()); err == nil && ok && !early(r.sink, c) {
		r.mu.Lock()
		r.restUntil = r.after(c.Next)
		r.mu.Unlock()
	}
}

// after is when a wall clock's time comes, by the clock that nobody sets.
func (r *runner) after(at time.Time) time.Time {
	wait := at.Sub(r.Now())
	if at.IsZero() || wait <= 0 || wait > maxRest {
		return time.Time{}
	}
	return time.Now().Add(wait)
}

// next tells whether a pass has to begin now, and else for how long there is nothing to do but to be woken.
func (r *runner) next() (wait time.Duration, ready bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.due && !r.last.Behind {
		return maxRest, false
	}
	if wait := time.Until(r.restUntil); wait > 0 && !r.flush {
		return wait, false
	}
	r.due, r.busy = false, true
	return 0, true
}

func (r *runner) pass(ctx context.Context) {
	r.mu.Lock()
	if r.flush {
		ctx = withFlush(ctx)
	}
	r.flush = false
	r.mu.Unlock()
	passed, err := Passed{}, error(nil)
	if s := r.share(); s != nil {
		passed, err = r.try(ctx, s)
		giveBack(s)
		_ = s.Close()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.busy, r.last = false, passed
	switch {
	case err != nil && ctx.Err() == nil:
		r.Log.Warn("sink failed", "sink", r.sink.Name(), "error", err)
		r.last.Behind = true
		r.restUntil = time.Now().Add(r.backoff(r.fails, false))
		r.fails++
	default:
		r.fails, r.restUntil = 0, r.after(passed.Next)
		if passed.Behind && passed.Next.IsZero() && passed.Events+passed.Turns == 0 {
			r.restUntil = time.Now().Add(r.Poll) // a sink that neither works nor waits must not keep a core busy
		}
	}
	if passed.Events+passed.Turns > 0 || !r.last.Behind {
		r.progress = time.Now()
	}
}

// try makes a pass that survives a panic. What is thrown may hold contents and isn't logged.
func (r *runner) try(ctx context.Context, s *store.Store) (passed Passed, err error) {
	defer func() {
		if thrown := recover(); thrown != nil {
			err = fmt.Errorf("panic with %T", thrown)
			r.Log.Error("sink panicked", "sink", r.sink.Name(), "value", fmt.Sprintf("%T", thrown), "stack", string(debug.Stack()))
		}
	}()
	c, ok, err := s.Cursor(ctx, r.sink.Name())
	if err != nil {
		return Passed{}, err
	}
	if !ok {
		if err := s.Present(ctx, r.sink.Name(), r.Now()); err != nil {
			return Passed{}, err
		}
	}
	if ok && c.Tries > 0 && r.after(c.Next).After(time.Now()) && !early(r.sink, c) {
		if behind, err := s.Behind(ctx, c); err != nil || behind {
			return Passed{Behind: behind, Next: c.Next}, err
		}
	}
	return r.sink.Pass(ctx, s)
}

// poke asks for a pass, or with flush for one that holds nothing back.
func (r *runner) poke(flush bool) {
	r.mu.Lock()
	r.due = true
	r.flush = r.flush || flush
	r.mu.Unlock()
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// state tells whether the sink has taken all that it knows of, and since when it has had no success.
func (r *runner) state() (settled bool, progress time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !r.due && !r.busy && !r.last.Behind, r.progress
}
