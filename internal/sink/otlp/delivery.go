package otlp

import (
	"context"
	"fmt"
	"time"

	wire "github.com/boathook/boathook/internal/otlp"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/worker"
)

// delivery is one run from a cursor on. It sends items in their order and moves the cursor behind each request that was
// accepted, so that nothing accepted is sent again and nothing else is passed.
type delivery struct {
	sink   *Sink
	store  *store.Store
	cursor store.Cursor
	passed *worker.Passed
	// proven says that something was accepted in this run. held counts the spans that were refused since: the cursor stays
	// before them until another is accepted, since a destination that refuses everything may be the wrong one.
	proven bool
	// taken is when something was accepted last, in this run or before.
	taken  time.Time
	held   int
	heldTo position
	why    wire.Result
	// counts are to be added once the cursor has moved.
	counts map[string]int64
	// stopped says that the destination can't be served now.
	stopped bool
}

// maxHeld refused spans in a row are no fault of the spans.
const maxHeld = 8

// run sends one batch while the next is read.
func (d *delivery) run(ctx context.Context) error {
	d.counts = map[string]int64{}
	reading, cancel := context.WithCancel(ctx)
	next := d.read(reading, positionOf(d.cursor))
	defer func() {
		cancel()
		<-next // the sink's memory is the reader's until then
	}()
	for {
		b := <-next
		if b.err != nil || len(b.items) == 0 {
			next = closed()
			if b.err != nil {
				return b.err
			}
			return d.finish(ctx)
		}
		next = d.read(reading, b.end)
		for rest := b.items; len(rest) > 0 && !d.stopped; {
			if err := d.fresh(ctx, b); err != nil || d.stopped {
				return err
			}
			n := requestOf(rest, d.sink.limit)
			if err := d.send(ctx, rest[:n]); err != nil {
				return err
			}
			rest = rest[n:]
		}
		if d.stopped {
			return nil
		}
	}
}

// fresh stops where something was removed since the batch was read: it may hold what was purged, and is read again.
func (d *delivery) fresh(ctx context.Context, b batch) error {
	n, err := d.store.Removals(ctx)
	if err == nil && n != b.removals {
		d.stopped, d.passed.Behind = true, true
	}
	return err
}

// read loads a batch in the background. The channel gives it, and then nothing more.
func (d *delivery) read(ctx context.Context, from position) <-chan batch {
	out := make(chan batch, 1)
	go func() {
		defer close(out)
		out <- d.sink.load(ctx, d.store, from)
	}()
	return out
}

func closed() <-chan batch {
	out := make(chan batch)
	close(out)
	return out
}

// send sends items, and the halves of what is refused.
func (d *delivery) send(ctx context.Context, items []item) error {
	if d.stopped {
		return nil
	}
	spans := count(items)
	if spans == 0 {
		return d.advance(ctx, items)
	}
	r := d.sink.Client.SendTraces(ctx, d.sink.request(items))
	switch {
	case r.Outcome == wire.Accepted:
		return d.accepted(ctx, items, r)
	case r.Outcome != wire.Refused:
		return d.fail(ctx, r)
	case spans == 1:
		return d.reduced(ctx, items, r)
	}
	if r.Status == statusTooLarge {
		d.sink.limit = max(d.sink.limit/2, leastBytes)
	}
	half := len(items) / 2
	if err := d.send(ctx, items[:half]); err != nil {
		return err
	}
	return d.send(ctx, items[half:])
}

const statusTooLarge = 413

// reduced sends a span that was refused alone once more, without its attributes. That may be taken where they were too
// many or too long; and where it is refused as well, the destination may not be one for spans at all.
func (d *delivery) reduced(ctx context.Context, items []item, refused wire.Result) error {
	bare := make([]item, len(items))
	for i, it := range items {
		if it.span != nil {
			it.span = skeleton(it.span)
		}
		bare[i] = it
	}
	r := d.sink.Client.SendTraces(ctx, d.sink.request(bare))
	switch r.Outcome {
	case wire.Accepted:
		d.add(countReduced, 1-r.Rejected)
		return d.accepted(ctx, items, r)
	case wire.Refused:
	default:
		return d.fail(ctx, r)
	}
	d.held++
	d.heldTo = items[len(items)-1].pos
	d.tally(items)
	d.why = refused
	if d.held >= maxHeld {
		return d.failHeld(ctx)
	}
	return nil
}

// finish is the end of all that is stored. Refused spans at the end are dropped if the destination took others.
func (d *delivery) finish(ctx context.Context) error {
	switch {
	case d.held == 0:
		return nil
	case d.proven:
		return d.move(ctx, d.heldTo)
	}
	return d.failHeld(ctx)
}

func (d *delivery) failHeld(ctx context.Context) error {
	r := d.why
	r.Outcome = wire.Misconfigured
	r.Message = fmt.Sprintf("nothing but refusals, %d spans in a row; is this an OTLP endpoint for traces? %s", d.held, r.Message)
	return d.fail(ctx, r)
}

func (d *delivery) accepted(ctx context.Context, items []item, r wire.Result) error {
	d.add(countRejected, r.Rejected)
	d.sink.heed(r)
	d.proven, d.taken = true, d.sink.Now()
	return d.advance(ctx, items)
}

// advance moves the cursor behind the items. Items without a span prove nothing: behind refused ones they wait with them.
func (d *delivery) advance(ctx context.Context, items []item) error {
	d.tally(items)
	end := items[len(items)-1].pos
	if d.held > 0 && count(items) == 0 {
		d.heldTo = end
		return nil
	}
	return d.move(ctx, end)
}

// move writes the cursor, also when ctx has ended: what was accepted must not be sent again. Where it can't be written, it
// is owed.
func (d *delivery) move(ctx context.Context, to position) error {
	if d.held > 0 {
		d.add(countRefused, int64(d.held))
		d.sink.Log.Warn("spans were refused, each alone, and are dropped", "spans", d.held, "status", d.why.Status, "reason", d.why.Message)
		d.held = 0
	}
	c := store.Cursor{Name: Name, Event: to.event, Turn: to.turn, State: to.state(), Moved: d.taken}
	events, turns, counts := d.counted(countedEvents), d.counted(countedTurns), d.counts
	d.counts = map[string]int64{}
	if err := d.sink.owed.Write(ctx, d.store, d.cursor, c, counts); err != nil {
		return err
	}
	d.passed.Events += events
	d.passed.Turns += turns
	d.cursor = c
	return nil
}

// fail notes when the next try is due. Nothing is noted where it was this process that broke off.
func (d *delivery) fail(ctx context.Context, r wire.Result) error {
	d.stopped = true
	d.passed.Behind = true
	if ctx.Err() != nil {
		return nil
	}
	c := d.cursor
	c.Tries++
	c.Next = d.sink.Now().Add(wait(c.Tries, r))
	c.Error = r.Message
	if c.Error == "" {
		c.Error = string(r.Outcome)
	}
	if err := d.sink.owed.Write(ctx, d.store, d.cursor, c, nil); err != nil {
		return err
	}
	d.cursor = c
	d.passed.Next = c.Next
	d.sink.Log.Warn("spans wait", "outcome", string(r.Outcome), "status", r.Status, "reason", c.Error, "tries", c.Tries, "next", c.Next.Format(time.RFC3339))
	return nil
}

// What is counted for the caller, not in the store.
const (
	countedEvents = "\x00events"
	countedTurns  = "\x00turns"
)

func (d *delivery) add(name string, n int64) {
	if n > 0 {
		d.counts[name] += n
	}
}

func (d *delivery) counted(name string) int {
	n := d.counts[name]
	delete(d.counts, name)
	return int(n)
}

// tally counts items that are behind us once the cursor moves.
func (d *delivery) tally(items []item) {
	for i := range items {
		it := &items[i]
		if it.count != "" {
			d.add(it.count, 1)
		}
		if it.pos.part != 0 {
			continue
		}
		if it.ofTurn {
			d.add(countedTurns, 1)
		} else {
			d.add(countedEvents, 1)
		}
	}
}

func count(items []item) (spans int) {
	for i := range items {
		if items[i].span != nil {
			spans++
		}
	}
	return spans
}
