package remote

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/boathook/boathook/internal/memory"
)

// link is the caller's end of one connection. Calls may be made concurrently; each ends with its context, whatever the other end
// does. Once anything is wrong with the connection, all of it is over.
type link struct {
	conn io.ReadWriteCloser
	// out takes frames to the one goroutine that writes, notes those that nobody waits for.
	out, notes chan []byte
	dead       chan struct{}

	mu      sync.Mutex
	next    uint64
	pending map[uint64]chan frame
	why     error
}

// maxNotes is how many cancellations may wait for a slow peer. What is cancelled ends with its deadline anyway.
const maxNotes = 64

func newLink(conn io.ReadWriteCloser) *link {
	l := &link{
		conn: conn, out: make(chan []byte), notes: make(chan []byte, maxNotes), dead: make(chan struct{}), pending: map[uint64]chan frame{},
	}
	go l.write()
	go l.read()
	return l
}

// greet says hello and checks who answers.
func (l *link) greet(ctx context.Context, h hello) (welcome, error) {
	var w welcome
	if err := l.call(ctx, opHello, h, &w); err != nil {
		return w, err
	}
	if w.Protocol != protocol || !sameVersion(w.Version, h.Version) {
		return w, mismatch(w.Version, h.Version)
	}
	return w, nil
}

// fail ends the connection. The first reason is the one.
func (l *link) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.why != nil {
		return
	}
	l.why = &classified{text: err.Error(), is: []error{memory.ErrUnavailable, errGone}, cause: err}
	close(l.dead)
	_ = l.conn.Close()
}

// alive tells whether the connection may still be used.
func (l *link) alive() bool {
	select {
	case <-l.dead:
		return false
	default:
		return true
	}
}

func (l *link) reason() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.why
}

func (l *link) write() {
	for {
		var b []byte
		select {
		case <-l.dead:
			return
		case b = <-l.out:
		case b = <-l.notes:
		}
		if _, err := l.conn.Write(b); err != nil {
			l.fail(fmt.Errorf("ask the memory service: %w", err))
			return
		}
	}
}

func (l *link) read() {
	r := bufio.NewReaderSize(l.conn, 64<<10)
	for {
		f, err := readFrame(r, maxFrame)
		if err != nil {
			l.fail(fmt.Errorf("the memory service has gone: %w", err))
			return
		}
		l.mu.Lock()
		waiting := l.pending[f.ID]
		delete(l.pending, f.ID)
		l.mu.Unlock()
		if waiting != nil {
			waiting <- f // it has room for the one answer
		}
	}
}

// call asks one thing, and puts the answer where result points; nil wants none.
func (l *link) call(ctx context.Context, op string, args, result any) error {
	id, answer := l.register()
	defer l.forget(id)
	within := int64(0)
	if deadline, ok := ctx.Deadline(); ok {
		within = max(time.Until(deadline).Microseconds(), 1)
	}
	question, err := encodeFrame(head{ID: id, Op: op, Within: within}, args)
	if err != nil {
		return fmt.Errorf("%w: %w", memory.ErrPoison, err) // no later try would fit, either
	}
	select {
	case l.out <- question:
	case <-l.dead:
		return l.reason()
	case <-ctx.Done():
		return fmt.Errorf("ask the memory service to %s: %w", op, ctx.Err())
	}
	var f frame
	select {
	case f = <-answer:
	case <-l.dead:
		return l.reason()
	case <-ctx.Done():
		l.cancel(id)
		return fmt.Errorf("ask the memory service to %s: %w", op, ctx.Err())
	}
	if f.Error != nil {
		return f.Error.error()
	}
	if result == nil {
		return nil
	}
	if err := json.Unmarshal(f.body, result); err != nil {
		err = fmt.Errorf("read the memory service's answer: %w", err)
		l.fail(err)
		return l.reason()
	}
	return nil
}

func (l *link) register() (uint64, chan frame) {
	answer := make(chan frame, 1)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.next++
	l.pending[l.next] = answer
	return l.next, answer
}

func (l *link) forget(id uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.pending, id)
}

// cancel tells the other end that nobody waits, if it listens.
func (l *link) cancel(id uint64) {
	note, err := encodeFrame(head{ID: id, Op: opCancel}, nil)
	if err != nil {
		return
	}
	select {
	case l.notes <- note:
	default:
	}
}

// close ends the connection in good order.
func (l *link) close() { l.fail(errGone) }
