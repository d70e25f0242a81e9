package telemetry_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/itest/agentlab"
	"github.com/boathook/boathook/itest/geminirun"
	"github.com/boathook/boathook/itest/mockgemini"
	"github.com/boathook/boathook/itest/mockguard"
	"github.com/boathook/boathook/itest/otelcol"
)

const same = "sleep 0.2; echo same"

// work is a session with a tool that succeeds, two equal ones side by side, one that fails and one of an MCP server.
func work() mockgemini.Scenario {
	return mockgemini.Scenario{
		mockgemini.Say(mockgemini.Shell("echo hi > made.txt; cat made.txt")),
		mockgemini.Say(mockgemini.Shell(same), mockgemini.Shell(same)),
		mockgemini.Say(mockgemini.Shell("echo oops >&2; exit 3")),
		mockgemini.Say(mockgemini.Tool("mcp_lab_echo", map[string]any{"text": "hey"})),
		mockgemini.Say(mockgemini.Text("All done.")),
	}
}

// run plays a prompt in a lab with boathook installed and returns what was recorded and what the collector received of it.
func run(t *testing.T, l *geminirun.Lab, recorder *otelcol.Recorder, env ...string) ([]agentlab.Record, []otelcol.Span) {
	t.Helper()
	r := l.Headless(t, geminirun.Relaunch, "please do", env...)
	if r.Code != 0 {
		t.Fatalf("exit code %d\n%s", r.Code, r.Stderr)
	}
	records := l.WaitLog(t)
	spans := await(t, recorder, "the end of the session", func(spans []otelcol.Span) bool {
		return has("gemini.session_end", 1)(spans) && has("invoke_agent gemini", 1)(spans)
	})
	return records, spans
}

// installed is a lab whose spans go to a collector, by the variables that the installation imports.
func installed(t *testing.T, s mockgemini.Scenario, env ...string) (*geminirun.Lab, *otelcol.Recorder) {
	t.Helper()
	recorder, c := listen(t)
	l := geminirun.New(t, "")
	l.Model(t, s)
	l.Install(t, append(env, "OTEL_EXPORTER_OTLP_ENDPOINT="+c.URL())...)
	return l, recorder
}

func TestGeminiSession(t *testing.T) {
	began := time.Now()
	l, recorder := installed(t, work())
	records, spans := run(t, l, recorder)
	ended := time.Now()

	for _, s := range spans {
		if s.Start.Before(began) || s.End.Before(s.Start) || s.End.After(ended.Add(time.Second)) {
			t.Errorf("%s from %v to %v, in a run from %v to %v", s.Name, s.Start, s.End, began, ended)
		}
	}
	checkEventSpans(t, records, spans)
	checkResource(t, spans)

	start, prompt := agentlab.Select(records, "SessionStart")[0], agentlab.Select(records, "BeforeAgent")[0]
	traces := otelcol.ByTrace(spans)
	if len(traces) != 2 {
		t.Errorf("%d traces, want one for what comes before the prompt and one for the prompt", len(traces))
	}
	if got := otelcol.Tree(traces[otelcol.TraceOf(start.ID)]); got != "gemini.session_start\n" {
		t.Errorf("before the prompt:\n%s", got)
	}
	const want = `invoke_agent gemini
  gemini.before_agent
  gemini.pre_compress
  execute_tool run_shell_command
  gemini.before_tool
  gemini.after_tool
  gemini.pre_compress
  gemini.before_tool
  gemini.before_tool
  gemini.after_tool
  gemini.after_tool
  gemini.pre_compress
  execute_tool run_shell_command
  gemini.before_tool
  gemini.after_tool
  gemini.pre_compress
  execute_tool mcp_lab_echo
  gemini.before_tool
  gemini.after_tool
  gemini.pre_compress
  gemini.after_agent
  gemini.session_end
`
	if diff := cmp.Diff(want, otelcol.Tree(traces[otelcol.TraceOf(prompt.ID)])); diff != "" {
		t.Errorf("the turn (-want +got):\n%s", diff)
	}
	checkTurn(t, records, spans)
	checkCalls(t, records, spans)
}

// TestGeminiDenied: a call that the guard denies is a span at once, with the decision, and so is its event.
func TestGeminiDenied(t *testing.T) {
	guard := mockguard.Start(t, mockguard.DenyCommand("touch denied", mockguard.Verdict{
		Decision: mockguard.Deny, Reason: "R-17", UserMessage: "no touching", MatchedRule: "rule-touch",
	}))
	l, recorder := installed(t, mockgemini.Scenario{
		mockgemini.Say(mockgemini.Shell("touch denied")),
		mockgemini.Say(mockgemini.Shell("echo fine")),
		mockgemini.Say(mockgemini.Text("All done.")),
	}, "PINTA_GUARD_ENDPOINT="+guard.URL(), "PINTA_GUARD_TIMEOUT_MS=15000")
	records, spans := run(t, l, recorder)
	before := agentlab.Select(records, "BeforeTool")
	if len(before) != 2 {
		t.Fatalf("%d calls", len(before))
	}
	denied, ok := otelcol.ByID(spans, before[0].SpanID)
	if !ok {
		t.Fatal("no span for the event")
	}
	want := map[string]any{"pinta.guard.decision": "DENY", "pinta.guard.matched_rule": "rule-touch"}
	if diff := cmp.Diff(want, attrs(denied, "pinta.guard.decision", "pinta.guard.matched_rule")); diff != "" {
		t.Errorf("event of the denied call (-want +got):\n%s", diff)
	}
	allowed, _ := otelcol.ByID(spans, before[1].SpanID)
	if diff := cmp.Diff(map[string]any{"pinta.guard.decision": "ALLOW"}, attrs(allowed, "pinta.guard.decision")); diff != "" {
		t.Errorf("event of the allowed call (-want +got):\n%s", diff)
	}
	call, ok := otelcol.ByID(spans, otelcol.CallOf(before[0].ID))
	if !ok {
		t.Fatal("no span for the denied call")
	}
	if call.Status != 2 || call.Attrs["error.type"] != "boathook.denied" || call.ParentID != otelcol.TurnOf(agentlab.Select(records, "BeforeAgent")[0].ID) {
		t.Errorf("the denied call: status %d, error.type %v, parent %s", call.Status, call.Attrs["error.type"], call.ParentID)
	}
	checkDecision(t, call)
	if n := len(family(spans, "execute_tool ")); n != 2 {
		t.Errorf("%d calls, want 2", n)
	}
}

// checkDecision holds the span event that says what was decided and why.
func checkDecision(t *testing.T, call otelcol.Span) {
	t.Helper()
	if len(call.Events) != 1 || call.Events[0].Name != "boathook.decision" {
		t.Fatalf("events %+v", call.Events)
	}
	want := map[string]any{
		"boathook.decision.action": "deny", "boathook.decision.expressed": "deny", "boathook.decision.source": "remote_guard",
		"boathook.decision.rule": "rule-touch", "boathook.decision.reason": "no touching",
	}
	got := maps.Clone(call.Events[0].Attrs)
	maps.DeleteFunc(got, func(key string, _ any) bool { return !strings.HasPrefix(key, "boathook.decision.") })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("decision (-want +got):\n%s", diff)
	}
}

// TestGeminiJoinsTrace: an agent that runs inside of somebody's trace has its turns there.
func TestGeminiJoinsTrace(t *testing.T) {
	const trace, parent = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
	l, recorder := installed(t, mockgemini.Scenario{
		mockgemini.Say(mockgemini.Shell("echo fine")),
		mockgemini.Say(mockgemini.Text("All done.")),
	})
	_, spans := run(t, l, recorder, "TRACEPARENT=00-"+trace+"-"+parent+"-01", "TRACESTATE=vendor=value")
	for _, s := range spans {
		if s.TraceID != trace {
			t.Errorf("%s is in trace %s", s.Name, s.TraceID)
		}
	}
	turn := otelcol.Named(spans, "invoke_agent gemini")
	if len(turn) != 1 || turn[0].ParentID != parent || turn[0].TraceState != "vendor=value" {
		t.Errorf("turn %+v", turn)
	}
	for _, s := range otelcol.Named(spans, "gemini.session_start") {
		if s.ParentID != parent {
			t.Errorf("%s has the parent %s", s.Name, s.ParentID)
		}
	}
}

// TestGeminiPrompts: each prompt is a trace of its own, also of one session.
func TestGeminiPrompts(t *testing.T) {
	l, recorder := installed(t, mockgemini.Scenario{mockgemini.Say(mockgemini.Text("All done."))})
	term := l.Terminal(t)
	for i := range 2 {
		term.Expect("Type your message")
		term.Type([]string{"first", "second"}[i])
		term.Enter()
		await(t, recorder, "the end of the turn", has("gemini.after_agent", i+1))
	}
	term.Quit()
	spans := await(t, recorder, "the turns", func(spans []otelcol.Span) bool {
		return has("invoke_agent gemini", 2)(spans) && has("gemini.session_end", 1)(spans)
	})
	turns := otelcol.Named(spans, "invoke_agent gemini")
	if len(turns) != 2 || turns[0].TraceID == turns[1].TraceID || turns[0].SpanID == turns[1].SpanID ||
		turns[0].Attrs["gen_ai.conversation.id"] != turns[1].Attrs["gen_ai.conversation.id"] {
		t.Errorf("turns %+v", turns)
	}
	for _, r := range agentlab.Select(l.Log(t), "BeforeAgent") {
		if s, ok := otelcol.ByID(spans, r.SpanID); !ok || s.TraceID != otelcol.TraceOf(r.ID) || s.ParentID != otelcol.TurnOf(r.ID) {
			t.Errorf("prompt %s has the span %+v", r.ID, s)
		}
	}
}
