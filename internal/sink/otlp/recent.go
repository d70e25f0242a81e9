package otlp

import (
	"context"

	"github.com/boathook/boathook/internal/store"
)

// recent remembers the last events that a call or a turn began or ended with, so that their spans need no look at the store.
type recent struct {
	byID  map[string]*store.Placed
	order []string
	bytes int
	// removals is the store's count of them as it was when the first event was remembered.
	removals int64
}

// The bounds of what is remembered.
const (
	recentEvents = 1024
	recentBytes  = 8 << 20
)

// current forgets everything after a removal, by whichever process: what was purged must not be sent from here.
func (c *recent) current(ctx context.Context, st *store.Store) error {
	n, err := st.Removals(ctx)
	if err == nil && n != c.removals {
		*c = recent{removals: n}
	}
	return err
}

func (c *recent) add(p *store.Placed) {
	kept := *p
	kept.Record.Raw = nil // no span of a call or a turn is made of it
	size := weight(&kept)
	if size > recentBytes/8 {
		return
	}
	if c.byID == nil {
		c.byID = map[string]*store.Placed{}
	}
	if _, known := c.byID[p.Record.ID]; known {
		return
	}
	c.byID[p.Record.ID] = &kept
	c.order = append(c.order, p.Record.ID)
	c.bytes += size
	for len(c.order) > recentEvents || c.bytes > recentBytes {
		oldest := c.order[0]
		c.order = c.order[1:]
		c.bytes -= weight(c.byID[oldest])
		delete(c.byID, oldest)
	}
}

func weight(p *store.Placed) int { return 512 + p.Bytes }
