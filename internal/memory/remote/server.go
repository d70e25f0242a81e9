package remote

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/boathook/boathook/internal/memory"
)

// Server answers for a store. Its connections are served concurrently, and the calls of each.
type Server struct {
	// Version is this program's.
	Version string
	// Store is who is asked. It is called once for each question; Lazy makes one.
	Store func(context.Context) (memory.Store, error)
	// Fingerprint is what a connection without settings of its own has to name.
	Fingerprint string
	// Hide takes secrets out of an error's text; nil leaves it.
	Hide func(string) string

	note string // goes into the welcome
}

// How long a connection may take to say hello, and to take an answer; how many questions of one may be under way.
const (
	helloWait = 5 * time.Second
	writeWait = 30 * time.Second
	maxCalls  = 128
)

// Serve answers one connection whose hello has to name the Fingerprint. It ends with the connection, or with ctx, closes it, and
// cancels what was under way.
func (s *Server) Serve(ctx context.Context, conn io.ReadWriteCloser) error {
	return s.serve(ctx, conn, func(h hello) error {
		if h.Settings != nil || h.Fingerprint != s.Fingerprint {
			return errOther
		}
		return nil
	})
}

// serve answers a connection whose hello is accepted.
func (s *Server) serve(ctx context.Context, conn io.ReadWriteCloser, accept func(hello) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	closed := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer func() {
		if closed() {
			_ = conn.Close()
		}
	}()
	p := &peer{server: s, conn: conn, in: bufio.NewReaderSize(conn, 64<<10), calls: map[uint64]context.CancelFunc{}}
	if err := p.greet(accept); err != nil {
		return err
	}
	defer p.running.Wait()
	defer cancel()
	for {
		f, err := readFrame(p.in, maxFrame)
		if errors.Is(err, io.EOF) || ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		if f.Op == opCancel {
			p.cancel(f.ID)
			continue
		}
		p.begin(ctx, f)
	}
}

// peer is one connection.
type peer struct {
	server   *Server
	conn     io.ReadWriteCloser
	in       *bufio.Reader
	readOnly bool
	running  sync.WaitGroup

	mu    sync.Mutex
	calls map[uint64]context.CancelFunc

	out sync.Mutex // one frame is written at a time
}

func (p *peer) greet(accept func(hello) error) error {
	timer := time.AfterFunc(helloWait, func() { _ = p.conn.Close() })
	f, err := readFrame(p.in, maxHello)
	timer.Stop()
	if err != nil {
		return err
	}
	var h hello
	if err := json.Unmarshal(f.body, &h); f.Op != opHello || err != nil {
		return fmt.Errorf("read hello: %w", errors.Join(errFrame, err))
	}
	err = mismatch(p.server.Version, h.Version)
	if h.Protocol == protocol { // else what it says means something else
		err = accept(h)
	}
	if err != nil {
		return errors.Join(err, p.answer(head{ID: f.ID, Error: toWire(err, p.server.hide)}, nil))
	}
	p.readOnly = h.ReadOnly
	return p.answer(head{ID: f.ID}, welcome{Protocol: protocol, Version: p.server.Version, Note: p.server.note})
}

func (s *Server) hide(text string) string {
	if s.Hide == nil {
		return text
	}
	return s.Hide(text)
}

// begin answers one question, beside others.
func (p *peer) begin(serving context.Context, f frame) {
	within := 24 * time.Hour
	if f.Within > 0 {
		within = time.Duration(min(f.Within, within.Microseconds())) * time.Microsecond
	}
	ctx, cancel := context.WithTimeout(serving, within)
	p.mu.Lock()
	_, twice := p.calls[f.ID]
	full := len(p.calls) >= maxCalls
	if !twice && !full {
		p.calls[f.ID] = cancel
	}
	p.mu.Unlock()
	if twice || full {
		cancel()
		err := fmt.Errorf("%w: it has %d questions of this connection to answer", memory.ErrUnavailable, maxCalls)
		_ = p.answer(head{ID: f.ID, Error: toWire(err, p.server.hide)}, nil) // the reader will see what is wrong
		return
	}
	p.running.Go(func() {
		defer cancel()
		result, err := p.do(ctx, f)
		p.mu.Lock()
		delete(p.calls, f.ID)
		p.mu.Unlock()
		h := head{ID: f.ID}
		if err != nil && serving.Err() != nil {
			err = fmt.Errorf("%w: its service ends", memory.ErrUnavailable)
		}
		if err != nil {
			h.Error, result = toWire(err, p.server.hide), nil
		}
		_ = p.answer(h, result) // as above
	})
}

func (p *peer) cancel(id uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if stop := p.calls[id]; stop != nil {
		stop()
	}
}

// do survives a panic: one question must not take the others with it.
func (p *peer) do(ctx context.Context, f frame) (result any, err error) {
	defer func() {
		if thrown := recover(); thrown != nil {
			result, err = nil, fmt.Errorf("%s: panic with %T", f.Op, thrown) // what is thrown may hold contents
		}
	}()
	op := operationOf(f.Op)
	if op == nil {
		return nil, fmt.Errorf("%w: no operation %.40q", errFrame, f.Op)
	}
	if p.readOnly && changes(f.Op) {
		return nil, fmt.Errorf("%s: %w: the connection is for reading", f.Op, memory.ErrDenied)
	}
	store, err := p.server.Store(ctx)
	if err != nil {
		return nil, err
	}
	return op(ctx, store, f.body)
}

// answer writes a frame. A peer that takes none for too long is given up.
func (p *peer) answer(h head, body any) error {
	b, err := encodeFrame(h, body)
	if err != nil {
		b, err = encodeFrame(head{ID: h.ID, Error: toWire(err, p.server.hide)}, nil)
	}
	if err != nil {
		return err
	}
	p.out.Lock()
	defer p.out.Unlock()
	timer := time.AfterFunc(writeWait, func() { _ = p.conn.Close() })
	defer timer.Stop()
	if _, err := p.conn.Write(b); err != nil {
		_ = p.conn.Close()
		return fmt.Errorf("answer: %w", err)
	}
	return nil
}
