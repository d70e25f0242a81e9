package metrics

import (
	"github.com/boathook/boathook/internal/store"
)

// metric describes what is counted in the state: its attributes in the order of a key's values. Those with bounds are
// histograms.
type metric struct {
	name, unit, description string
	attrs                   []string
	bounds                  []float64
}

const (
	attrAgent    = "gen_ai.agent.name"
	attrRecall   = "boathook.recall.outcome"
	hookDuration = "boathook.hook.duration"
	payloadSize  = "boathook.hook.payload.size"
	decisions    = "boathook.decisions"
	guardAsked   = "boathook.guard.requests"
	guardTook    = "boathook.guard.duration"
	redactions   = "boathook.redactions"
	turns        = "boathook.turns"
	recalls      = "boathook.memory.recalls"
	recallTook   = "ltm_retrieval_latency_ms"
)

// folded are the metrics that come from events and turns, in the order in which they are sent.
func folded() []metric {
	return []metric{
		{
			name: hookDuration, unit: "s", description: "Time from the start of a hook's process until its record was written.",
			attrs: []string{attrAgent, "boathook.event.kind"}, bounds: boundsOf(hookDuration),
		},
		{name: payloadSize, unit: "By", description: "Size of the payloads that hooks were given.", attrs: []string{attrAgent}, bounds: boundsOf(payloadSize)},
		{
			name: decisions, unit: "{decision}", description: "Decisions, and as what the agent was told them.",
			attrs: []string{attrAgent, "boathook.decision.action", "boathook.decision.expressed", "boathook.decision.source"},
		},
		{name: guardAsked, unit: "{request}", description: "Questions to the remote guard.", attrs: []string{"boathook.guard.outcome"}},
		{
			name: guardTook, unit: "s", description: "Time that the remote guard took.", attrs: []string{"boathook.guard.outcome"},
			bounds: boundsOf(guardTook),
		},
		{name: redactions, unit: "{redaction}", description: "Secrets that were masked.", attrs: []string{"boathook.redaction.type"}},
		{name: turns, unit: "{turn}", description: "Turns that ended.", attrs: []string{attrAgent, "boathook.turn.outcome"}},
		{name: recalls, unit: "{recall}", description: "Questions to memory.", attrs: []string{attrAgent, attrRecall}},
		{ // the unit is in the name, and a collector for Prometheus would add it again
			name: recallTook, unit: "{ms}", description: "Time that memory took to answer a prompt's question, in milliseconds.",
			attrs: []string{attrRecall}, bounds: boundsOf(recallTook),
		},
	}
}

// boundsOf are the upper bounds of a histogram's buckets. Whoever changes them changes stateVersion.
func boundsOf(name string) []float64 {
	switch name {
	case hookDuration, guardTook:
		return []float64{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10}
	case recallTook:
		return []float64{1, 2.5, 5, 10, 25, 50, 75, 100, 150, 200, 250, 300, 500, 1000, 2500}
	case payloadSize:
		return []float64{256, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20}
	}
	return nil
}

func (s *state) foldEvent(p *store.Placed) {
	r := &p.Record
	s.observe(hookDuration, r.Hook.LatencyMS/1000, r.Agent, string(r.Event.Event))
	s.observe(payloadSize, float64(r.Hook.PayloadBytes), r.Agent)
	s.add(decisions, 1, r.Agent, string(r.Decision.Action), string(r.Decision.Expressed), r.Decision.Source)
	if r.Guard != nil {
		s.add(guardAsked, 1, r.Guard.Outcome)
		s.observe(guardTook, r.Guard.DurationMS/1000, r.Guard.Outcome)
	}
	if r.Recall != nil {
		s.add(recalls, 1, r.Agent, r.Recall.Outcome)
		if r.Recall.Outcome != "sampled_out" { // then nobody was asked
			s.observe(recallTook, r.Recall.TookMS, r.Recall.Outcome)
		}
	}
	for kind, n := range r.Hook.Redactions {
		if n > 0 {
			s.add(redactions, int64(n), kind)
		}
	}
}

func (s *state) foldTurn(e *store.Ended) {
	s.add(turns, 1, e.Turn.Agent, string(e.Turn.Outcome))
}
