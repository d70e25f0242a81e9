package otlp

import "github.com/boathook/boathook/internal/store"

// recent remembers the last events that a call or a turn began or ended with, so that their spans need no look at the store.
type recent struct {
	byID  map[string]*store.Placed
	order []string
	bytes int
}

// The bounds of what is remembered.
const (
	recentEvents = 1024
	recentBytes  = 8 << 20
)

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
