package otlp

import (
	"github.com/boathook/boathook/hook/canon"
	wire "github.com/boathook/boathook/internal/otlp"
	"github.com/boathook/boathook/internal/record"
)

// mapper makes spans. It has no state: the same event gives the same span. It may be used concurrently.
type mapper struct {
	// content says that masked contents are sent, too.
	content bool
	// genai says that the spans of turns are sent, so that they can be parents.
	genai bool
}

// name is a name, an id or a word as it may be sent; empty where it may not.
func (m mapper) name(s string) string {
	if m.content || plain(s) {
		return s
	}
	return ""
}

// mustName is a name that has to be there.
func (m mapper) mustName(s string) string {
	if s = m.name(s); s == "" {
		return other
	}
	return s
}

// private is a text that is content.
func (m mapper) private(s string) string {
	if !m.content {
		return ""
	}
	return s
}

// session adds the session under the two names that backends know it by.
func (m mapper) session(a *attrs, id string) {
	a.text("session.id", m.name(id))
	a.text("gen_ai.conversation.id", m.name(id))
}

// tool adds our own words for a tool.
func (m mapper) tool(a *attrs, t *canon.Tool) {
	if t == nil {
		return
	}
	a.text("boathook.tool.name", m.mustName(t.Name))
	a.text("boathook.tool.kind", m.name(t.Kind))
}

// judgement adds what was decided, and on what evidence.
func (m mapper) judgement(a *attrs, r *record.Record) {
	d := r.Decision
	a.text("boathook.decision.action", m.name(string(d.Action)))
	a.text("boathook.decision.expressed", m.name(string(d.Expressed)))
	a.text("boathook.decision.source", m.name(d.Source))
	a.text("boathook.decision.rule", m.name(d.Rule))
	a.text("boathook.decision.mark", m.name(d.Mark))
	a.text("boathook.decision.reason", m.private(d.Reason))
	if g := r.Guard; g != nil {
		a.text("boathook.guard.outcome", m.name(g.Outcome))
		a.text("boathook.guard.fail", m.name(g.Fail))
	}
}

// guard adds the guard's part under the names that existing backends know.
func (m mapper) guard(a *attrs, g *record.Guard) {
	if g == nil {
		return
	}
	verdict, reason := "", ""
	switch g.Outcome {
	case "allow":
		verdict = "ALLOW"
	case "deny":
		verdict = "DENY"
	case "review":
		verdict = "REVIEW"
	default:
		if g.Fail == "closed" {
			verdict = "DENY"
			break
		}
		verdict, reason = "ALLOW", m.name(g.Outcome)
	}
	a.text("pinta.guard.decision", verdict)
	a.text("pinta.guard.matched_rule", m.name(g.Rule))
	a.float("pinta.guard.duration_ms", g.DurationMS)
	a.text("pinta.guard.fail_open_reason", reason)
}

// decisionEvent is the decision as it is told on the span of a call.
func (m mapper) decisionEvent(r *record.Record) wire.SpanEvent {
	var a attrs
	m.judgement(&a, r)
	m.guard(&a, r.Guard)
	return wire.SpanEvent{Time: nanos(r.Time), Name: "boathook.decision", Attrs: a.list}
}
