package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/store"
)

// followEvery is how often -f looks for new events.
const followEvery = 250 * time.Millisecond

// logPrinter prints the events of a store.
type logPrinter struct {
	env      *Env
	o        logOptions
	filter   store.Filter
	match    match
	dir      string
	settings config.Settings
	path     string
	store    *store.Store

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
	if p.match != nil && p.filter.Limit > 0 {
		return p.listMatching(ctx)
	}
	return p.store.Each(ctx, p.filter, p.each)
}

// listMatching prints the newest that match, when only the records tell. It looks at ever more of the newest events until
// it has enough of them, and keeps no more than it may print.
func (p *logPrinter) listMatching(ctx context.Context) error {
	f := p.filter
	for f.Limit = min(f.Limit, 1<<20) * 2; ; f.Limit *= 4 {
		var kept [][]byte
		seen := 0
		err := p.store.Each(ctx, f, func(seq int64, line []byte) error {
			p.last = max(p.last, seq)
			seen++
			if p.match.line(line) {
				kept = append(kept, line)
				kept = kept[max(0, len(kept)-p.filter.Limit):]
			}
			return nil
		})
		if err != nil {
			return err
		}
		if len(kept) == p.filter.Limit || seen < f.Limit {
			return p.printAll(kept)
		}
	}
}

func (p *logPrinter) printAll(lines [][]byte) error {
	for _, line := range lines {
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
	if !p.match.line(line) {
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
