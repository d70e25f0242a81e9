package otlp

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/correlate"
	wire "github.com/boathook/boathook/internal/otlp"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/store"
)

// The bounds of what is read at once. Two such batches are in memory: one is sent while the next is made.
const (
	batchEvents = 256
	batchTurns  = 512
	batchBytes  = 4 << 20
)

// position is how far the sink is: so many spans of the event (or, behind the last event, of the turn) that follows the
// cursor are done already.
type position struct {
	event, turn int64
	part        int
}

// item is one span, or an event without any, with the position behind it.
type item struct {
	span *wire.Span
	from source
	size int
	pos  position
	// ofTurn says that it is a turn's, not an event's.
	ofTurn bool
	// count is what there is to count once the position is reached: spans that could not be made.
	count string
}

// source is what spans of one resource and scope have in common.
type source struct{ service, version string }

// batch is what one read of the store came to; end is where the next one begins.
type batch struct {
	items []item
	end   position
	err   error
	// removals is the store's count of them before anything was read.
	removals int64
}

// state is the cursor's State. It says for which place it is: who moves the cursor by hand need not know of it.
type state struct {
	Part  int   `json:"part"`
	Event int64 `json:"event"`
	Turn  int64 `json:"turn"`
}

func positionOf(c store.Cursor) position {
	var s state
	if json.Unmarshal(c.State, &s) != nil || s.Event != c.Event || s.Turn != c.Turn {
		s.Part = 0 // at worst a span is sent twice
	}
	return position{event: c.Event, turn: c.Turn, part: max(s.Part, 0)}
}

func (p position) state() []byte {
	if p.part == 0 {
		return nil
	}
	text, _ := json.Marshal(state{p.part, p.event, p.turn}) // numbers can always be encoded
	return text
}

// load reads what is behind a position and makes its spans. Events come first: a turn that ended is stored behind them.
func (s *Sink) load(ctx context.Context, st *store.Store, from position) batch {
	if err := s.recent.current(ctx, st); err != nil { // before anything is read that will be remembered
		return batch{err: err}
	}
	b := batch{end: position{event: from.event, turn: from.turn}, removals: s.recent.removals}
	events, err := st.After(ctx, from.event, batchEvents, batchBytes)
	if err != nil {
		return batch{err: err}
	}
	last := "" // the id of the last event that can be read
	for i := range events {
		p := &events[i]
		if !p.Damaged {
			last = p.Record.ID
		}
		spans, missing, err := s.spansOf(ctx, st, p)
		if err != nil {
			return batch{err: err}
		}
		before := b.end
		b.end.event = p.Seq
		b.add(before, spans, sourceOf(p.Record.Agent, p.Record.Hook.Version), missing)
	}
	turns, err := st.Turns(ctx, from.turn, batchTurns)
	if err != nil {
		return batch{err: err}
	}
	for i := range turns {
		e := &turns[i]
		if len(events) > 0 && e.Turn.Last > last {
			break // its events are still to come; where the clocks say otherwise it waits until there are no more
		}
		spans, missing, err := s.spansOfTurn(ctx, st, e)
		if err != nil {
			return batch{err: err}
		}
		before := b.end
		b.end.turn = e.Seq
		b.add(before, spans, sourceOf(e.Turn.Agent, e.Turn.HookVersion), missing)
	}
	b.skip(from.part)
	return b
}

// add adds the spans of the event or turn that b.end is behind of.
func (b *batch) add(before position, spans []wire.Span, from source, missing string) {
	ofTurn := b.end.turn != before.turn
	for i := range spans {
		pos := b.end
		if i < len(spans)-1 {
			pos = position{before.event, before.turn, i + 1}
		}
		b.items = append(b.items, item{span: &spans[i], from: from, size: sizeOf(&spans[i]), pos: pos, ofTurn: ofTurn})
	}
	if len(spans) == 0 {
		b.items = append(b.items, item{pos: b.end, ofTurn: ofTurn})
	}
	b.items[len(b.items)-1].count = missing
}

// skip leaves out what was done of the first event or turn.
func (b *batch) skip(part int) {
	for part > 0 && len(b.items) > 0 && b.items[0].pos.part != 0 {
		b.items = b.items[1:]
		part--
	}
}

// spansOf makes the spans of an event. What can't be made must not keep the rest: missing names what to count then.
func (s *Sink) spansOf(ctx context.Context, st *store.Store, p *store.Placed) (spans []wire.Span, missing string, err error) {
	switch p.Record.Event.Event {
	case canon.ToolBefore, canon.PromptSubmit, canon.AgentStop:
		s.recent.add(p)
	}
	if p.Damaged {
		return nil, countUnmapped, nil
	}
	var before *store.Placed
	if s.GenAISpans && p.Place.Pairing.Proven() {
		if before, err = s.find(ctx, st, p.Place.Before); err != nil {
			return nil, "", err
		}
		if before == nil {
			missing = countCallsLost
		}
	}
	if !s.safely(p.Record.ID, func() { spans = s.make(p, before) }) {
		return nil, countUnmapped, nil
	}
	return spans, missing, nil
}

func (s *Sink) make(p, before *store.Placed) []wire.Span {
	m := s.mapper()
	spans := make([]wire.Span, 0, 2)
	if s.EventSpans {
		spans = append(spans, m.event(p))
	}
	switch {
	case before != nil:
		spans = append(spans, m.call(before, p))
	case s.GenAISpans && p.Place.Pairing == correlate.Blocked:
		spans = append(spans, m.blocked(p))
	}
	return spans
}

func (s *Sink) spansOfTurn(ctx context.Context, st *store.Store, e *store.Ended) (spans []wire.Span, missing string, err error) {
	switch {
	case e.Damaged:
		return nil, countUnmapped, nil
	case !s.GenAISpans:
		return nil, "", nil
	}
	var ends [2]*record.Record
	if s.Content {
		for i, id := range []string{e.Turn.First, e.Turn.Last} {
			p, err := s.find(ctx, st, id)
			if err != nil {
				return nil, "", err
			}
			if p != nil {
				ends[i] = &p.Record
			}
		}
	}
	if !s.safely(e.Turn.ID, func() { spans = []wire.Span{s.mapper().turn(e, ends[0], ends[1])} }) {
		return nil, countUnmapped, nil
	}
	return spans, "", nil
}

// find gives an event by its id, nil where it isn't stored any more.
func (s *Sink) find(ctx context.Context, st *store.Store, id string) (*store.Placed, error) {
	if s.recent.byID[id] != nil {
		if err := s.recent.current(ctx, st); err != nil {
			return nil, err
		}
	}
	if p := s.recent.byID[id]; p != nil {
		return p, nil
	}
	p, ok, err := st.Event(ctx, id)
	if err != nil || !ok {
		return nil, err
	}
	return &p, nil
}

// safely runs f and tells whether it came to its end.
func (s *Sink) safely(id string, f func()) (ok bool) {
	defer func() {
		if reason := recover(); reason != nil {
			// What is thrown may hold contents.
			s.Log.Error("no span can be made of an event", "id", id, "thrown", fmt.Sprintf("%T", reason))
		}
	}()
	f()
	return true
}

func sourceOf(agentID, version string) source { return source{agentOf(agentID).service, version} }

// sizeOf is about what a span takes on the wire.
func sizeOf(s *wire.Span) int {
	n := 96 + len(s.Name) + len(s.TraceState) + len(s.Message)
	n += sizeOfAttrs(s.Attrs)
	for i := range s.Events {
		n += 24 + len(s.Events[i].Name) + sizeOfAttrs(s.Events[i].Attrs)
	}
	return n
}

func sizeOfAttrs(list []wire.Attr) (n int) {
	for _, a := range list {
		n += len(a.Key) + 16
		switch v := a.Value.(type) {
		case string:
			n += len(v)
		case []string:
			for _, s := range v {
				n += len(s) + 4
			}
		}
	}
	return n
}
