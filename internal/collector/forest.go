package collector

import (
	"container/list"
	"slices"
	"time"
)

// Forest keeps the spans that came, by their traces. It is not for concurrent use. The zero value keeps nothing: NewForest
// makes one with bounds.
type Forest struct {
	maxSpans, maxBytes int

	traces map[[16]byte]*Trace
	// arrived are all spans, the oldest first.
	arrived list.List
	bytes   int
	dropped int
}

// The bounds of what is kept.
const (
	MaxSpans = 20_000
	MaxBytes = 64 << 20
)

// NewForest makes a forest that keeps so many spans and, by estimate, bytes. The oldest go first.
func NewForest(maxSpans, maxBytes int) *Forest {
	return &Forest{maxSpans: maxSpans, maxBytes: maxBytes, traces: map[[16]byte]*Trace{}}
}

// Trace is the spans of one trace that are kept.
type Trace struct {
	ID [16]byte
	// Dropped counts its spans that are no longer kept.
	Dropped int
	spans   map[[8]byte]*kept
	changed time.Time
	fresh   int
}

// kept is a span with where it is kept.
type kept struct {
	Span
	trace *Trace
	at    *list.Element
	bytes int
	// shown says that somebody has seen it.
	shown bool
}

// Add keeps a span that came at a moment. A span that came before is replaced by what is sent now, and fresh only if it
// differs in its parent or its times.
func (f *Forest) Add(now time.Time, s Span) (again bool) {
	t := f.traces[s.TraceID]
	if t == nil {
		t = &Trace{ID: s.TraceID, spans: map[[8]byte]*kept{}}
		f.traces[s.TraceID] = t
	}
	old := t.spans[s.SpanID]
	k := &kept{Span: s, trace: t, bytes: s.size()}
	if old != nil {
		k.shown = old.shown && old.ParentID == s.ParentID && old.Start == s.Start && old.End == s.End
		f.remove(old)
	}
	k.at = f.arrived.PushBack(k)
	t.spans[s.SpanID] = k
	f.bytes += k.bytes
	if !k.shown {
		t.fresh++
		t.changed = now
	}
	f.trim(k)
	return old != nil
}

// trim drops the oldest spans until the bounds hold, but never the newest.
func (f *Forest) trim(newest *kept) {
	for f.arrived.Len() > f.maxSpans || f.bytes > f.maxBytes {
		k, ok := f.arrived.Front().Value.(*kept)
		if !ok || k == newest {
			return
		}
		f.remove(k)
		f.dropped++
		k.trace.Dropped++
		if len(k.trace.spans) == 0 {
			delete(f.traces, k.trace.ID)
		}
	}
}

func (f *Forest) remove(k *kept) {
	f.arrived.Remove(k.at)
	f.bytes -= k.bytes
	if !k.shown {
		k.trace.fresh--
	}
	delete(k.trace.spans, k.SpanID)
}

// Dropped counts the spans that were not kept for lack of room.
func (f *Forest) Dropped() int { return f.dropped }

// Settled are the traces with something that nobody has seen and to which nothing was added for a while, in the order of
// their times.
func (f *Forest) Settled(now time.Time, quiet time.Duration) []*Trace {
	var out []*Trace
	for _, t := range f.traces {
		if t.fresh > 0 && now.Sub(t.changed) >= quiet {
			out = append(out, t)
		}
	}
	slices.SortFunc(out, func(a, b *Trace) int { return compareTimes(a.Start(), b.Start(), a.ID[:], b.ID[:]) })
	return out
}

// Start is the begin of the trace's first span.
func (t *Trace) Start() uint64 {
	first := ^uint64(0)
	for _, k := range t.spans {
		first = min(first, k.Start)
	}
	return first
}

// Took is the time from the first span's begin to the last one's end.
func (t *Trace) Took() time.Duration {
	last := uint64(0)
	for _, k := range t.spans {
		last = max(last, k.End)
	}
	return between(t.Start(), last)
}

// Len is how many spans it has.
func (t *Trace) Len() int { return len(t.spans) }

// Fresh is how many of them nobody has seen.
func (t *Trace) Fresh() int { return t.fresh }

// Seen says that what there is was seen.
func (t *Trace) Seen() {
	for _, k := range t.spans {
		k.shown = true
	}
	t.fresh = 0
}

// Spans are its spans, in the order of their times.
func (t *Trace) Spans() []*Span {
	out := make([]*Span, 0, len(t.spans))
	for _, k := range t.spans {
		out = append(out, &k.Span)
	}
	slices.SortFunc(out, compareSpans)
	return out
}
