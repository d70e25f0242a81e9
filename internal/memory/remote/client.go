package remote

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/boathook/boathook/internal/memory"
)

// Client is a memory.Store in another process. When its connection ends the next call makes another one.
type Client struct {
	// dial makes a connection; done, which may be nil, is called once it has ended.
	dial func(context.Context) (l *link, done func(), err error)

	mu     sync.Mutex
	link   *link
	done   func()
	closed bool
	// dialling is held by whoever makes a connection; others wait for it, or for their contexts.
	dialling chan struct{}
}

var _ memory.Store = (*Client)(nil)

func newClient(ctx context.Context, dial func(context.Context) (*link, func(), error)) (*Client, error) {
	c := &Client{dial: dial, dialling: make(chan struct{}, 1)}
	if _, err := c.connected(ctx); err != nil {
		return nil, err
	}
	return c, nil
}

var errClosed = errors.New("memory store is closed")

func (c *Client) current() (*link, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, errClosed
	}
	if c.link != nil && c.link.alive() {
		return c.link, nil
	}
	return nil, nil
}

// connected is the connection, a new one if need be.
func (c *Client) connected(ctx context.Context) (*link, error) {
	if l, err := c.current(); l != nil || err != nil {
		return l, err
	}
	select {
	case c.dialling <- struct{}{}:
		defer func() { <-c.dialling }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if l, err := c.current(); l != nil || err != nil {
		return l, err
	}
	c.release()
	l, done, err := c.dial(ctx)
	if err != nil {
		return nil, unavailable(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		go discard(l, done)
		return nil, errClosed
	}
	c.link, c.done = l, done
	return l, nil
}

func discard(l *link, done func()) {
	if l != nil {
		l.close()
	}
	if done != nil {
		done()
	}
}

// release ends what is left of a connection.
func (c *Client) release() {
	c.mu.Lock()
	l, done := c.link, c.done
	c.link, c.done = nil, nil
	c.mu.Unlock()
	discard(l, done)
}

// ask makes a call. One that changes nothing is made again on a new connection where the old one ended under it, as it does
// when a worker leaves. For a context that has ended nothing is asked.
func (c *Client) ask(ctx context.Context, op string, args, result any) error {
	for tries := 0; ; tries++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		l, err := c.connected(ctx)
		if err != nil {
			return err
		}
		err = l.call(ctx, op, args, result)
		if !errors.Is(err, errGone) || changes(op) || tries > 0 {
			return err
		}
	}
}

// changes tells whether an operation may change a row.
func changes(op string) bool {
	switch op {
	case opWrite, opEmbed, opForget, opRetain:
		return true
	}
	return false
}

// Close ends the connection, and the process at its other end if that was started for it.
func (c *Client) Close() error {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.release()
	return nil
}

// Write implements memory.Store, as do the others.
func (c *Client) Write(ctx context.Context, b memory.Batch) (w memory.Written, err error) {
	return w, c.ask(ctx, opWrite, b, &w)
}

// Find implements memory.Store.
func (c *Client) Find(ctx context.Context, q memory.Query) (memory.Found, error) {
	var f found
	if err := c.ask(ctx, opFind, q, &f); err != nil {
		return memory.Found{}, err
	}
	return f.unpack()
}

// Sessions implements memory.Store.
func (c *Client) Sessions(ctx context.Context, f memory.Filter, at memory.Page, limit int) ([]memory.Session, memory.Page, error) {
	var p sessionsPage
	err := c.ask(ctx, opSessions, listArgs{f, at, limit}, &p)
	return p.Rows, p.Next, err
}

// Entries implements memory.Store.
func (c *Client) Entries(ctx context.Context, f memory.Filter, at memory.Page, limit int) ([]memory.Entry, memory.Page, error) {
	var p entriesPage
	err := c.ask(ctx, opEntries, listArgs{f, at, limit}, &p)
	return p.Rows, p.Next, err
}

// Get implements memory.Store.
func (c *Client) Get(ctx context.Context, f memory.Filter, ids []string) (rows []memory.Entry, err error) {
	return rows, c.ask(ctx, opGet, getArgs{f, ids}, &rows)
}

// Unembedded implements memory.Store.
func (c *Client) Unembedded(ctx context.Context, model string, width, limit int) (rows []memory.Chunk, err error) {
	return rows, c.ask(ctx, opUnembedded, embedArgs{Model: model, Width: width, Limit: limit}, &rows)
}

// Embed implements memory.Store.
func (c *Client) Embed(ctx context.Context, model string, width int, vectors []memory.Embedding) error {
	return c.ask(ctx, opEmbed, embedArgs{Model: model, Width: width, Vectors: vectors}, nil)
}

// Forget implements memory.Store.
func (c *Client) Forget(ctx context.Context, s memory.Selection) (r memory.Removed, err error) {
	return r, c.ask(ctx, opForget, s, &r)
}

// Retain implements memory.Store.
func (c *Client) Retain(ctx context.Context, r memory.Retention, now time.Time) (memory.Removed, bool, error) {
	var out retained
	err := c.ask(ctx, opRetain, retainArgs{r, now}, &out)
	return out.Removed, out.More, err
}

// Occurs implements memory.Store.
func (c *Client) Occurs(ctx context.Context, text string) (n int, err error) {
	return n, c.ask(ctx, opOccurs, text, &n)
}

// Stats implements memory.Store.
func (c *Client) Stats(ctx context.Context, f memory.Filter) (s memory.Stats, err error) {
	return s, c.ask(ctx, opStats, f, &s)
}
