package otlp

import (
	"maps"
	"slices"
	"strconv"

	"github.com/boathook/boathook/internal/correlate"
	wire "github.com/boathook/boathook/internal/otlp"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/store"
)

// event is the span of one hook run (SPEC §9).
func (m mapper) event(p *store.Placed) wire.Span {
	r := &p.Record
	who := agentOf(r.Agent)
	s := wire.Span{
		Name: who.prefix + "." + snake(m.mustName(r.HostEvent)), Kind: wire.KindInternal,
		SpanID: spanID(r.SpanID, r.ID), Start: nanos(r.Time), TraceState: stateOf(r, p.Place),
	}
	s.End = after(s.Start, r.Hook.LatencyMS)
	turn := ""
	if m.genai && p.Place.TurnID != "" {
		turn = correlate.TurnSpanID(p.Place.TurnID)
	}
	belongs(&s, p.Place, r.ID, turn)
	a := attrs{list: make([]wire.Attr, 0, 48)}
	m.own(&a, p, who)
	m.payload(&a, who.prefix, r)
	s.Attrs = a.list
	return s
}

// own adds all but the payload. It comes first, so that no payload can take its place or its room.
func (m mapper) own(a *attrs, p *store.Placed, who agent) {
	r := &p.Record
	label := m.name(r.Hook.AgentLabel)
	if label == "" {
		label = who.prefix
	}
	a.text("ingest.type", who.prefix)
	a.text(who.prefix+".hook", m.mustName(r.HostEvent))
	a.text(who.prefix+".agent", label)
	a.text(who.prefix+".product", m.name(r.Product))
	m.guard(a, r.Guard)
	m.session(a, r.SessionID)
	a.text("boathook.event.kind", m.mustName(string(r.Event.Event)))
	a.text("boathook.event.id", m.name(r.ID))
	a.text("boathook.turn.id", m.name(p.Place.TurnID))
	a.text("boathook.call.pairing", string(p.Place.Pairing))
	m.tool(a, r.Tool)
	m.judgement(a, r)
	a.text("boathook.project", m.private(r.Project))
	m.run(a, r)
}

// run adds what is known of the hook's run itself.
func (m mapper) run(a *attrs, r *record.Record) {
	a.float("boathook.hook.latency_ms", r.Hook.LatencyMS)
	a.int("boathook.payload.bytes", int64(r.Hook.PayloadBytes))
	a.text("boathook.privacy", m.name(r.Hook.Privacy))
	if masked := r.Hook.Redactions; len(masked) > 0 {
		total := 0
		var types []string
		for _, kind := range slices.Sorted(maps.Keys(masked)) {
			total += masked[kind]
			types = append(types, m.mustName(kind)+"="+strconv.Itoa(masked[kind]))
		}
		a.int("boathook.redactions", int64(total))
		a.texts("boathook.redactions.types", types)
	}
	if len(r.Notes) > 0 {
		a.int("boathook.notes.count", int64(len(r.Notes)))
		if m.content {
			a.texts("boathook.notes", r.Notes)
		}
	}
}
