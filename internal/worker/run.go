package worker

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/spool"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/wake"
)

// maxBackoff bounds the wait between two tries while the store or the disk refuses.
const maxBackoff = 30 * time.Second

// worker is one holder of the lock. It isn't used concurrently.
type worker struct {
	Options
	lock  *lock.Lock
	store *store.Store
	// counted are the numbers of the spool that the open store has heard of.
	counted spool.Totals
	sinks   *runners
	// swept and flushed are when turns were looked through, and which request to send everything was heard last.
	swept, flushed time.Time
	// retainAt is when to look for what is too old.
	retainAt time.Time
	// absentAt is when sinks that are not configured were looked at, capTold when it was said that the cap removed something,
	// and capped what it has removed since, unsent ones among them.
	absentAt, capTold    time.Time
	capped, cappedUnsent int
	// watchedAt is when the hooks were looked at, watching that they are, and watched gets what was found.
	watchedAt time.Time
	watching  bool
	watched   chan found
	// leaving says that the sinks have been asked for all since the last event.
	leaving bool
}

// begin is what has to be done under a lock that was just taken, before anything is stored. A store that can't be opened
// now is met again when there is something to store.
func (w *worker) begin(ctx context.Context) {
	if err := w.openExisting(ctx); err != nil {
		w.Log.Warn("store can't be opened yet", "error", err)
	}
	w.sweep(ctx, true)
	w.flushed = flushAsked(w.DataDir)
	w.startSinks(ctx)
}

// sweepEvery is how often silent turns are looked for.
const sweepEvery = 5 * time.Second

// sweep ends the turns that have been silent for too long.
func (w *worker) sweep(ctx context.Context, now bool) {
	if w.store == nil || w.Abandon <= 0 || !now && time.Since(w.swept) < sweepEvery || !w.lock.Current() {
		return
	}
	w.swept = time.Now()
	ended, err := w.store.Sweep(ctx, w.Now().Add(-w.Abandon))
	if err != nil && ctx.Err() == nil {
		w.Log.Warn("silent turns aren't ended yet", "error", err)
	}
	if ended > 0 {
		w.sinks.poke(false)
	}
}

// run works until it may exit, in the order that leaves nothing behind. A hook spools first and probes the lock then:
// either it finds the lock free and starts a worker, or it was spooled before the unlock and the look after that finds it.
func (w *worker) run(ctx context.Context) error {
	for {
		w.begin(ctx)
		err := w.untilIdle(ctx)
		w.stopSinks()
		w.sweep(context.WithoutCancel(ctx), true)
		w.enforce()
		w.tidy(context.WithoutCancel(ctx))
		orderly := err == nil && w.lock.Current()
		if orderly {
			// Only a worker that died delays the next start.
			wake.Forget(w.DataDir)
		}
		again, lerr := w.unlockUnlessPending(orderly && ctx.Err() == nil)
		if err != nil || lerr != nil || !again {
			return errors.Join(err, lerr)
		}
	}
}

// unlockUnlessPending frees the lock. When events came in before it did, it takes the lock again, unless another worker
// has done so, and reports that there is work.
func (w *worker) unlockUnlessPending(look bool) (again bool, err error) {
	gone := !w.lock.Current()
	if err := w.lock.Unlock(); err != nil || gone || !look {
		return false, err
	}
	names, err := w.Spool.Pending()
	if err != nil || len(names) == 0 {
		return false, err
	}
	l, err := lock.TryLock(w.lockPath())
	if errors.Is(err, lock.ErrHeld) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	w.lock = l
	return true, nil
}

// untilIdle returns nil when nothing came for the idle time, ctx ended or the data directory vanished. Time is measured
// by timers, which a clock that is set doesn't move.
func (w *worker) untilIdle(ctx context.Context) error {
	idle := time.NewTimer(w.Idle)
	defer idle.Stop()
	patience := time.NewTimer(w.GiveUp)
	defer patience.Stop()
	for tries := 0; w.lock.Current(); {
		s, err := w.pass(ctx)
		w.report(s, err)
		if errors.Is(err, store.ErrNewer) {
			return err // no retry of this version's will help
		}
		stuck := err != nil || s.Deferred > 0
		if stuck {
			w.enforce()
		}
		if stuck || s.moved() {
			w.tidy(context.WithoutCancel(ctx))
		}
		if s.moved() {
			idle.Reset(w.Idle)
			w.leaving = false
		}
		w.sweep(ctx, false)
		w.heedFlush()
		w.lookAfter(context.WithoutCancel(ctx))
		wait := w.Poll
		if stuck && !s.moved() {
			wait = w.backoff(tries, err == nil)
			tries++
		} else {
			tries = 0
			patience.Reset(w.GiveUp)
		}
		if done, err := w.sleep(ctx, wait, idle, patience, stuck, err); done {
			return err
		}
	}
	return nil
}

// sleep waits for the next look at the spool. A worker that is stuck isn't idle: events wait for it.
func (w *worker) sleep(
	ctx context.Context, wait time.Duration, idle, patience *time.Timer, stuck bool, cause error,
) (done bool, err error) {
	idleC, patienceC := idle.C, patience.C
	if stuck {
		idleC = nil
	} else {
		patienceC = nil
	}
	select {
	case <-ctx.Done():
		return true, nil
	case <-idleC:
		// What came since the last look is worth another round under the same lock.
		idle.Reset(w.Idle)
		names, err := w.Spool.Pending()
		if err == nil && len(names) > 0 {
			return false, nil
		}
		return w.sinksLetGo(idle), nil
	case <-patienceC:
		return true, fmt.Errorf("nothing stored for %s: %w", w.GiveUp, orDeferred(cause))
	case <-time.After(wait):
		return false, nil
	}
}

// sinksLetGo tells whether an idle worker may leave. Sinks that hold something back are asked for it; those that can't get
// rid of it are waited for, but not for ever: the next hook starts a worker that goes on where they were.
func (w *worker) sinksLetGo(idle *time.Timer) bool {
	settled, stuck := w.sinks.settled(w.GiveUp)
	if settled || stuck {
		return true
	}
	if !w.leaving {
		w.leaving = true
		w.sinks.poke(true)
	}
	idle.Reset(max(w.Poll, min(w.Idle, time.Second)))
	return false
}

func orDeferred(err error) error {
	if err == nil {
		return errDeferred
	}
	return err
}

var errDeferred = errors.New("files can't be read or moved")

// backoff doubles from Poll up to a limit, and takes between a half and the whole of that, so that workers of many
// machines don't press a shared disk in step. Where only single files make trouble the others shouldn't wait long.
func (o Options) backoff(tries int, singleFiles bool) time.Duration {
	limit := maxBackoff
	if singleFiles {
		limit = 8 * o.Poll
	}
	d := max(limit, o.Poll)
	if tries < 16 {
		d = min(d, o.Poll<<tries)
	}
	return d/2 + rand.N(d/2+1)
}

func (s Stats) moved() bool { return s.Stored+s.Known+s.Quarantined > 0 }

func (w *worker) report(s Stats, err error) {
	if err != nil {
		w.Log.Warn("events stay in the spool", "error", err)
	}
	if s.moved() {
		w.Log.Debug("drained", "stored", s.Stored, "known", s.Known, "quarantined", s.Quarantined, "deferred", s.Deferred)
	}
}
