package otlp

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/correlate"
	wire "github.com/boathook/boathook/internal/otlp"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/store"
)

// canary is a text that no name is: whatever field it stands in, it must not be sent without content.
const canary = "the canary /sings"

// TestNoContentIsSent fills every text of payloads and records with canaries, and looks for them in every byte sent.
func TestNoContentIsSent(t *testing.T) {
	for _, agent := range []string{"gemini", "antigravity", "claude"} {
		var records []record.Record
		for n, r := range session(t, agent) {
			records = append(records, infested(t, n, r))
		}
		if spans := spansIn(t, inStore(t, records...), both(true)); !strings.Contains(string(wire.AppendTraces(nil, wire.JSON, wire.Traces{{Spans: spans}})), canary) {
			t.Fatalf("%s: no canary with content: the test sees nothing", agent)
		}
		for _, minimal := range []bool{false, true} {
			if minimal {
				for i := range records {
					records[i].Raw = nil
				}
			}
			spans := spansIn(t, inStore(t, records...), both(false))
			if len(spans) < len(records) {
				t.Fatalf("%d spans of %d records", len(spans), len(records))
			}
			for _, s := range spans {
				if text := string(wire.AppendTraces(nil, wire.JSON, wire.Traces{{Spans: []wire.Span{s}}})); strings.Contains(text, "canary") || strings.Contains(text, "sings") {
					t.Errorf("%s, minimal %v: %s", agent, minimal, show(s))
				}
			}
		}
		turn := store.Ended{Turn: correlate.Turn{ID: canary, Agent: canary, Product: canary, SessionID: canary, Model: canary, Reason: canary, TraceID: canary, ParentID: canary, Outcome: correlate.Completed}}
		if text := show(mapper{}.turn(&turn, &records[0], &records[1])); strings.Contains(text, "canary") {
			t.Error(text)
		}
	}
}

// infested is a record whose every text is a canary, but for those that make it an event of its session.
func infested(t *testing.T, n int, r record.Record) record.Record {
	t.Helper()
	var payload any
	must(t, json.Unmarshal(r.Raw, &payload))
	raw, err := json.Marshal(infest(payload))
	must(t, err)
	raw = append(raw[:len(raw)-1], `,"`+canary+`":"x","unknown":"`+canary+`","also":["`+canary+`"]}`...)
	event, id, span, at, hash := r.Event.Event, r.ID, r.SpanID, r.Time, ""
	if r.Tool != nil {
		hash = r.Tool.InputHash
	}
	out := made(t, n, r.Agent, r.HostEvent, string(raw))
	out.Event.Event, out.ID, out.SpanID, out.Time, out.SessionID = event, id, span, at, canary
	out.HostEvent, out.Project, out.Product, out.CallID, out.TurnID, out.Model = canary, canary, canary, canary, canary, canary
	out.Source, out.Reason, out.SubagentID = canary, canary, canary
	if r.Tool != nil {
		out.Tool = &canon.Tool{
			Name: canary, HostName: canary, Kind: "shell", Input: json.RawMessage(`"` + canary + `"`), Output: json.RawMessage(`["` + canary + `"]`), InputHash: hash,
			Error: canary, Status: "error", Command: canary, Paths: []string{canary}, URLs: []string{canary}, MCP: &canon.MCP{Server: canary, Tool: canary},
		}
	}
	out.Decision = record.Decision{Action: r.Decision.Action, Expressed: r.Decision.Expressed, Reason: canary, Rule: canary, Source: "remote_guard", Mark: canary}
	out.Guard = &record.Guard{Outcome: canary, Fail: "open", Reason: canary, Rule: canary}
	out.Hook.AgentLabel, out.Hook.Redactions, out.Notes = canary, map[string]int{canary: 1}, []string{canary}
	return out
}

func infest(v any) any {
	switch v := v.(type) {
	case string:
		return canary
	case []any:
		for i := range v {
			v[i] = infest(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = infest(v[key])
		}
	}
	return v
}

// FuzzEventSpan: no payload, however odd, is a panic, an invalid text, a key that comes twice or a span beyond its bound;
// and the same payload gives the same span.
func FuzzEventSpan(f *testing.F) {
	for _, agent := range []string{"gemini", "antigravity"} {
		for _, r := range session(f, agent) {
			f.Add([]byte(r.Raw), agent == "gemini")
		}
	}
	f.Add([]byte(`{"a":1,"a":2,"":3,"\u0000":4,"n":1e999,"m":-0,"big":9223372036854775808,"x":tru,"y":[1,{"z":"\ud800"`), true)
	f.Add([]byte("not json \xff"), false)
	f.Fuzz(func(t *testing.T, payload []byte, gemini bool) {
		agent := map[bool]string{true: "gemini", false: "antigravity"}[gemini]
		r := made(t, 1, agent, "BeforeTool", "{}")
		r.Raw = payload
		for _, content := range []bool{false, true} {
			m := mapper{content: content, genai: true}
			p := &store.Placed{Record: r, Place: correlate.Alone(&r)}
			s := m.event(p)
			if size := sizeOf(&s); size > maxSpan+64<<10 {
				t.Errorf("%d bytes", size)
			}
			keys := map[string]bool{}
			for _, a := range s.Attrs {
				if keys[a.Key] {
					t.Errorf("%q comes twice", a.Key)
				}
				keys[a.Key] = true
				if text, ok := a.Value.(string); ok && !utf8.ValidString(text) || !utf8.ValidString(a.Key) {
					t.Errorf("%q = %q", a.Key, text)
				}
			}
			if again := m.event(p); show(s) != show(again) {
				t.Errorf("%s\n%s", show(s), show(again))
			}
		}
	})
}
