package telemetry_test

import (
	"strings"
	"testing"

	"github.com/boathook/boathook/itest/hooklab"
	"github.com/boathook/boathook/itest/otelcol"
)

// TestThousandSessions: a thousand sessions whose events come in turns, all with the same call, keep their traces apart.
func TestThousandSessions(t *testing.T) {
	const sessions = 1000
	recorder, c := listen(t)
	l := hooklab.New(t, settings(c))
	feed := l.NewFeed("please do")
	feed.Turns(sessions)
	l.Worker()
	const each = hooklab.SpansEach
	spans := await(t, recorder, "all spans", func(spans []otelcol.Span) bool { return len(spans) >= each*sessions })
	traces := otelcol.ByTrace(spans)
	if len(spans) != each*sessions || len(traces) != sessions {
		t.Errorf("%d spans in %d traces, want %d in %d", len(spans), len(traces), each*sessions, sessions)
	}
	want := strings.Join([]string{
		"invoke_agent gemini", "  gemini.before_agent", "  execute_tool run_shell_command", "  gemini.before_tool",
		"  gemini.after_tool", "  gemini.after_agent", "",
	}, "\n")
	for session, prompt := range feed.Prompts {
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
