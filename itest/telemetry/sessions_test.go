package telemetry_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/boathook/boathook/itest/hooklab"
	"github.com/boathook/boathook/itest/otelcol"
)

// turnEvents are the events of the sessions that are put through in numbers.
func turnEvents() []step {
	const call = `"tool_name":"run_shell_command","tool_input":{"command":"echo same"}`
	return []step{
		{"BeforeAgent", `"prompt":"please do"`},
		{"BeforeTool", call},
		{"AfterTool", call + `,"tool_response":{"llmContent":"same"}`},
		{"AfterAgent", `"prompt":"please do","prompt_response":"done"`},
	}
}

// templates are records of those events as a hook makes them.
func templates(t *testing.T, l *hooklab.Lab) []hooklab.Template {
	t.Helper()
	release := l.Hold()
	for _, s := range turnEvents() {
		l.Hook("gemini", s.event, `{"session_id":"template",`+s.fields+`}`)
	}
	taken := l.Take()
	release()
	if len(taken) != len(turnEvents()) {
		t.Fatalf("%d records of %d hooks", len(taken), len(turnEvents()))
	}
	return taken
}

// TestThousandSessions: a thousand sessions whose events come in turns, all with the same call, keep their traces apart.
func TestThousandSessions(t *testing.T) {
	const sessions = 1000
	recorder, c := listen(t)
	l := hooklab.New(t, settings(c))
	events := templates(t, l)
	first := time.Now().Add(-time.Minute)
	prompts := map[string]string{} // the id of each session's prompt
	n := 0
	for _, event := range events {
		for i := range sessions {
			session, at := fmt.Sprintf("session-%d", i), first.Add(time.Duration(n)*time.Millisecond)
			id := hooklab.ULID(at, n)
			n++
			if prompts[session] == "" {
				prompts[session] = id
			}
			l.Put(event, map[string]any{
				"id": id, "time": at.UTC().Format(time.RFC3339Nano), "session_id": session, "span_id": fmt.Sprintf("%016x", n),
				"raw": map[string]any{"session_id": session},
			})
		}
	}
	l.Worker()
	const each = 6 // four events, a turn, a call
	spans := await(t, recorder, "all spans", func(spans []otelcol.Span) bool { return len(spans) >= each*sessions })
	traces := otelcol.ByTrace(spans)
	if len(spans) != each*sessions || len(traces) != sessions {
		t.Errorf("%d spans in %d traces, want %d in %d", len(spans), len(traces), each*sessions, sessions)
	}
	want := strings.Join([]string{
		"invoke_agent gemini", "  gemini.before_agent", "  execute_tool run_shell_command", "  gemini.before_tool",
		"  gemini.after_tool", "  gemini.after_agent", "",
	}, "\n")
	for session, prompt := range prompts {
		of := traces[otelcol.TraceOf(prompt)]
		if got := otelcol.Tree(of); got != want {
			t.Fatalf("%s: the trace is\n%s\nwant\n%s", session, got, want)
		}
		for _, s := range of {
			said := s.Attrs["gemini.session_id"]
			if said == nil {
				said = s.Attrs["gen_ai.conversation.id"]
			}
			if said != session {
				t.Fatalf("%s has a span %s of %v", session, s.Name, said)
			}
		}
	}
}
