package telemetry_test

import (
	"encoding/json"
	"maps"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

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
func run(t *testing.T, l *geminirun.Lab, recorder *otelcol.Recorder, env ...string) ([]geminirun.Record, []otelcol.Span) {
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

	start, prompt := geminirun.Select(records, "SessionStart")[0], geminirun.Select(records, "BeforeAgent")[0]
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

// checkEventSpans holds SPEC §9.2 and §9.3: each record is one span, of its own id, from its time on for as long as the
// hook took, with all top-level fields of the host's payload.
func checkEventSpans(t *testing.T, records []geminirun.Record, spans []otelcol.Span) {
	t.Helper()
	if got := len(family(spans, "gemini.")); got != len(records) {
		t.Errorf("%d spans of %d events", got, len(records))
	}
	for _, r := range records {
		s, ok := otelcol.ByID(spans, r.SpanID)
		if !ok {
			t.Errorf("no span for %s", r.HostEvent)
			continue
		}
		at, err := time.Parse(time.RFC3339Nano, r.Time)
		if err != nil {
			t.Fatal(err)
		}
		took := s.End.Sub(s.Start).Seconds()*1000 - r.Hook.LatencyMS
		if s.Name != "gemini."+snake(r.HostEvent) || !s.Start.Equal(at) || took < -0.01 || took > 0.01 {
			t.Errorf("%s at %v for %v ms: span %s from %v to %v", r.HostEvent, r.Time, r.Hook.LatencyMS, s.Name, s.Start, s.End)
		}
		want := map[string]any{"ingest.type": "gemini", "gemini.hook": r.HostEvent, "gemini.agent": "gemini"}
		if diff := cmp.Diff(want, attrs(s, "ingest.type", "gemini.hook", "gemini.agent")); diff != "" {
			t.Errorf("%s: attributes (-want +got):\n%s", r.HostEvent, diff)
		}
		for key, raw := range r.Raw {
			checkFlattened(t, r.HostEvent, s.Attrs["gemini."+key], key, raw)
		}
	}
}

// checkFlattened holds that a field of the payload is an attribute: a text as itself, all else with the same value or as JSON.
func checkFlattened(t *testing.T, event string, got any, key string, raw json.RawMessage) {
	t.Helper()
	var want, parsed any
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	parsed = got
	if text, ok := got.(string); ok {
		if _, isText := want.(string); !isText {
			if err := json.Unmarshal([]byte(text), &parsed); err != nil {
				t.Errorf("%s: gemini.%s is %q", event, key, text)
			}
		}
	}
	if n, ok := parsed.(int64); ok {
		parsed = float64(n)
	}
	if want == nil {
		return // a null says nothing
	}
	if diff := cmp.Diff(want, parsed); diff != "" {
		t.Errorf("%s: gemini.%s (-want +got):\n%s", event, key, diff)
	}
}

func checkResource(t *testing.T, spans []otelcol.Span) {
	t.Helper()
	for _, s := range spans {
		for key, want := range map[string]string{
			"service.name": "gemini-cli", "host.name": "", "host.arch": runtime.GOARCH, "os.type": runtime.GOOS,
			"process.executable.name": "boathook", "process.runtime.name": "go", "service.version": "",
		} {
			if got, ok := s.Resource[key].(string); !ok || got == "" || want != "" && got != want {
				t.Errorf("%s: resource has %s = %v, want %s", s.Name, key, s.Resource[key], want)
			}
		}
		if _, ok := s.Resource["process.pid"]; ok {
			t.Errorf("%s: the resource has a process id, which a resend would not have", s.Name)
		}
	}
}

// checkTurn holds the span of the whole turn.
func checkTurn(t *testing.T, records []geminirun.Record, spans []otelcol.Span) {
	t.Helper()
	prompt, stop := geminirun.Select(records, "BeforeAgent")[0], geminirun.Select(records, "AfterAgent")[0]
	turn := otelcol.Named(spans, "invoke_agent gemini")
	if len(turn) != 1 {
		t.Fatalf("%d turns", len(turn))
	}
	s := turn[0]
	start, _ := time.Parse(time.RFC3339Nano, prompt.Time)
	end, _ := time.Parse(time.RFC3339Nano, stop.Time)
	if s.SpanID != otelcol.TurnOf(prompt.ID) || s.ParentID != "" || !s.Start.Equal(start) || s.End.Before(end) {
		t.Errorf("span %s below %q from %v to %v", s.SpanID, s.ParentID, s.Start, s.End)
	}
	want := map[string]any{
		"gen_ai.operation.name": "invoke_agent", "gen_ai.provider.name": "gcp.gen_ai", "gen_ai.agent.name": "gemini",
		"gen_ai.conversation.id": prompt.SessionID,
	}
	keys := []string{"gen_ai.operation.name", "gen_ai.provider.name", "gen_ai.agent.name", "gen_ai.conversation.id"}
	if diff := cmp.Diff(want, attrs(s, keys...)); diff != "" {
		t.Errorf("attributes (-want +got):\n%s", diff)
	}
}

// checkCalls holds the spans of the three calls that can be told apart; of two equal ones side by side no span may claim
// which result was whose.
func checkCalls(t *testing.T, records []geminirun.Record, spans []otelcol.Span) {
	t.Helper()
	before, after := geminirun.Select(records, "BeforeTool"), geminirun.Select(records, "AfterTool")
	if len(before) != 5 || len(after) != 5 {
		t.Fatalf("%d and %d tool events", len(before), len(after))
	}
	calls := family(spans, "execute_tool ")
	if len(calls) != 3 {
		t.Errorf("%d calls, want 3: %q", len(calls), names(calls))
	}
	for i, failed := range map[int]bool{0: false, 3: true, 4: false} {
		s, ok := otelcol.ByID(spans, otelcol.CallOf(before[i].ID))
		if !ok {
			t.Errorf("no span for the call of %s", before[i].Tool.Command)
			continue
		}
		start, _ := time.Parse(time.RFC3339Nano, before[i].Time)
		end, _ := time.Parse(time.RFC3339Nano, after[i].Time)
		if !s.Start.Equal(start) || !s.End.Equal(end) {
			t.Errorf("%s: from %v to %v, want %v to %v", s.Name, s.Start, s.End, start, end)
		}
		_, typed := s.Attrs["error.type"]
		if (s.Status == 2) != failed || typed != failed {
			t.Errorf("%s: status %d, error.type %v, failed: %v", s.Name, s.Status, s.Attrs["error.type"], failed)
		}
		want := map[string]any{
			"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": before[i].Tool.HostName,
			"gen_ai.conversation.id": before[i].SessionID,
		}
		if diff := cmp.Diff(want, attrs(s, "gen_ai.operation.name", "gen_ai.tool.name", "gen_ai.conversation.id")); diff != "" {
			t.Errorf("%s: attributes (-want +got):\n%s", s.Name, diff)
		}
	}
}

// snake is a host's name of an event in the span's form: BeforeTool is before_tool.
func snake(name string) string {
	var out strings.Builder
	for i, c := range name {
		if c >= 'A' && c <= 'Z' && i > 0 {
			out.WriteByte('_')
		}
		out.WriteRune(c)
	}
	return strings.ToLower(out.String())
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
	before := geminirun.Select(records, "BeforeTool")
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
	if call.Status != 2 || call.Attrs["error.type"] != "boathook.denied" || call.ParentID != otelcol.TurnOf(geminirun.Select(records, "BeforeAgent")[0].ID) {
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
	for _, r := range geminirun.Select(l.Log(t), "BeforeAgent") {
		if s, ok := otelcol.ByID(spans, r.SpanID); !ok || s.TraceID != otelcol.TraceOf(r.ID) || s.ParentID != otelcol.TurnOf(r.ID) {
			t.Errorf("prompt %s has the span %+v", r.ID, s)
		}
	}
}
