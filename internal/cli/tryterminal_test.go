package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/boathook/boathook/internal/collector"
	"github.com/boathook/boathook/internal/otlp"
)

// A terminal gets the first traces and the number of the rest, a pipe all.
func TestTryOnATerminalShowsTheFirstTraces(t *testing.T) {
	for terminal, want := range map[bool]int{true: shownTraces, false: 5} {
		var out bytes.Buffer
		run := &tryRun{
			env:   &Env{Stdout: &out, IsTerminal: terminal, Width: 100, Now: time.Now, LookupEnv: func(string) (string, bool) { return "", false }},
			spans: &trySpans{forest: collector.NewForest(100, 1<<20), now: time.Now},
		}
		for n := range byte(5) {
			run.spans.take(otlp.Traces{{Spans: []otlp.Span{{
				TraceID: [16]byte{n + 1}, SpanID: [8]byte{n + 1}, Name: "x", Start: uint64(n)*1e9 + 1, End: uint64(n)*1e9 + 2,
			}}}})
		}
		if err := run.printSpans(); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(out.String(), "trace 0"); got != want || terminal != strings.Contains(out.String(), "And 3 traces more") {
			t.Errorf("terminal %v: %d traces in\n%s", terminal, got, out.String())
		}
	}
}
