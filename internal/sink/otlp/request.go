package otlp

import (
	wire "github.com/boathook/boathook/internal/otlp"
	"github.com/boathook/boathook/internal/sink/resource"
)

// requestOf is how many of the items go into one request.
func requestOf(items []item, limit int) int {
	size := 0
	for i := range items {
		size += items[i].size
		if size > limit && i > 0 {
			return i
		}
	}
	return len(items)
}

// request groups spans by what they are of, in the order of the first of each.
func (s *Sink) request(items []item) wire.Traces {
	var out wire.Traces
	at := map[source]int{}
	for i := range items {
		it := &items[i]
		if it.span == nil {
			continue
		}
		n, ok := at[it.from]
		if !ok {
			n = len(out)
			at[it.from] = n
			out = append(out, wire.ResourceSpans{Resource: s.resource(it.from), Scope: wire.Scope{Name: scope, Version: it.from.version}})
		}
		out[n].Spans = append(out[n].Spans, *it.span)
	}
	return out
}

// scope is the name of the instrumentation.
const scope = "boathook"

func (s *Sink) resource(of source) wire.Resource {
	r, ok := s.resources[of]
	if !ok {
		r = wire.Resource{Attrs: resource.Attrs(of.service, of.version, s.Resource)}
		s.resources[of] = r
	}
	return r
}

// skeleton is a span without what a destination could find fault with.
func skeleton(s *wire.Span) *wire.Span {
	out := *s
	out.Events, out.Message, out.TraceState, out.Attrs = nil, "", "", nil
	for _, a := range s.Attrs {
		switch a.Key {
		case "ingest.type", "gen_ai.operation.name", "boathook.event.id", "boathook.turn.id":
			out.Attrs = append(out.Attrs, a)
		}
	}
	out.Attrs = append(out.Attrs, wire.Attr{Key: "boathook.reduced", Value: true})
	return &out
}
