package metrics

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/boathook/boathook/internal/otlp"
	"github.com/boathook/boathook/internal/sink/resource"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/worker"
)

const service = "boathook"

// counter is a sum that others keep in the store.
type counter struct{ name, metric, unit, description string }

func counters() []counter {
	return []counter{
		{worker.CounterDropped, "boathook.events.dropped", "{event}", "Events that the cap of the spool removed."},
		{worker.CounterQuarantined, "boathook.events.quarantined", "{event}", "Files of the spool that were no events."},
		{worker.CounterNotKept, "boathook.events.not_kept", "{event}", "Events that hooks could not write to the spool."},
		{worker.CounterCorrupt, "boathook.stores.corrupt", "{store}", "Stores that were moved aside because they were corrupt."},
		{"spans_rejected", "boathook.spans.rejected", "{span}", "Spans that the endpoint rejected in a partial success."},
		{"spans_refused", "boathook.spans.refused", "{span}", "Spans that the endpoint refused, each alone."},
		{countRejected, "boathook.points.rejected", "{point}", "Points of metrics that the endpoint rejected in a partial success."},
	}
}

// seen is what is looked at when a request is made.
type seen struct {
	files  int
	bytes  int64
	oldest time.Time
	spool  bool // the spool could be looked at
	lags   []lag
	counts map[string]int64
	memory memory
}

// lag is how many events a sink has still to take.
type lag struct {
	sink   string
	events int64
	tries  int
}

// shown is the name of a sink for people: the spans' cursor has another, for the protocol.
func shown(sink string) string {
	if sink == "otlp" {
		return "traces"
	}
	return sink
}

// look reads the gauges. A spool that can't be read has none.
func (s *Sink) look(ctx context.Context, st *store.Store) (v seen, err error) {
	if s.Usage != nil {
		v.files, v.bytes, v.oldest, err = s.Usage()
		v.spool = err == nil
	}
	cursors, err := st.Cursors(ctx)
	if err != nil {
		return v, err
	}
	for _, c := range cursors {
		events, _, err := st.Lag(ctx, c)
		if err != nil {
			return v, err
		}
		v.lags = append(v.lags, lag{c.Name, events, c.Tries})
		if c.Name == memorySink {
			if v.memory, err = lookAtMemory(ctx, st, c, events); err != nil {
				return v, err
			}
		}
	}
	v.counts, err = st.Counters(ctx)
	return v, err
}

// busy tells whether something waits, so that what is seen will be different soon.
func (v seen) busy() bool {
	return v.files > 0 || slices.ContainsFunc(v.lags, func(l lag) bool { return l.events > 0 && l.sink != Name })
}

// request is all that is known, in a fixed order.
func (s *Sink) request(counts *state, v seen, now time.Time) otlp.Metrics {
	start, at := uint64(counts.Start), uint64(max(now.UnixNano(), counts.Start+1))
	var out []otlp.Metric
	for _, m := range folded() {
		if p := counts.points(m, start, at); len(p.Sum)+len(p.Histogram) > 0 {
			out = append(out, p)
		}
	}
	sums := counters()
	if v.memory.on {
		sums = append(sums, memoryCounters()...)
	}
	for _, c := range sums {
		n := max(0, v.counts[c.name]-counts.Base[c.name])
		out = append(out, otlp.Metric{
			Name: c.metric, Unit: c.unit, Description: c.description, Sum: []otlp.Number{{Start: start, Time: at, Value: n}},
		})
	}
	extra := map[string]string{"service.instance.id": counts.Instance}
	maps.Copy(extra, s.Resource)
	return otlp.Metrics{{
		Resource: otlp.Resource{Attrs: resource.Attrs(service, s.Version, extra)},
		Scope:    otlp.Scope{Name: service, Version: s.Version},
		Metrics:  append(append(out, v.gauges(at, now)...), v.ltm(counts, at, now)...),
	}}
}

// points are those of one metric of the state.
func (s *state) points(m metric, start, at uint64) otlp.Metric {
	out := otlp.Metric{Name: m.name, Unit: m.unit, Description: m.description}
	for _, key := range slices.Sorted(maps.Keys(s.Sums[m.name])) {
		out.Sum = append(out.Sum, otlp.Number{Attrs: attrsOf(m.attrs, key), Start: start, Time: at, Value: s.Sums[m.name][key]})
	}
	for _, key := range slices.Sorted(maps.Keys(s.Histograms[m.name])) {
		h := s.Histograms[m.name][key]
		p := otlp.Histogram{Attrs: attrsOf(m.attrs, key), Start: start, Time: at, Sum: h.Sum, Bounds: m.bounds, Counts: h.Counts}
		for _, n := range h.Counts {
			p.Count += n
		}
		out.Histogram = append(out.Histogram, p)
	}
	return out
}

func (v seen) gauges(at uint64, now time.Time) (out []otlp.Metric) {
	gauge := func(name, unit, description string, points ...otlp.Number) {
		out = append(out, otlp.Metric{Name: name, Unit: unit, Description: description, Gauge: points})
	}
	if v.spool {
		age := 0.0
		if v.files > 0 {
			age = max(0, now.Sub(v.oldest).Seconds())
		}
		gauge("boathook.spool.depth", "{event}", "Events that wait to be stored.", otlp.Number{Time: at, Value: int64(v.files)})
		gauge("boathook.spool.size", "By", "Size of the events that wait to be stored.", otlp.Number{Time: at, Value: v.bytes})
		gauge("boathook.spool.age", "s", "Time since the oldest event that waits was written.", otlp.Number{Time: at, Value: age})
	}
	var behind, tries []otlp.Number
	for _, l := range v.lags {
		attrs := []otlp.Attr{{Key: "boathook.sink", Value: word(shown(l.sink))}}
		behind = append(behind, otlp.Number{Attrs: attrs, Time: at, Value: l.events})
		tries = append(tries, otlp.Number{Attrs: attrs, Time: at, Value: int64(l.tries)})
	}
	gauge("boathook.sink.lag", "{event}", "Stored events that a sink has not taken.", behind...)
	gauge("boathook.sink.tries", "{try}", "Failures of a sink since its last success.", tries...)
	return out
}
