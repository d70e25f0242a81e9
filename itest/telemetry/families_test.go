package telemetry_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/itest/hooklab"
	"github.com/boathook/boathook/itest/otelcol"
)

// TestFamilies: each family of spans can be switched off, and contents can be kept back, without a change of the rest.
func TestFamilies(t *testing.T) {
	const text = "paint the fence green"
	for _, row := range []struct {
		name, settings, tree string
		content              bool
	}{
		{"both", "", "invoke_agent gemini\n  gemini.before_agent\n  execute_tool run_shell_command\n  gemini.before_tool\n  gemini.after_tool\n  gemini.after_agent\n", true},
		{"events alone", "genai_spans = false", "gemini.before_agent\ngemini.before_tool\ngemini.after_tool\ngemini.after_agent\n", true},
		{"turns and calls alone", "event_spans = false", "invoke_agent gemini\n  execute_tool run_shell_command\n", true},
		{"no content", `content = "none"`, "invoke_agent gemini\n  gemini.before_agent\n  execute_tool run_shell_command\n  gemini.before_tool\n  gemini.after_tool\n  gemini.after_agent\n", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			recorder, c := listen(t)
			l := hooklab.New(t, settings(c)+row.settings+"\n")
			feed := l.NewFeed(text)
			feed.Turns(1)
			l.Must("worker", "drain", "--wait", "60s")
			spans := recorder.Spans()
			if diff := cmp.Diff(row.tree, otelcol.Tree(spans)); diff != "" {
				t.Errorf("spans (-want +got):\n%s", diff)
			}
			for _, s := range spans {
				if s.TraceID != otelcol.TraceOf(feed.Prompts["session-0"]) || !feed.Spans[s.SpanID] {
					t.Errorf("%s is %s in trace %s", s.Name, s.SpanID, s.TraceID)
				}
			}
			if got := strings.Contains(recorder.Text(), text); got != row.content {
				t.Errorf("contents were sent: %v, want %v", got, row.content)
			}
			if !row.content && strings.Contains(recorder.Text(), "echo same") {
				t.Error("a command was sent")
			}
		})
	}
}
