package memory

import (
	"context"
	"errors"
	"time"

	"github.com/boathook/boathook/internal/correlate"
	rows "github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/intake"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/worker"
)

const (
	// eventsAtOnce and bytesAtOnce bound what is read, and written in one transaction.
	eventsAtOnce = 100
	bytesAtOnce  = 4 << 20
	// writeWait is how long one write may take.
	writeWait = 30 * time.Second
	// patience is after how many tries a row is put aside whose session the store doesn't take either.
	patience = 10
	maxError = 300
)

// taking is one run from a cursor on.
type taking struct {
	sink   *Sink
	events *store.Store
	cursor store.Cursor
	state  *state
	passed *worker.Passed
	// stopped says that the store of memory can't be had now.
	stopped bool
}

func (t *taking) run(ctx context.Context) error {
	for {
		more, err := t.take(ctx)
		if err != nil || t.stopped {
			return err
		}
		if err := t.finish(ctx, t.state.over()); err != nil || t.stopped {
			return err
		}
		if !more {
			break
		}
	}
	due, next := t.state.due(t.sink.Now(), t.sink.Idle, worker.Flushing(ctx))
	if err := t.finish(ctx, due); err != nil || t.stopped {
		return err
	}
	if !next.IsZero() {
		t.passed.Behind, t.passed.Next = true, next
	}
	if err := t.toHead(ctx); err != nil {
		return err
	}
	return t.retain(ctx)
}

// take takes the next events; more says that there may be others.
func (t *taking) take(ctx context.Context) (more bool, err error) {
	removals, err := t.events.Removals(ctx)
	if err != nil {
		return false, err
	}
	placed, err := t.events.After(ctx, t.cursor.Event, eventsAtOnce, bytesAtOnce)
	if err != nil || len(placed) == 0 {
		return false, err
	}
	told := make([]intake.Told, len(placed))
	for i := range placed {
		if told[i], err = t.told(ctx, placed[:i], &placed[i]); err != nil {
			return false, err
		}
	}
	if now, err := t.events.Removals(ctx); err != nil || now != removals {
		return true, err // what was just forgotten is not to be remembered: it is read again
	}
	return true, t.put(ctx, placed, told)
}

// told is an event with the beginning of its call, where that is proven.
func (t *taking) told(ctx context.Context, earlier []store.Placed, p *store.Placed) (intake.Told, error) {
	out := intake.Told{Record: &p.Record}
	if p.Damaged || !p.Place.Pairing.Proven() {
		return out, nil
	}
	out.Before = among(earlier, p.Place)
	if out.Before == nil {
		b, ok, err := t.events.Event(ctx, p.Place.Before)
		if err != nil {
			return out, err
		}
		if ok {
			out.Before = &b.Record
		}
	}
	return out, nil
}

func among(placed []store.Placed, of correlate.Place) *record.Record {
	for i := len(placed) - 1; i >= 0; i-- {
		if placed[i].Record.ID == of.Before {
			return &placed[i].Record
		}
	}
	return nil
}

// put writes what events tell, and of what the store refuses for good the halves.
func (t *taking) put(ctx context.Context, placed []store.Placed, told []intake.Told) error {
	if t.stopped || len(placed) == 0 {
		return nil
	}
	var b rows.Batch
	for i := range told {
		if !placed[i].Damaged {
			t.sink.Intake.Add(&b, told[i])
		}
	}
	err := t.write(ctx, b)
	switch {
	case err == nil:
		return t.advance(ctx, placed, map[string]int64{CountTaken: size(b)})
	case !errors.Is(err, rows.ErrPoison):
		return t.fail(ctx, err, size(b))
	case len(placed) == 1:
		return t.refused(ctx, placed, b, err)
	}
	half := len(placed) / 2
	if err := t.put(ctx, placed[:half], told[:half]); err != nil {
		return err
	}
	return t.put(ctx, placed[half:], told[half:])
}

// refused puts one event's rows aside. A store that takes nothing may be the wrong one: unless it has taken something it has to take
// the session alone.
func (t *taking) refused(ctx context.Context, placed []store.Placed, b rows.Batch, why error) error {
	if !t.sink.proven && t.cursor.Tries < patience {
		if err := t.write(ctx, rows.Batch{Sessions: b.Sessions}); err != nil {
			return t.fail(ctx, err, size(b))
		}
	}
	if err := t.sink.putAside(placed[0].Record.ID, b, why); err != nil {
		return t.fail(ctx, err, size(b))
	}
	t.sink.Log.Warn("memory refuses what an event tells: it is put aside", "event", placed[0].Record.ID, "file", BadFile)
	return t.advance(ctx, placed, map[string]int64{CountRefused: max(size(b), 1)})
}

// write writes a batch, also one that was begun when the worker has to end.
func (t *taking) write(ctx context.Context, b rows.Batch) error {
	if len(b.Sessions)+len(b.Messages)+len(b.ToolCalls)+len(b.Covers) == 0 {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if t.sink.Forgotten != nil {
		left, _, err := t.sink.Forgotten.Filter(b)
		if err != nil {
			return err
		}
		if b = left; len(b.Sessions)+len(b.Messages)+len(b.ToolCalls)+len(b.Covers) == 0 {
			return nil
		}
	}
	st, err := t.sink.open(ctx)
	if err != nil {
		return err
	}
	lingers, done := worker.Linger(ctx)
	defer done()
	lingers, cancel := context.WithTimeout(lingers, writeWait)
	defer cancel()
	_, err = st.Write(lingers, b)
	if err == nil {
		t.sink.proven = true
	}
	return err
}

func size(b rows.Batch) int64 { return int64(len(b.Messages) + len(b.ToolCalls)) }

// advance moves the cursor behind events that are taken, or put aside.
func (t *taking) advance(ctx context.Context, placed []store.Placed, counts map[string]int64) error {
	for i := range placed {
		if !placed[i].Damaged {
			t.state.note(&placed[i])
		}
	}
	c := t.cursor
	c.Event = placed[len(placed)-1].Seq
	if err := t.move(ctx, c, counts); err != nil {
		return err
	}
	t.passed.Events += len(placed)
	return nil
}

// move writes the cursor of a success.
func (t *taking) move(ctx context.Context, c store.Cursor, counts map[string]int64) error {
	for name, n := range counts {
		if n == 0 {
			delete(counts, name)
		}
	}
	t.state.Failed = 0
	c.State, c.Moved, c.Tries, c.Next, c.Error = t.state.encode(), t.sink.Now(), 0, time.Time{}, ""
	if err := t.sink.owed.Write(ctx, t.events, t.cursor, c, counts); err != nil {
		return err
	}
	t.cursor = c
	return nil
}

// toHead moves the cursor over the turns, of which nothing is taken, and forgets a failure where nothing is left to fail.
func (t *taking) toHead(ctx context.Context) error {
	_, turn, err := t.events.Head(ctx)
	if err != nil || turn == t.cursor.Turn && t.cursor.Tries == 0 {
		return err
	}
	c := t.cursor
	c.Turn = turn
	return t.move(ctx, c, nil)
}

// fail notes when the next try is due. Nothing is noted where it was this process that broke off.
func (t *taking) fail(ctx context.Context, why error, n int64) error {
	t.stopped, t.passed.Behind = true, true
	if ctx.Err() != nil {
		return nil
	}
	t.sink.drop() // what is opened anew may be well
	c := t.cursor
	c.Tries++
	now := t.sink.Now()
	c.Next, t.state.Failed = now.Add(wait(c.Tries, why)), now.UnixNano()
	c.State = t.state.encode()
	c.Error = intake.Cut(t.sink.masked(why.Error()), maxError)
	counts := map[string]int64{}
	if n > 0 {
		counts[CountFailed] = n
	}
	if err := t.sink.owed.Write(ctx, t.events, t.cursor, c, counts); err != nil {
		return err
	}
	if t.cursor.Error != c.Error {
		t.sink.Log.Warn("memory waits", "reason", c.Error, "tries", c.Tries, "next", c.Next.Format(time.RFC3339))
	}
	t.cursor, t.passed.Next = c, c.Next
	return nil
}
