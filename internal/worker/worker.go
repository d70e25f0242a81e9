// Package worker moves spooled events into the store. One worker runs per data directory: it is started detached by a
// hook, holds the lock for its life and exits when nothing comes any more. Drain is the same work in another process, for
// commands that want to show everything. Whatever kills a worker, and wherever, no event is lost and none is stored
// twice: a file is removed only after its transaction is committed, and the event's id is unique in the store. It must not
// import net/http.
package worker

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/spool"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/wake"
)

// Options says where and how a worker works. DataDir exists.
type Options struct {
	DataDir string
	Spool   spool.Spool
	// Idle is how long a worker waits for events before it exits, Poll how often it looks. GiveUp is how long it retries
	// when nothing can be stored; then it exits, and the next hook starts another. Zero is the default: 30 s, 250 ms, 10 min.
	Idle, Poll, GiveUp time.Duration
	// Sinks take what is stored further, each beside the drain. Absent are the names of those that are not configured.
	// NoSend lets the sinks rest: their cursors are kept all the same, so that none misses what is stored meanwhile.
	Sinks  []Sink
	Absent []string
	NoSend bool
	// Changed tells whether the settings that the rest was made of are no longer those in force; nil is never. Then the
	// worker sends nothing more and ends in good order, with ErrChanged.
	Changed func() bool
	// Abandon is how long a turn may be silent before it counts as ended, zero for ever.
	Abandon   time.Duration
	Retention Retention
	// StoreMax is how many bytes the store may take, zero for any: beyond it the oldest events go, sent or not.
	StoreMax int64
	// Watch looks whether agents whose sessions go on still have their hooks, Files whether files that decide what boathook does were
	// changed; nil is not at all. WatchEvery is how often, zero the default.
	Watch      Watcher
	Files      FileWatcher
	WatchEvery time.Duration
	// Beside run beside the worker, each in a goroutine of its own, as long as it does. They end with their contexts. Drain runs none.
	Beside []func(context.Context)
	// Now is for names and time stamps only; waiting doesn't depend on it.
	Now func() time.Time
	// Log gets what a person should know; nil is worker.log in DataDir.
	Log *slog.Logger
}

// Retention is how long contents and rows are kept; zero is for good.
type Retention struct{ Body, Metadata time.Duration }

// Stats is what a pass did. Deferred files stay in the spool, because of an error that may pass.
type Stats struct {
	Stored, Known, Quarantined, Deferred int
	// Dropped is what the spool's cap had removed since the last count.
	Dropped int64
}

// ErrChanged says that the settings are others now: somebody has to begin anew with them. Nothing is lost.
var ErrChanged = errors.New("settings have changed")

// memoryLimit is what the garbage collector of a worker tries to stay below: it runs beside people's work.
const memoryLimit = 46 << 20

// Run drains the spool until nothing has come for the idle time, ctx ends or the process is asked to terminate; a batch
// that is under way is finished. It returns nil at once when another worker runs, and an error when it had to leave
// events in the spool.
func Run(ctx context.Context, o Options) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	o = o.withDefaults()
	l, err := lock.TryLock(o.lockPath())
	if errors.Is(err, lock.ErrHeld) {
		return nil
	}
	if err != nil {
		return err
	}
	o, closeLog := o.withLog()
	defer closeLog()
	ctx, unwatch := o.watched(ctx)
	defer unwatch()
	w := &worker{Options: o, lock: l}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(memoryLimit))
	endBeside := o.runBeside(ctx)
	err = w.run(ctx)
	endBeside()
	if err != nil {
		o.Log.Error("worker gave up", "error", err)
	}
	if changed(ctx) != nil {
		o.Log.Info("settings have changed: the worker begins anew with them")
	}
	return errors.Join(err, changed(ctx), w.closeStore())
}

// Drain makes one pass over the spool, and over what comes in meanwhile, and then lets the sinks send until none is behind.
// It returns lock.ErrHeld when a worker runs. When ctx ends, or with ErrChanged, it finishes the batch and leaves the rest.
func Drain(ctx context.Context, o Options) (Stats, error) {
	o = o.withDefaults()
	l, err := lock.TryLock(o.lockPath())
	if err != nil {
		return Stats{}, err
	}
	o, closeLog := o.withLog()
	defer closeLog()
	ctx, unwatch := o.watched(ctx)
	defer unwatch()
	w := &worker{Options: o, lock: l}
	var all Stats
	for {
		w.begin(ctx)
		err := w.drain(ctx, &all)
		w.stopSinks()
		w.sweep(context.WithoutCancel(ctx), true)
		again, lerr := w.unlockUnlessPending(err == nil && all.Deferred == 0 && ctx.Err() == nil)
		if err != nil || lerr != nil || !again {
			return all, errors.Join(err, lerr, changed(ctx), w.closeStore())
		}
	}
}

// drain stores what waits, and what comes while the sinks are at work.
func (w *worker) drain(ctx context.Context, all *Stats) error {
	for asked := false; ; asked = true {
		s, err := w.pass(ctx)
		all.add(s)
		if s.Stored > 0 || !asked {
			w.sinks.poke(true)
		}
		all.Dropped += w.tidy(context.WithoutCancel(ctx))
		w.keepCap(context.WithoutCancel(ctx))
		settled, stuck := w.sinks.settled(w.GiveUp)
		if err != nil || settled || stuck || ctx.Err() != nil {
			return err
		}
		select {
		case <-ctx.Done():
		case <-time.After(w.Poll):
		}
	}
}

// StorePath is where the store of a data directory is.
func StorePath(dataDir string) string { return filepath.Join(dataDir, store.FileName) }

func (s *Stats) add(t Stats) {
	s.Stored += t.Stored
	s.Known += t.Known
	s.Quarantined += t.Quarantined
	s.Deferred = t.Deferred // they are still the same files
}

func (o Options) lockPath() string { return filepath.Join(o.DataDir, wake.LockFile) }

func (o Options) withDefaults() Options {
	if o.Idle <= 0 {
		o.Idle = 30 * time.Second
	}
	if o.Poll <= 0 {
		o.Poll = 250 * time.Millisecond
	}
	if o.GiveUp <= 0 {
		o.GiveUp = 10 * time.Minute
	}
	if o.WatchEvery <= 0 {
		o.WatchEvery = watchEvery
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

func (o Options) withLog() (Options, func()) {
	if o.Log != nil {
		return o, func() {}
	}
	f := &logFile{path: filepath.Join(o.DataDir, LogFile)}
	o.Log = slog.New(slog.NewTextHandler(f, nil))
	return o, f.close
}
