package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/store"
)

// followEvery is how often -f looks for new events.
const followEvery = 250 * time.Millisecond

// logPrinter prints the events of a store.
type logPrinter struct {
	env    *Env
	o      logOptions
	filter store.Filter
	path   string
	store  *store.Store

	table *table
	last  int64 // the newest seq seen
	shown int
}

// list prints what is there.
func (p *logPrinter) list(ctx context.Context) error {
	head, err := p.head(ctx)
	if err != nil {
		return err
	}
	p.last = head
	if p.o.decision == reviewed && p.filter.Limit > 0 {
		return p.listReviewed(ctx)
	}
	return p.store.Each(ctx, p.filter, p.each)
}

// listReviewed looks for marks, which are in the records only, and keeps no more than it may print.
func (p *logPrinter) listReviewed(ctx context.Context) error {
	var kept [][]byte
	f := p.filter
	f.Limit = 0
	err := p.store.Each(ctx, f, func(seq int64, line []byte) error {
		p.last = max(p.last, seq)
		if marked(line) {
			kept = append(kept, line)
			kept = kept[max(0, len(kept)-p.filter.Limit):]
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, line := range kept {
		if err := p.print(line); err != nil {
			return err
		}
	}
	return nil
}

// follow prints what comes until the context ends.
func (p *logPrinter) follow(ctx context.Context) error {
	f := p.filter
	f.Limit, f.Newest = 0, false
	for {
		if err := pause(ctx, followEvery); err != nil {
			return err
		}
		if err := p.reopen(ctx); err != nil {
			return err
		}
		head, err := p.head(ctx)
		if err != nil {
			return err
		}
		if head == p.last {
			continue
		}
		f.AfterSeq = p.last
		if err := p.store.Each(ctx, f, p.each); err != nil {
			return err
		}
		p.last = max(p.last, head)
	}
}

// reopen goes on with the store that took the place of one that was removed or, being damaged, moved aside.
func (p *logPrinter) reopen(ctx context.Context) error {
	if p.store.Current() {
		return nil
	}
	p.close()
	s, err := awaitStore(ctx, p.path)
	p.store, p.last = s, 0
	return err
}

// head is the newest seq there is. What was looked at up to there need not be looked at again, matching or not.
func (p *logPrinter) head(ctx context.Context) (int64, error) {
	var head int64
	err := p.store.Each(ctx, store.Filter{Newest: true, Limit: 1}, func(seq int64, _ []byte) error {
		head = seq
		return nil
	})
	return head, err
}

// close closes a store that was only read: nothing can be lost by it.
func (p *logPrinter) close() {
	if p.store != nil {
		_ = p.store.Close()
	}
}

func (p *logPrinter) each(seq int64, line []byte) error {
	p.last = max(p.last, seq)
	if p.o.decision == reviewed && !marked(line) {
		return nil
	}
	return p.print(line)
}

func (p *logPrinter) print(line []byte) error {
	p.shown++
	if p.o.json {
		_, err := fmt.Fprintf(p.env.Stdout, "%s\n", plainJSON(line))
		return err
	}
	if p.table == nil {
		p.table = newTable(p.env)
		if err := p.table.header(); err != nil {
			return err
		}
	}
	r, err := record.Parse(line)
	if err != nil {
		_, err = fmt.Fprintln(p.env.Stdout, "a record that this version cannot show: "+plain(err.Error()))
		return err
	}
	return p.table.print(r)
}

func marked(line []byte) bool {
	var r struct {
		Decision struct{ Mark string } `json:"decision"`
	}
	return json.Unmarshal(line, &r) == nil && r.Decision.Mark == reviewed
}
