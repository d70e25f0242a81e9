package telemetry_test

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/itest/agentlab"
	"github.com/boathook/boathook/itest/otelcol"
)

// checkEventSpans holds SPEC §9.2 and §9.3: each record is one span, of its own id, from its time on for as long as the
// hook took, with all top-level fields of the host's payload.
func checkEventSpans(t *testing.T, records []agentlab.Record, spans []otelcol.Span) {
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
func checkTurn(t *testing.T, records []agentlab.Record, spans []otelcol.Span) {
	t.Helper()
	prompt, stop := agentlab.Select(records, "BeforeAgent")[0], agentlab.Select(records, "AfterAgent")[0]
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
func checkCalls(t *testing.T, records []agentlab.Record, spans []otelcol.Span) {
	t.Helper()
	before, after := agentlab.Select(records, "BeforeTool"), agentlab.Select(records, "AfterTool")
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
