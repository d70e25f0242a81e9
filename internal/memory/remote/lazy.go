package remote

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/boathook/boathook/internal/memory"
)

// Lazy opens a store when it is first asked for, and again after that failed: a database may be down when its service starts.
// Whoever asks waits for it as long as the context says; the opening goes on for those that come next.
type Lazy struct {
	// Open opens the store. Its context ends after openWait, or with Close.
	Open func(context.Context) (memory.Store, error)

	mu     sync.Mutex
	store  memory.Store
	trying *attempt
	// failed is the last failure, and again when the next attempt may begin.
	failed error
	again  time.Time
	closed bool
	cancel context.CancelFunc
}

type attempt struct {
	done  chan struct{}
	store memory.Store
	err   error
}

// openWait bounds one attempt; retryWait is how long one that failed speaks for those that come after it.
const (
	openWait  = 30 * time.Second
	retryWait = 500 * time.Millisecond
)

// Store is what Server.Store wants.
func (l *Lazy) Store(ctx context.Context) (memory.Store, error) {
	a, store, err := l.begin()
	if a == nil {
		return store, err
	}
	select {
	case <-a.done:
		return a.store, a.err
	case <-ctx.Done():
		return nil, unavailable(errors.Join(errors.New("connect to the memory database"), ctx.Err()))
	}
}

// Warm begins to open the store, for those that will ask.
func (l *Lazy) Warm() { _, _, _ = l.begin() }

func (l *Lazy) begin() (*attempt, memory.Store, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.closed:
		return nil, nil, errClosed
	case l.store != nil:
		return nil, l.store, nil
	case l.trying != nil:
		return l.trying, nil, nil
	case l.failed != nil && time.Now().Before(l.again):
		return nil, nil, l.failed
	}
	ctx, cancel := context.WithTimeout(context.Background(), openWait)
	a := &attempt{done: make(chan struct{})}
	l.trying, l.cancel = a, cancel
	go func() {
		defer cancel()
		store, err := l.Open(ctx)
		l.finish(a, store, err)
	}()
	return a, nil, nil
}

func (l *Lazy) finish(a *attempt, store memory.Store, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer close(a.done)
	l.trying = nil
	if err == nil && l.closed {
		_ = store.Close()
		store, err = nil, errClosed
	}
	a.store, a.err = store, err
	l.store, l.failed, l.again = store, err, time.Now().Add(retryWait)
	if err != nil {
		l.store = nil
	}
}

// Close closes what was opened, and ends an attempt.
func (l *Lazy) Close() error {
	l.mu.Lock()
	l.closed = true
	store, cancel := l.store, l.cancel
	l.store = nil
	l.mu.Unlock()
	if cancel != nil {
		cancel()
	}
	if store == nil {
		return nil
	}
	return store.Close()
}
