package telemetry_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/itest/hooklab"
	"github.com/boathook/boathook/itest/otelcol"
)

// step is one hook of a conversation: what the event has beside what all payloads have.
type step struct{ event, fields string }

// agy are two turns of agy 1.1.26: the first with two equal calls side by side, told apart by their steps alone, and one that
// fails; the model is called several times a turn, and its count begins at 0 in each.
func agy() []step {
	call := `"toolCall":{"name":"run_command","args":{"CommandLine":"echo same","Cwd":"/w"}}`
	return []step{
		{"PreInvocation", `"invocationNum":0,"initialNumSteps":1`},
		{"PreToolUse", `"stepIdx":2,` + call},
		{"PreToolUse", `"stepIdx":3,` + call},
		{"PostToolUse", `"stepIdx":3,"error":"","toolCall":null`},
		{"PostToolUse", `"stepIdx":2,"error":"exit status 3",` + call},
		{"PostInvocation", `"invocationNum":0,"initialNumSteps":1`},
		{"PreInvocation", `"invocationNum":1,"initialNumSteps":4`},
		{"PostInvocation", `"invocationNum":1,"initialNumSteps":4`},
		{"Stop", `"executionNum":0,"terminationReason":"NO_TOOL_CALL","error":"","fullyIdle":true`},
		{"PreInvocation", `"invocationNum":0,"initialNumSteps":6`},
		{"PostInvocation", `"invocationNum":0,"initialNumSteps":6`},
		{"Stop", `"executionNum":1,"terminationReason":"NO_TOOL_CALL","error":"","fullyIdle":true`},
	}
}

// fire plays a step of a conversation of one of the two products, agy or the one whose folder has no suffix.
func fire(t *testing.T, l *hooklab.Lab, product, conversation string, s step) {
	t.Helper()
	const common = `{"conversationId":%q,"workspacePaths":["/w"],"modelName":"gemini-pro-agent","transcriptPath":"/h/.gemini/%s/brain/%s/t.jsonl",%s}`
	want := "{}"
	if s.event == "PreToolUse" {
		want = `{"decision":"allow"}`
	}
	folder := map[string]string{"agy": "antigravity-cli", "antigravity2": "antigravity"}[product]
	if got := l.Hook("antigravity", s.event, fmt.Sprintf(common, conversation, folder, conversation, s.fields)); got != want {
		t.Errorf("%s: answer %s", s.event, got)
	}
}

func TestAntigravitySession(t *testing.T) {
	recorder, c := listen(t)
	l := hooklab.New(t, settings(c))
	for _, s := range agy() {
		fire(t, l, "agy", "c1", s)
		fire(t, l, "antigravity2", "c2", s) // in step with the other
	}
	spans := await(t, recorder, "four turns", has("invoke_agent antigravity", 4))
	traces := otelcol.ByTrace(spans)
	if len(traces) != 2 {
		t.Errorf("%d traces of two conversations", len(traces))
	}
	const want = `invoke_agent antigravity
  antigravity.pre_invocation
  antigravity.pre_tool_use
  execute_tool run_command
  antigravity.pre_tool_use
  execute_tool run_command
  antigravity.post_tool_use
  antigravity.post_tool_use
  antigravity.post_invocation
  antigravity.pre_invocation
  antigravity.post_invocation
  antigravity.stop
invoke_agent antigravity
  antigravity.pre_invocation
  antigravity.post_invocation
  antigravity.stop
`
	first := map[string]string{} // the first event of a conversation gives its trace
	for _, r := range l.Records() {
		if first[r.SessionID] == "" {
			first[r.SessionID] = r.ID
		}
	}
	for conversation, product := range map[string]string{"c1": "agy", "c2": "antigravity2"} {
		of := traces[otelcol.TraceOf(first[conversation])]
		if diff := cmp.Diff(want, otelcol.Tree(of)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", conversation, diff)
		}
		for _, s := range of {
			checkAntigravity(t, s, conversation, product)
		}
		checkSteps(t, l, of, conversation)
	}
}

func checkAntigravity(t *testing.T, s otelcol.Span, conversation, product string) {
	t.Helper()
	if s.Resource["service.name"] != "antigravity" || s.End.Before(s.Start) {
		t.Errorf("%s: resource %v, from %v to %v", s.Name, s.Resource, s.Start, s.End)
	}
	if !strings.HasPrefix(s.Name, "antigravity.") {
		if s.Attrs["gen_ai.conversation.id"] != conversation {
			t.Errorf("%s: conversation %v", s.Name, s.Attrs["gen_ai.conversation.id"])
		}
		return
	}
	want := map[string]any{
		"ingest.type": "antigravity", "antigravity.agent": "antigravity", "antigravity.product": product,
		"antigravity.conversationId": conversation,
	}
	if diff := cmp.Diff(want, attrs(s, "ingest.type", "antigravity.agent", "antigravity.product", "antigravity.conversationId")); diff != "" {
		t.Errorf("%s (-want +got):\n%s", s.Name, diff)
	}
	if hook, _ := s.Attrs["antigravity.hook"].(string); s.Name != "antigravity."+snake(hook) {
		t.Errorf("%s: hook %s", s.Name, hook)
	}
}

// checkSteps holds that each of two equal calls ended with the event of its own step.
func checkSteps(t *testing.T, l *hooklab.Lab, spans []otelcol.Span, conversation string) {
	t.Helper()
	var before, after []hooklab.Record
	for _, r := range l.Records() {
		switch {
		case r.SessionID != conversation:
		case r.HostEvent == "PreToolUse":
			before = append(before, r)
		case r.HostEvent == "PostToolUse":
			after = append(after, r)
		}
	}
	for i, r := range before {
		call, ok := otelcol.ByID(spans, otelcol.CallOf(r.ID))
		end := after[len(after)-1-i] // the calls ended in the other order
		failed := i == 0
		if !ok || !call.Start.Equal(r.Time) || !call.End.Equal(end.Time) || (call.Status == 2) != failed {
			t.Errorf("%s: call %d is %+v, want its end at %v", conversation, i, call, end.Time)
		}
		if id, _ := call.Attrs["gen_ai.tool.call.id"].(string); id == "" || id != r.CallID {
			t.Errorf("%s: call %d has the id %q, the event %q", conversation, i, id, r.CallID)
		}
	}
}
