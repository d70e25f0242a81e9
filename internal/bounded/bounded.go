// Package bounded runs what may hang, and waits for it no longer than it may take. It is on the hook path: what follows one another
// runs in one goroutine, whose stack has grown then, and nearly everything is done before a timer would have to be set.
package bounded

import (
	"runtime"
	"sync"
	"time"
)

// Do runs f and tells whether it ended in time; f goes on if not, so that the caller must not use what it writes. A panic in f counts
// as an end: who wants to know of it recovers in f.
func Do(limit time.Duration, f func()) bool {
	h := take(f)
	runtime.Gosched() // f's turn, if nobody else has taken it
	select {
	case whole := <-h.done:
		return h.give(whole)
	default:
	}
	// In slices: where a hundred processes want one core, each of them ends late, and f has had as little of the core as we. A disk
	// that hangs costs the limit all the same.
	timer := time.NewTimer(limit / slices)
	defer timer.Stop()
	for n := 1; ; n++ {
		select {
		case whole := <-h.done:
			return h.give(whole)
		case <-timer.C:
		}
		if n >= slices {
			close(h.jobs) // it ends with what it does now
			return false
		}
		timer.Reset(limit / slices)
	}
}

const slices = 20

// hand is a goroutine that runs one thing after another. done says of each that it ended, and is closed with the goroutine.
type hand struct {
	jobs chan func()
	done chan bool
}

// idle are the hands that have nothing to do.
var idle struct {
	sync.Mutex
	hands []*hand
}

func take(f func()) *hand {
	idle.Lock()
	defer idle.Unlock()
	if n := len(idle.hands); n > 0 {
		h := idle.hands[n-1]
		idle.hands = idle.hands[:n-1]
		h.jobs <- f
		return h
	}
	h := &hand{jobs: make(chan func(), 1), done: make(chan bool, 1)}
	h.jobs <- f
	go h.run()
	return h
}

// give makes a hand idle again, if it is whole.
func (h *hand) give(whole bool) bool {
	if whole {
		idle.Lock()
		idle.hands = append(idle.hands, h)
		idle.Unlock()
	}
	return true
}

func (h *hand) run() {
	defer close(h.done) // also where f ends its goroutine
	for f := range h.jobs {
		call(f)
		h.done <- true
	}
}

func call(f func()) {
	defer func() { _ = recover() }()
	f()
}
