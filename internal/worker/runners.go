package worker

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"sync"
	"time"

	"github.com/boathook/boathook/internal/store"
)

// A worker that leaves gives a request that is under way so long to be answered (Linger), and the sinks a little more to
// note the answer.
const (
	lingerWait = 3 * time.Second
	stopWait   = lingerWait + time.Second
)

// Linger is the context of a request that was begun before ctx ended. It ends somewhat later: a destination that has taken
// what was sent to it should be able to say so, or it would be sent again. What is called with it must not begin when ctx
// has ended.
func Linger(ctx context.Context) (context.Context, context.CancelFunc) {
	lingers, cancel := context.WithCancel(context.WithoutCancel(ctx))
	unwatch := context.AfterFunc(ctx, func() {
		select {
		case <-time.After(lingerWait):
			cancel()
		case <-lingers.Done():
		}
	})
	return lingers, func() { unwatch(); cancel() }
}

// runners are the sinks of a worker while they run.
type runners struct {
	all    []*runner
	cancel context.CancelFunc
	done   sync.WaitGroup
	// store is the one that passes work with.
	mu    sync.Mutex
	store *store.Store
}

// startSinks begins to run the sinks; every one looks at the store once.
func (w *worker) startSinks(ctx context.Context) {
	if len(w.Sinks) == 0 || w.NoSend {
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	rs := &runners{cancel: cancel}
	rs.set(w.store)
	for _, sink := range w.Sinks {
		r := &runner{
			Options: w.Options, sink: sink, share: rs.share, wake: make(chan struct{}, 1), due: true, progress: time.Now(),
		}
		rs.all = append(rs.all, r)
		rs.done.Go(func() { r.run(ctx) })
	}
	w.sinks = rs
}

// stopSinks ends what the sinks do. One that doesn't listen is left behind: it has a store of its own to finish with.
func (w *worker) stopSinks() {
	rs := w.sinks
	if rs == nil {
		return
	}
	w.sinks = nil
	rs.set(nil)
	rs.cancel()
	stopped := make(chan struct{})
	go func() { rs.done.Wait(); close(stopped) }()
	select {
	case <-stopped:
	case <-time.After(stopWait):
		w.Log.Warn("a sink did not stop in time")
	}
}

func (rs *runners) set(s *store.Store) {
	if rs == nil {
		return
	}
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.store = s
}

func (rs *runners) share() *store.Store {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.store == nil || !rs.store.Share() {
		return nil
	}
	return rs.store
}

func (rs *runners) poke(flush bool) {
	if rs == nil {
		return
	}
	for _, r := range rs.all {
		r.poke(flush)
	}
}

// settled tells whether all sinks have taken all. stuck says that those which haven't had no success for so long.
func (rs *runners) settled(patience time.Duration) (settled, stuck bool) {
	settled, stuck = true, true
	if rs == nil {
		return true, true
	}
	for _, r := range rs.all {
		if done, progress := r.state(); !done {
			settled = false
			stuck = stuck && time.Since(progress) >= patience
		}
	}
	return settled, stuck
}

// openExisting opens the store if there is one, or will be: what waits in the spool needs one.
func (w *worker) openExisting(ctx context.Context) error {
	if _, err := os.Lstat(StorePath(w.DataDir)); errors.Is(err, fs.ErrNotExist) {
		return nil // made with the first event
	}
	return w.openStore(ctx)
}

// prepareCursors gives every sink a cursor before anything is stored: a sink that is new begins here. Those that are absent
// lose theirs after a while, so that they begin anew when they are configured again.
func (w *worker) prepareCursors(ctx context.Context) error {
	for _, sink := range w.Sinks {
		if err := w.store.Present(ctx, sink.Name(), w.Now()); err != nil {
			return err
		}
	}
	return w.heedAbsent(ctx)
}

func (w *worker) heedAbsent(ctx context.Context) error {
	for _, name := range w.Absent {
		if err := w.store.Absent(ctx, name, w.Now()); err != nil {
			return err
		}
	}
	return nil
}
