package otlp

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/correlate"
	wire "github.com/boathook/boathook/internal/otlp"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/redact"
	"github.com/boathook/boathook/internal/store"
)

// call is the span of a tool call that is proven: it belongs where its Before does.
func (m mapper) call(before, end *store.Placed) wire.Span {
	s, a := m.callBegun(before)
	s.End = max(s.Start, nanos(end.Record.Time)) // the clock may have been set back
	a.text("boathook.call.pairing", string(end.Place.Pairing))
	a.text("boathook.call.before", m.name(before.Record.ID))
	a.text("boathook.call.after", m.name(end.Record.ID))
	m.outcome(&s, a, end.Record.Tool)
	m.callContent(a, before.Record.Tool, end.Record.Tool, end.Record.Hook.Privacy)
	s.Attrs = a.list
	return s
}

// blocked is the span of a call that was denied: it never ran.
func (m mapper) blocked(before *store.Placed) wire.Span {
	s, a := m.callBegun(before)
	s.End = s.Start
	a.text("boathook.call.pairing", string(correlate.Blocked))
	a.text("boathook.call.before", m.name(before.Record.ID))
	s.Status, s.Message = wire.StatusError, m.message(before.Record.Decision.Reason)
	a.text("error.type", "boathook.denied")
	m.callContent(a, before.Record.Tool, nil, before.Record.Hook.Privacy)
	s.Attrs = a.list
	return s
}

// callBegun is what the Before alone says of a call.
func (m mapper) callBegun(before *store.Placed) (wire.Span, *attrs) {
	r := &before.Record
	tool := r.Tool
	if tool == nil {
		tool = &canon.Tool{}
	}
	name := m.mustName(tool.HostName)
	s := wire.Span{
		Name: "execute_tool " + printable(name), Kind: wire.KindInternal, Start: nanos(r.Time),
		TraceState: stateOf(r, before.Place), Events: []wire.SpanEvent{m.decisionEvent(r)},
	}
	s.SpanID = spanID(correlate.CallSpanID(r.ID), r.ID)
	turn := ""
	if before.Place.TurnID != "" {
		turn = correlate.TurnSpanID(before.Place.TurnID)
	}
	belongs(&s, before.Place, r.ID, turn)
	a := &attrs{list: make([]wire.Attr, 0, 24)}
	m.operation(a, "execute_tool", r.Agent, r.Product, r.SessionID, before.Place.TurnID)
	a.text("gen_ai.tool.name", name)
	kind := "function"
	if tool.Kind == "mcp" || tool.MCP != nil {
		kind = "extension"
	}
	a.text("gen_ai.tool.type", kind)
	a.text("gen_ai.tool.call.id", m.name(r.CallID))
	m.tool(a, tool)
	if mcp := tool.MCP; mcp != nil {
		a.text("boathook.mcp.server", m.name(mcp.Server))
		a.text("boathook.mcp.tool", m.name(mcp.Tool))
	}
	return s, a
}

// operation adds what both kinds of GenAI spans begin with.
func (m mapper) operation(a *attrs, operation, agentID, product, session, turn string) {
	who := agentOf(agentID)
	a.text("gen_ai.operation.name", operation)
	a.text("gen_ai.provider.name", who.provider)
	a.text("gen_ai.agent.name", who.prefix)
	m.session(a, session)
	a.text("boathook.agent.product", m.name(product))
	a.text("boathook.turn.id", m.name(turn))
}

// outcome adds what the host says of the call's end.
func (m mapper) outcome(s *wire.Span, a *attrs, t *canon.Tool) {
	if t == nil {
		return
	}
	if t.DurationMS > 0 {
		a.float("boathook.call.host_duration_ms", t.DurationMS)
	}
	if t.Status != "error" {
		return
	}
	s.Status, s.Message = wire.StatusError, m.message(t.Error)
	code, ok := exitCode(t.Error)
	if !ok {
		a.text("error.type", "tool_error")
		return
	}
	a.text("error.type", "exit_code")
	a.int("process.exit.code", code)
}

// exitCode reads the forms in which the hosts state it: a line of its own, which on Claude Code has the output behind it.
func exitCode(text string) (int64, bool) {
	line, _, _ := strings.Cut(text, "\n")
	for _, words := range []string{"exit code ", "exit status ", "Exit code "} {
		if digits, ok := strings.CutPrefix(line, words); ok {
			n, err := strconv.ParseInt(digits, 10, 32)
			return n, err == nil
		}
	}
	return 0, false
}

// message is a status's text.
func (m mapper) message(s string) string {
	return redact.Truncate(strings.ToValidUTF8(m.private(s), "\uFFFD"), 1<<10)
}

func (m mapper) callContent(a *attrs, before, end *canon.Tool, privacy string) {
	if !m.content || privacy == "minimal" {
		return // hashes are no arguments
	}
	if before != nil && len(before.Input) > 0 {
		a.whole("gen_ai.tool.call.arguments", compact(before.Input))
	}
	if end != nil && len(end.Output) > 0 {
		a.whole("gen_ai.tool.call.result", compact(end.Output))
	}
}

// turn is the span of a turn. first and last are its first and last event, nil where they aren't wanted or are gone.
func (m mapper) turn(e *store.Ended, first, last *record.Record) wire.Span {
	t := &e.Turn
	s := wire.Span{
		Name: "invoke_agent " + agentOf(t.Agent).prefix, Kind: wire.KindInternal,
		SpanID: spanID(correlate.TurnSpanID(t.ID), t.ID), Start: nanos(t.Start),
	}
	s.End = max(s.Start, nanos(t.End))
	belongs(&s, correlate.Place{TraceID: t.TraceID, ParentID: t.ParentID}, t.ID, "")
	if t.ParentID != "" {
		s.TraceState = t.TraceState
	}
	a := attrs{list: make([]wire.Attr, 0, 24)}
	m.operation(&a, "invoke_agent", t.Agent, t.Product, t.SessionID, t.ID)
	a.text("gen_ai.request.model", m.name(t.Model))
	a.positive("gen_ai.usage.input_tokens", t.InputTokens)
	a.positive("gen_ai.usage.output_tokens", t.OutputTokens)
	if t.Outcome == correlate.Abandoned {
		s.Status = wire.StatusError
		a.text("error.type", "boathook.abandoned")
	}
	a.text("boathook.turn.outcome", string(t.Outcome))
	a.text("boathook.turn.reason", m.name(t.Reason))
	a.int("boathook.turn.events", int64(t.Events))
	for _, p := range []correlate.Pairing{
		correlate.Exact, correlate.Unique, correlate.Ambiguous, correlate.Unmatched, correlate.Blocked,
	} {
		a.int("boathook.turn.calls."+string(p), int64(t.Calls[p]))
	}
	a.int("boathook.turn.calls.failed", int64(t.Failed))
	m.turnContent(&a, first, last)
	s.Attrs = a.list
	return s
}

func (m mapper) turnContent(a *attrs, first, last *record.Record) {
	if !m.content {
		return
	}
	if first != nil && first.Event.Event == canon.PromptSubmit && first.Hook.Privacy != "minimal" {
		a.json("gen_ai.input.messages", messages(message{Role: "user"}, first.Prompt))
	}
	if last != nil && last.Event.Event == canon.AgentStop && last.Hook.Privacy != "minimal" {
		a.json("gen_ai.output.messages", messages(message{Role: "assistant", Finish: "stop"}, last.Response))
	}
}

// message is the conventions' form of one, with the text as its only part.
type message struct {
	Role   string        `json:"role"`
	Parts  []messagePart `json:"parts"`
	Finish string        `json:"finish_reason,omitempty"`
}

type messagePart struct {
	Type    string `json:"type"`
	Content string `json:"content"`
}

func messages(msg message, text string) string {
	if text == "" {
		return ""
	}
	msg.Parts = []messagePart{{"text", redact.Truncate(text, redact.MaxString)}}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode([]message{msg}) != nil {
		return ""
	}
	return strings.TrimSuffix(b.String(), "\n")
}
