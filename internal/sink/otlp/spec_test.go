package otlp

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/oklog/ulid/v2"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/correlate"
	wire "github.com/boathook/boathook/internal/otlp"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/redact"
	"github.com/boathook/boathook/internal/store"
)

// eventSpan is the event span of one record, alone.
func eventSpan(t *testing.T, r record.Record) wire.Span {
	t.Helper()
	r = stored(t, r)
	return mapper{content: true, genai: true}.event(&store.Placed{Record: r, Place: correlate.Alone(&r)})
}

func TestSpec9_2SpanName(t *testing.T) {
	for host, want := range map[string]string{
		"gemini BeforeTool": "gemini.before_tool", "gemini SessionStart": "gemini.session_start",
		"gemini BeforeAgent": "gemini.before_agent", "gemini AfterAgent": "gemini.after_agent",
		"gemini AfterTool": "gemini.after_tool", "gemini PreCompress": "gemini.pre_compress",
		"gemini Notification": "gemini.notification", "gemini SessionEnd": "gemini.session_end",
		"gemini BeforeToolSelection": "gemini.before_tool_selection",
		"antigravity PreToolUse":     "antigravity.pre_tool_use", "antigravity PostToolUse": "antigravity.post_tool_use",
		"antigravity PreInvocation": "antigravity.pre_invocation", "antigravity PostInvocation": "antigravity.post_invocation",
		"antigravity Stop": "antigravity.stop",
		// What a later version may bring.
		"gemini BeforeMCPCall": "gemini.before_mcp_call", "gemini PreMCP": "gemini.pre_mcp", "gemini HTTPGetDone": "gemini.http_get_done",
		"gemini Step2Done": "gemini.step2_done", "gemini already_snake": "gemini.already_snake", "gemini kebab-Case it": "gemini.kebab_case_it",
		"gemini ": "gemini.other", "gemini \x1b[31m": "gemini.31m", "gemini 도구": "gemini.other",
	} {
		agent, event, _ := strings.Cut(host, " ")
		if got := eventSpan(t, made(t, 1, agent, event, `{}`)).Name; got != want {
			t.Errorf("%q: %q, want %q", host, got, want)
		}
	}
	if got := eventSpan(t, made(t, 1, "gemini", strings.Repeat("Long", 1000), `{}`)).Name; len(got) > 200 {
		t.Errorf("a name of %d bytes", len(got))
	}
}

func TestSpec9_2Resource(t *testing.T) {
	records := []record.Record{recorded(t, 1, "gemini", "BeforeTool"), recorded(t, 2, "antigravity", "PreToolUse")}
	sink := New(both(true))
	got := sink.request(sink.load(t.Context(), inStore(t, records...), position{}).items)
	if len(got) != 2 {
		t.Fatalf("%d resources", len(got))
	}
	for i, service := range []string{"gemini-cli", "antigravity"} {
		list := got[i].Resource.Attrs
		if attr(t, list, "service.name") != service || attr(t, list, "service.version") != "1.2.3" {
			t.Errorf("resource %v", list)
		}
		for _, key := range []string{"host.arch", "process.executable.name", "process.runtime.name"} {
			if attr(t, list, key) == nil {
				t.Errorf("%s: no %s", service, key)
			}
		}
		if scope := (wire.Scope{Name: "boathook", Version: "1.2.3"}); got[i].Scope != scope {
			t.Errorf("scope %v", got[i].Scope)
		}
	}
}

func TestSpec9_2IngestTypeHookAndAgent(t *testing.T) {
	for _, c := range []struct {
		agent, name, label string
		want               map[string]any
	}{
		{"gemini", "BeforeTool", "", map[string]any{"ingest.type": "gemini", "gemini.hook": "BeforeTool", "gemini.agent": "gemini"}},
		{"antigravity", "Stop", "", map[string]any{
			"ingest.type": "antigravity", "antigravity.hook": "Stop", "antigravity.agent": "antigravity",
		}},
		// SPEC §5: every other label speaks Antigravity's protocol, and stays visible.
		{"antigravity", "Stop", "my-agy", map[string]any{
			"ingest.type": "antigravity", "antigravity.hook": "Stop", "antigravity.agent": "my-agy",
		}},
	} {
		s := eventSpan(t, recorded(t, 1, c.agent, c.name, func(r *record.Record) { r.Hook.AgentLabel = c.label }))
		if diff := cmp.Diff(c.want, pick(t, s, "ingest.type", c.agent+".hook", c.agent+".agent")); diff != "" {
			t.Error(diff)
		}
	}
}

func TestSpec9_2GuardAttributes(t *testing.T) {
	for _, c := range []struct {
		guard *record.Guard
		want  map[string]any
	}{
		{nil, map[string]any{}},
		{&record.Guard{Outcome: "allow", DurationMS: 1.5}, map[string]any{
			"pinta.guard.decision": "ALLOW", "pinta.guard.duration_ms": 1.5, "boathook.guard.outcome": "allow",
		}},
		{&record.Guard{Outcome: "deny", Rule: "r-1", DurationMS: 2}, map[string]any{
			"pinta.guard.decision": "DENY", "pinta.guard.matched_rule": "r-1", "pinta.guard.duration_ms": 2.0, "boathook.guard.outcome": "deny",
		}},
		{&record.Guard{Outcome: "review", DurationMS: 2}, map[string]any{
			"pinta.guard.decision": "REVIEW", "pinta.guard.duration_ms": 2.0, "boathook.guard.outcome": "review",
		}},
		{&record.Guard{Outcome: "timeout", Fail: "open", DurationMS: 50}, map[string]any{
			"pinta.guard.decision": "ALLOW", "pinta.guard.duration_ms": 50.0, "pinta.guard.fail_open_reason": "timeout",
			"boathook.guard.outcome": "timeout", "boathook.guard.fail": "open",
		}},
		{&record.Guard{Outcome: "status_503", Fail: "closed", DurationMS: 3}, map[string]any{
			"pinta.guard.decision": "DENY", "pinta.guard.duration_ms": 3.0,
			"boathook.guard.outcome": "status_503", "boathook.guard.fail": "closed",
		}},
	} {
		s := eventSpan(t, recorded(t, 1, "gemini", "BeforeTool", func(r *record.Record) { r.Guard = c.guard }))
		got := map[string]any{}
		for _, a := range s.Attrs {
			if strings.HasPrefix(a.Key, "pinta.") || strings.HasPrefix(a.Key, "boathook.guard.") {
				got[a.Key] = a.Value
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Error(diff)
		}
		if s.Status != wire.StatusUnset {
			t.Errorf("status %d", s.Status)
		}
	}
}

func TestSpec9_2TraceIDIsTheULID(t *testing.T) {
	r := recorded(t, 1, "gemini", "BeforeAgent")
	s := named(t, spansIn(t, inStore(t, r), both(true)), "gemini.before_agent")
	u := ulid.MustParse(r.ID)
	if s.TraceID != [16]byte(u) {
		t.Errorf("trace %x of %s", s.TraceID, r.ID)
	}
}

func TestSpec9_2SpanIDIsTheGuards(t *testing.T) {
	r := recorded(t, 1, "gemini", "BeforeTool", func(r *record.Record) { r.SpanID = "00f067aa0ba902b7" })
	if s := eventSpan(t, r); hex.EncodeToString(s.SpanID[:]) != "00f067aa0ba902b7" {
		t.Errorf("span %x", s.SpanID)
	}
	// One that OTLP forbids is replaced, and the same each time.
	for _, bad := range []string{"", "0000000000000000", "xyz"} {
		r.SpanID = bad
		a, b := eventSpan(t, r), eventSpan(t, r)
		if a.SpanID == [8]byte{} || a.SpanID != b.SpanID {
			t.Errorf("%q: %x, %x", bad, a.SpanID, b.SpanID)
		}
	}
}

func TestSpec9_3Flatten(t *testing.T) {
	s := eventSpan(t, made(t, 1, "gemini", "BeforeTool", `{"session_id":"s","tool_input":{"a": [1, "two"] , "b":null},
		"n":42,"f":1.5,"t":true,"x":false,"nothing":null,"list":[ 1, 2 ],"big":123456789012345678901234567890,"e":"","future":"새 필드"}`))
	got := map[string]any{}
	for _, a := range s.Attrs {
		if strings.HasPrefix(a.Key, "gemini.") {
			got[a.Key] = a.Value
		}
	}
	want := map[string]any{
		"gemini.hook": "BeforeTool", "gemini.agent": "gemini", "gemini.session_id": "s",
		"gemini.tool_input": `{"a":[1,"two"],"b":null}`, "gemini.n": int64(42), "gemini.f": 1.5, "gemini.t": true, "gemini.x": false,
		"gemini.list": "[1,2]", "gemini.big": "123456789012345678901234567890", "gemini.e": "", "gemini.future": "새 필드",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSpec9_3FlattenOddKeys(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"":1,"a":1,"a":2,"hook":"mine","agent":"mine","product":"mine","c\u0000\u001b[31m":3,"` + strings.Repeat("k", 5000) + `":4`)
	for i := range 300 {
		fmt.Fprintf(&b, `,"more%d":%d`, i, i)
	}
	s := eventSpan(t, made(t, 1, "gemini", "BeforeTool", b.String()+"}"))
	want := map[string]any{
		"gemini._": int64(1), "gemini.a": int64(2), "gemini.hook": "BeforeTool", "gemini.agent": "gemini",
		"gemini.c__[31m": int64(3), "gemini." + strings.Repeat("k", 128): int64(4), "gemini.more0": int64(0),
		"boathook.payload.keys_dropped": int64(1 + 3 + 300 - (256 - 4)),
	}
	keys := []string{"gemini.product"}
	for key := range want {
		keys = append(keys, key)
	}
	if diff := cmp.Diff(want, pick(t, s, keys...)); diff != "" {
		t.Error(diff)
	}
	seen := map[string]bool{}
	for _, a := range s.Attrs {
		if seen[a.Key] {
			t.Errorf("%s comes twice", a.Key)
		}
		seen[a.Key] = true
	}
}

func TestSpec9_3LongValuesAreCut(t *testing.T) {
	long := strings.Repeat("가", 200_000) // 600,000 bytes
	s := eventSpan(t, made(t, 1, "gemini", "AfterTool", `{"tool_response":{"llmContent":"`+long+`"},"prompt":"`+long+`"}`))
	for _, key := range []string{"gemini.tool_response", "gemini.prompt"} {
		text, _ := attr(t, s.Attrs, key).(string)
		if len(text) > redact.MaxString+40 || !strings.HasSuffix(text, "]") || !strings.Contains(text, "…[TRUNCATED:") {
			t.Errorf("%s: %d bytes, …%s", key, len(text), text[max(len(text)-40, 0):])
		}
	}
}

// TestSpec9_3OneSpanIsBounded: a record of 32 MiB is a span of at most 1 MiB, with all its keys.
func TestSpec9_3OneSpanIsBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"session_id":"s"`)
	for i := range 255 {
		fmt.Fprintf(&b, `,"k%d":"%s"`, i, strings.Repeat("x", 125_000))
	}
	b.WriteString("}")
	s := eventSpan(t, made(t, 1, "gemini", "AfterTool", b.String()))
	if n := len(wire.AppendTraces(nil, wire.Protobuf, wire.Traces{{Spans: []wire.Span{s}}})); n > maxSpan+64<<10 {
		t.Errorf("%d bytes", n)
	}
	last, _ := attr(t, s.Attrs, "gemini.k254").(string)
	if !strings.Contains(last, "…[TRUNCATED:125000]") {
		t.Errorf("the last value is %q", last)
	}
}

func TestSpec9_4Product(t *testing.T) {
	for path, want := range map[string]any{
		"/home/u/.gemini/antigravity-cli/brain/1/.system_generated/logs/transcript_full.jsonl": "agy",
		"/home/u/.gemini/antigravity/brain/1/.system_generated/logs/transcript.jsonl":          "antigravity2",
		"/somewhere/else.jsonl": nil, "": nil,
	} {
		s := eventSpan(t, made(t, 1, "antigravity", "Stop", `{"conversationId":"c","transcriptPath":"`+path+`"}`))
		if got := attr(t, s.Attrs, "antigravity.product"); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}

func traces(spans []wire.Span) (out []string) {
	for _, s := range spans {
		if strings.HasPrefix(s.Name, "gemini.") || strings.HasPrefix(s.Name, "antigravity.") {
			out = append(out, s.Name+" "+hex.EncodeToString(s.TraceID[:]))
		}
	}
	return out
}

func TestSpec10NewTraceAtBeforeAgent(t *testing.T) {
	in := func(n int, session, event string) record.Record {
		return made(t, n, "gemini", event, `{"session_id":"`+session+`"}`)
	}
	records := []record.Record{
		in(1, "a", "SessionStart"), in(2, "a", "BeforeAgent"), in(3, "a", "AfterAgent"),
		in(4, "a", "BeforeAgent"), in(5, "a", "BeforeTool"), in(6, "a", "SessionEnd"),
	}
	want := []string{
		"gemini.session_start " + correlate.TraceID(id(1)), "gemini.before_agent " + correlate.TraceID(id(2)),
		"gemini.after_agent " + correlate.TraceID(id(2)), "gemini.before_agent " + correlate.TraceID(id(4)),
		"gemini.before_tool " + correlate.TraceID(id(4)), "gemini.session_end " + correlate.TraceID(id(4)),
	}
	if diff := cmp.Diff(want, traces(spansIn(t, inStore(t, records...), both(true)))); diff != "" {
		t.Error(diff)
	}
}

// TestSpec10OneTraceForAConversation: PreInvocation fires for each call of the model, and invocationNum starts at 0 again.
func TestSpec10OneTraceForAConversation(t *testing.T) {
	in := func(n int, event string, num int) record.Record {
		return made(t, n, "antigravity", event, fmt.Sprintf(`{"conversationId":"c","invocationNum":%d}`, num))
	}
	records := []record.Record{
		in(1, "PreInvocation", 0), in(2, "PreToolUse", 0), in(3, "PreInvocation", 1), in(4, "Stop", 0), in(5, "PreInvocation", 0),
	}
	trace := correlate.TraceID(id(1))
	want := []string{
		"antigravity.pre_invocation " + trace, "antigravity.pre_tool_use " + trace, "antigravity.pre_invocation " + trace,
		"antigravity.stop " + trace, "antigravity.pre_invocation " + trace,
	}
	if diff := cmp.Diff(want, traces(spansIn(t, inStore(t, records...), both(true)))); diff != "" {
		t.Error(diff)
	}
}

// TestSpec10SessionsAreKeyed: two sessions at the same time, in one directory, and of two agents with one id.
func TestSpec10SessionsAreKeyed(t *testing.T) {
	records := []record.Record{
		made(t, 1, "gemini", "BeforeAgent", `{"session_id":"a","cwd":"/w"}`), made(t, 2, "gemini", "BeforeAgent", `{"session_id":"b","cwd":"/w"}`),
		made(t, 3, "antigravity", "PreInvocation", `{"conversationId":"a"}`),
		made(t, 4, "gemini", "BeforeTool", `{"session_id":"a","cwd":"/w"}`), made(t, 5, "gemini", "BeforeTool", `{"session_id":"b","cwd":"/w"}`),
		made(t, 6, "antigravity", "Stop", `{"conversationId":"a"}`),
	}
	want := []string{
		"gemini.before_agent " + correlate.TraceID(id(1)), "gemini.before_agent " + correlate.TraceID(id(2)),
		"antigravity.pre_invocation " + correlate.TraceID(id(3)), "gemini.before_tool " + correlate.TraceID(id(1)),
		"gemini.before_tool " + correlate.TraceID(id(2)), "antigravity.stop " + correlate.TraceID(id(3)),
	}
	if diff := cmp.Diff(want, traces(spansIn(t, inStore(t, records...), both(true)))); diff != "" {
		t.Error(diff)
	}
}

// TestSpec11ValuesAreTheMaskedOnes: what the record holds is what is sent, marks and all.
func TestSpec11ValuesAreTheMaskedOnes(t *testing.T) {
	s := eventSpan(t, made(t, 1, "gemini", "BeforeTool", `{"tool_input":{"command":"curl -H [REDACTED:bearer]"}}`, func(r *record.Record) {
		r.Hook.Redactions = map[string]int{"bearer": 2, "aws": 1}
		r.Event.Event = canon.ToolBefore
	}))
	want := map[string]any{
		"gemini.tool_input":   `{"command":"curl -H [REDACTED:bearer]"}`,
		"boathook.redactions": int64(3), "boathook.redactions.types": []string{"aws=1", "bearer=2"},
	}
	if diff := cmp.Diff(want, pick(t, s, "gemini.tool_input", "boathook.redactions", "boathook.redactions.types")); diff != "" {
		t.Error(diff)
	}
}
