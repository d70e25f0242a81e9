package otlp

import (
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/correlate"
	wire "github.com/boathook/boathook/internal/otlp"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/store"
)

// TestTreeOfATurn: what is the parent of what, with both families and with each alone.
func TestTreeOfATurn(t *testing.T) {
	payload := func(rest string) string { return `{"session_id":"s"` + rest + `}` }
	const echo = `,"tool_name":"run_shell_command","tool_input":{"command":"echo"}`
	st := inStore(t,
		made(t, 1, "gemini", "SessionStart", payload("")), made(t, 2, "gemini", "BeforeAgent", payload(`,"prompt":"hi"`)),
		made(t, 3, "gemini", "BeforeTool", payload(echo)), made(t, 4, "gemini", "AfterTool", payload(echo+`,"tool_response":{}`)),
		made(t, 5, "gemini", "BeforeTool", payload(echo), denied), made(t, 6, "gemini", "AfterAgent", payload(`,"prompt_response":"done"`)),
	)
	for _, c := range []struct {
		name   string
		config Config
		want   string
	}{
		{"both", both(true), `gemini.session_start
invoke_agent gemini
  gemini.before_agent
  gemini.before_tool
  gemini.after_tool
  execute_tool run_shell_command
  gemini.before_tool
  execute_tool run_shell_command
  gemini.after_agent
`},
		{"events", Config{EventSpans: true}, `gemini.session_start
gemini.before_agent
gemini.before_tool
gemini.after_tool
gemini.before_tool
gemini.after_agent
`},
		{"genai", Config{GenAISpans: true}, `invoke_agent gemini
  execute_tool run_shell_command
  execute_tool run_shell_command
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, tree(spansIn(t, st, c.config))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// tree prints spans below their parents, in the order of their starts.
func tree(spans []wire.Span) string {
	known := map[[8]byte]bool{}
	for _, s := range spans {
		known[s.SpanID] = true
	}
	var b strings.Builder
	for _, root := range spans {
		if known[root.ParentID] {
			continue
		}
		if strings.HasPrefix(root.Name, "invoke_agent") {
			b.WriteString(root.Name + "\n")
			for _, s := range spans {
				if s.ParentID == root.SpanID && s.TraceID == root.TraceID {
					b.WriteString("  " + s.Name + "\n")
				}
			}
			continue
		}
		b.WriteString(root.Name + "\n")
	}
	return b.String()
}

func TestExecuteTool(t *testing.T) {
	const in = `"session_id":"s","tool_name":"run_shell_command","tool_input":{"command":"false"}`
	st := inStore(t,
		made(t, 1, "gemini", "BeforeAgent", `{"session_id":"s"}`),
		made(t, 2, "gemini", "BeforeTool", `{`+in+`}`, func(r *record.Record) {
			r.Guard = &record.Guard{Outcome: "timeout", Fail: "open", DurationMS: 50}
			r.Decision.Source = "guard_failed"
		}),
		made(t, 5, "gemini", "AfterTool", `{`+in+`,"tool_response":{"llmContent":"<untrusted_context>\nOutput: x\nExit Code: 3\n</untrusted_context>"}}`),
	)
	s := named(t, spansIn(t, st, both(true)), "execute_tool run_shell_command")
	if s.Start != nanos(begin)+2e9 || s.End != nanos(begin)+5e9 || s.Kind != wire.KindInternal || s.Status != wire.StatusError || s.Message != "exit code 3" {
		t.Errorf("%s", show(s))
	}
	if hex.EncodeToString(s.SpanID[:]) != correlate.CallSpanID(id(2)) || hex.EncodeToString(s.ParentID[:]) != correlate.TurnSpanID(id(1)) {
		t.Errorf("%s", show(s))
	}
	want := map[string]any{
		"gen_ai.operation.name": "execute_tool", "gen_ai.provider.name": "gcp.gen_ai", "gen_ai.agent.name": "gemini",
		"gen_ai.tool.name": "run_shell_command", "gen_ai.tool.type": "function", "error.type": "exit_code", "process.exit.code": int64(3),
		"gen_ai.conversation.id": "s", "gen_ai.tool.call.arguments": `{"command":"false"}`,
		"boathook.call.before": id(2), "boathook.call.after": id(5), "boathook.call.pairing": "unique",
	}
	keys := make([]string, 0, len(want))
	for key := range want {
		keys = append(keys, key)
	}
	if diff := cmp.Diff(want, pick(t, s, keys...)); diff != "" {
		t.Error(diff)
	}
	decision := map[string]any{}
	for _, a := range s.Events[0].Attrs {
		decision[a.Key] = a.Value
	}
	wantDecision := map[string]any{
		"boathook.decision.action": "allow", "boathook.decision.expressed": "allow", "boathook.decision.source": "guard_failed",
		"boathook.guard.outcome": "timeout", "boathook.guard.fail": "open",
		"pinta.guard.decision": "ALLOW", "pinta.guard.duration_ms": 50.0, "pinta.guard.fail_open_reason": "timeout",
	}
	if diff := cmp.Diff(wantDecision, decision); diff != "" || len(s.Events) != 1 || s.Events[0].Time != s.Start {
		t.Errorf("%s%s", diff, show(s))
	}
}

func TestToolTypesAndFailures(t *testing.T) {
	before := func(change func(*record.Record)) *store.Placed {
		r := made(t, 1, "gemini", "BeforeTool", `{"session_id":"s","tool_name":"mcp_srv_echo","tool_input":{},"mcp_context":{"server_name":"srv","tool_name":"echo"}}`)
		change(&r)
		return &store.Placed{Record: r, Place: correlate.Place{TraceID: correlate.TraceID(r.ID), Pairing: correlate.Open}}
	}
	end := func(status, failure string) *store.Placed {
		r := made(t, 2, "gemini", "AfterTool", `{"session_id":"s","tool_name":"mcp_srv_echo"}`)
		r.Tool.Status, r.Tool.Error, r.Tool.DurationMS = status, failure, 12
		return &store.Placed{Record: r, Place: correlate.Place{Pairing: correlate.Exact, Before: id(1)}}
	}
	m := mapper{content: true, genai: true}
	s := m.call(before(func(r *record.Record) { r.CallID = "call-7" }), end("error", "no such server"))
	want := map[string]any{
		"gen_ai.tool.type": "extension", "gen_ai.tool.call.id": "call-7", "error.type": "tool_error",
		"boathook.mcp.server": "srv", "boathook.mcp.tool": "echo", "boathook.call.host_duration_ms": 12.0, "boathook.call.pairing": "exact",
	}
	keys := []string{"process.exit.code"}
	for key := range want {
		keys = append(keys, key)
	}
	if diff := cmp.Diff(want, pick(t, s, keys...)); diff != "" || s.Status != wire.StatusError || s.Message != "no such server" {
		t.Errorf("%s%s", diff, show(s))
	}
	fine := m.call(before(func(*record.Record) {}), end("success", ""))
	if fine.Status != wire.StatusUnset || attr(t, fine.Attrs, "error.type") != nil {
		t.Errorf("%s", show(fine))
	}
	// A clock that was set back gives no span of negative length.
	late := before(func(r *record.Record) { r.Time = begin.AddDate(1, 0, 0) })
	if s := m.call(late, end("", "")); s.End != s.Start {
		t.Errorf("%s", show(s))
	}
	// A record without a tool must not be a panic.
	none := before(func(r *record.Record) { r.Tool = nil })
	if s := m.call(none, end("", "")); s.Name != "execute_tool _OTHER" && s.Name != "execute_tool " {
		t.Errorf("%q", s.Name)
	}
}

func TestInvokeAgent(t *testing.T) {
	turn := correlate.Turn{
		ID: id(1), Agent: "antigravity", Product: "agy", SessionID: "s", TraceID: strings.Repeat("ab", 16), ParentID: "00f067aa0ba902b7",
		TraceState: "v=1", Start: begin, End: begin.Add(3e9), Outcome: correlate.Abandoned, Events: 9, Reason: "MAX_STEPS", Model: "gemini-3",
		Calls: map[correlate.Pairing]int{correlate.Exact: 1, correlate.Ambiguous: 2}, Failed: 1, InputTokens: 10, OutputTokens: 3,
	}
	s := mapper{}.turn(&store.Ended{Turn: turn}, nil, nil)
	if s.Flags != 0x301 || s.TraceState != "v=1" || hex.EncodeToString(s.ParentID[:]) != turn.ParentID || s.Status != wire.StatusError || s.End-s.Start != 3e9 {
		t.Errorf("%s", show(s))
	}
	want := map[string]any{
		"gen_ai.operation.name": "invoke_agent", "gen_ai.provider.name": "gcp.gen_ai", "gen_ai.agent.name": "antigravity",
		"gen_ai.conversation.id": "s", "session.id": "s", "boathook.agent.product": "agy", "boathook.turn.id": id(1),
		"gen_ai.request.model": "gemini-3", "gen_ai.usage.input_tokens": int64(10), "gen_ai.usage.output_tokens": int64(3),
		"error.type": "boathook.abandoned", "boathook.turn.outcome": "abandoned", "boathook.turn.reason": "MAX_STEPS", "boathook.turn.events": int64(9),
		"boathook.turn.calls.exact": int64(1), "boathook.turn.calls.unique": int64(0), "boathook.turn.calls.ambiguous": int64(2),
		"boathook.turn.calls.unmatched": int64(0), "boathook.turn.calls.blocked": int64(0), "boathook.turn.calls.failed": int64(1),
	}
	got := map[string]any{}
	for _, a := range s.Attrs {
		got[a.Key] = a.Value
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	turn.Outcome = correlate.Interrupted
	if s := (mapper{}).turn(&store.Ended{Turn: turn}, nil, nil); s.Status != wire.StatusUnset || attr(t, s.Attrs, "error.type") != nil {
		t.Errorf("an interrupted turn: %s", show(s))
	}
}

// TestMessages: the prompt and the answer are JSON in the conventions' form, also where they had to be cut.
func TestMessages(t *testing.T) {
	long := strings.Repeat("<é> ", 60_000)
	prompt, err := json.Marshal(map[string]string{"session_id": "s", "prompt": long})
	must(t, err)
	st := inStore(t, made(t, 1, "gemini", "BeforeAgent", string(prompt)),
		made(t, 2, "gemini", "AfterAgent", `{"session_id":"s","prompt_response":"a \"quoted\" <answer>"}`))
	s := named(t, spansIn(t, st, both(true)), "invoke_agent gemini")
	if got, want := attr(t, s.Attrs, "gen_ai.output.messages"), `[{"role":"assistant","parts":[{"type":"text","content":"a \"quoted\" <answer>"}],"finish_reason":"stop"}]`; got != want {
		t.Errorf("%s", got)
	}
	var in []message
	text, _ := attr(t, s.Attrs, "gen_ai.input.messages").(string)
	must(t, json.Unmarshal([]byte(text), &in))
	if len(in) != 1 || in[0].Role != "user" || !strings.HasPrefix(in[0].Parts[0].Content, "<é> ") || !strings.Contains(in[0].Parts[0].Content, "…[TRUNCATED:") {
		t.Errorf("%.200s", text)
	}
}

// TestForeignParent: an event without a turn, and a turn, are children of the span that TRACEPARENT named.
func TestForeignParent(t *testing.T) {
	joined := func(r *record.Record) {
		r.TraceParent, r.TraceState = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "v=1"
	}
	st := inStore(t, made(t, 1, "gemini", "SessionStart", `{"session_id":"s"}`, joined), made(t, 2, "gemini", "BeforeAgent", `{"session_id":"s"}`, joined),
		made(t, 3, "gemini", "AfterAgent", `{"session_id":"s"}`, joined))
	for _, s := range spansIn(t, st, both(true)) {
		foreign := hex.EncodeToString(s.ParentID[:]) == "00f067aa0ba902b7"
		wantForeign := s.Name == "gemini.session_start" || s.Name == "invoke_agent gemini"
		if hex.EncodeToString(s.TraceID[:]) != "4bf92f3577b34da6a3ce929d0e0e4736" || foreign != wantForeign || s.TraceState != "v=1" {
			t.Errorf("%s", show(s))
		}
		if want := map[bool]uint32{true: 0x301, false: 0x101}[foreign]; s.Flags != want {
			t.Errorf("flags %x, want %x: %s", s.Flags, want, show(s))
		}
	}
}

// TestABeforeThatIsGone: no call is made up, and it is counted.
func TestABeforeThatIsGone(t *testing.T) {
	sink := New(both(true))
	p := &store.Placed{Record: made(t, 1, "gemini", "AfterTool", `{"session_id":"s","tool_name":"x"}`), Place: correlate.Place{Pairing: correlate.Exact, Before: id(0)}}
	spans, missing, err := sink.spansOf(t.Context(), inStore(t), p)
	must(t, err)
	if len(spans) != 1 || spans[0].Name != "gemini.after_tool" || missing != countCallsLost {
		t.Errorf("%d spans, %q", len(spans), missing)
	}
}

// TestMinimalPrivacy: hashes stand where the host's fields would, and in no message and no arguments.
func TestMinimalPrivacy(t *testing.T) {
	r := made(t, 1, "gemini", "BeforeTool", `{"session_id":"s","cwd":"/w","tool_name":"run_shell_command","tool_input":{"command":"x"}}`, func(r *record.Record) {
		r.Raw, r.Hook.Privacy, r.CWD = nil, "minimal", "hmac:1"
		r.Tool.Input, r.Tool.Command = json.RawMessage(`"hmac:2"`), "hmac:3"
	})
	s := eventSpan(t, r)
	want := map[string]any{
		"gemini.session_id": "s", "gemini.cwd": "hmac:1", "gemini.tool_name": "run_shell_command", "gemini.tool_input": "hmac:2", "boathook.privacy": "minimal",
	}
	keys := []string{"gemini.session_id", "gemini.cwd", "gemini.tool_name", "gemini.tool_input", "boathook.privacy"}
	if diff := cmp.Diff(want, pick(t, s, keys...)); diff != "" {
		t.Error(diff)
	}
	call := mapper{content: true}.blocked(&store.Placed{Record: r})
	if attr(t, call.Attrs, "gen_ai.tool.call.arguments") != nil {
		t.Error(show(call))
	}
	other := eventSpan(t, made(t, 2, "antigravity", "PostToolUse", `{}`, func(r *record.Record) {
		r.Raw, r.SessionID, r.Model = nil, "c", "m"
		r.Tool = &canon.Tool{HostName: "run_command", Input: json.RawMessage(`"hmac:9"`), Error: "hmac:8"}
	}))
	want = map[string]any{
		"antigravity.conversationId": "c", "antigravity.modelName": "m", "antigravity.toolCall": `{"name":"run_command","args":"hmac:9"}`, "antigravity.error": "hmac:8",
	}
	if diff := cmp.Diff(want, pick(t, other, "antigravity.conversationId", "antigravity.modelName", "antigravity.toolCall", "antigravity.error")); diff != "" {
		t.Error(diff)
	}
}
