package cli

import (
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/collector"
	"github.com/boathook/boathook/internal/otlp"
)

// mark is what a person looks for in a span: what was decided, what failed.
type mark struct {
	text, paint string
	// rest is less urgent: the tool, how the guard did, the session.
	rest string
}

// markOf reads boathook's own attributes, those of pinta's event spans and those of OpenTelemetry's conventions, whoever
// sent the span.
func markOf(s *collector.Span) mark {
	m := decisionMark(s)
	if m.text == "" && s.Status == otlp.StatusError {
		m.text, m.paint = "ERROR", red
		if kind := s.Text("error.type"); kind != "" {
			m.text += " " + plain(kind)
		}
	}
	var rest []string
	add := func(texts ...string) {
		for _, text := range texts {
			if text = plain(text); text != "" && !slices.Contains(rest, text) && !strings.Contains(s.Name, text) {
				rest = append(rest, text)
			}
		}
	}
	add(toolOf(s), s.Text("boathook.turn.outcome"), s.Text("gen_ai.request.model"))
	add(guardText(s))
	if s.Message != "" && m.paint == red {
		add(s.Message)
	}
	m.rest = strings.Join(rest, "  ")
	return m
}

func toolOf(s *collector.Span) string {
	for _, key := range []string{"gen_ai.tool.name", "boathook.tool.name", s.Text("ingest.type") + ".tool_name"} {
		if name := s.Text(key); name != "" {
			return name
		}
	}
	return ""
}

// decisionMark writes a deny in capitals, so that it is seen without colours.
func decisionMark(s *collector.Span) mark {
	d := s.Text
	if e, ok := s.Event("boathook.decision"); ok {
		d = e.Text
	}
	action, rule := d("boathook.decision.expressed"), d("boathook.decision.rule")
	switch {
	case action == "": // not one of ours: what pinta's spans say
		action, rule = strings.ToLower(s.Text("pinta.guard.decision")), s.Text("pinta.guard.matched_rule")
	case d("boathook.decision.source") == sourceNobody:
		return mark{}
	case d("boathook.decision.mark") != "" && action == "allow":
		action = d("boathook.decision.mark")
	}
	m := mark{}
	switch action {
	case "":
		return m
	case "allow":
		m.text, m.paint = action, green
	case "deny", "block":
		m.text, m.paint = "DENY", red
	default:
		m.text, m.paint = strings.ToUpper(action), yellow
	}
	m.text = plain(strings.TrimSpace(m.text + " " + rule))
	return m
}

// denied tells whether a span is marked as one that was stopped.
func denied(s *collector.Span) bool { return strings.HasPrefix(decisionMark(s).text, "DENY") }

// guardText is what became of the question to the guard where it gave no verdict.
func guardText(s *collector.Span) string {
	if outcome := s.Text("boathook.guard.outcome"); s.Text("boathook.guard.fail") != "" && outcome != "" {
		return "guard:" + outcome
	}
	if reason := s.Text("pinta.guard.fail_open_reason"); reason != "" {
		return "guard:" + reason
	}
	return ""
}
