// Package telemetry_test has real sessions of the Gemini CLI, and replayed ones of Antigravity, arrive in a real
// OpenTelemetry Collector. What is asserted is the collector's output.
package telemetry_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/boathook/boathook/itest/build"
	"github.com/boathook/boathook/itest/otelcol"
)

func TestMain(m *testing.M) {
	code := m.Run()
	build.Cleanup()
	os.Exit(code)
}

// listen starts a collector and the recorder of what it receives.
func listen(t *testing.T) (*otelcol.Recorder, *otelcol.Collector) {
	t.Helper()
	recorder := otelcol.NewRecorder(t)
	c := otelcol.Start(t, otelcol.Options{Recorder: recorder})
	t.Cleanup(func() {
		if err := recorder.Err(); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			t.Logf("the collector said:\n%s", c.Log())
		}
	})
	return recorder, c
}

// settings are those of a lab whose spans go to the collector.
func settings(c *otelcol.Collector) string {
	return fmt.Sprintf("[telemetry]\nendpoint = %q\n", c.Traces())
}

// await waits until the spans are as wanted and returns them.
func await(t *testing.T, r *otelcol.Recorder, what string, done func([]otelcol.Span) bool) []otelcol.Span {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for {
		spans := r.Spans()
		if done(spans) {
			return spans
		}
		if time.Now().After(deadline) {
			t.Fatalf("the collector never had %s; it has %d spans: %q", what, len(spans), names(spans))
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// has tells whether there are at least so many spans of a name.
func has(name string, n int) func([]otelcol.Span) bool {
	return func(spans []otelcol.Span) bool { return len(otelcol.Named(spans, name)) >= n }
}

func names(spans []otelcol.Span) []string {
	var out []string
	for _, s := range spans {
		out = append(out, s.Name)
	}
	slices.Sort(out)
	return out
}

// family picks the spans whose names begin so.
func family(spans []otelcol.Span, prefix string) []otelcol.Span {
	return slices.DeleteFunc(slices.Clone(spans), func(s otelcol.Span) bool { return !strings.HasPrefix(s.Name, prefix) })
}

// attrs picks some attributes, so that they can be compared as a whole.
func attrs(s otelcol.Span, keys ...string) map[string]any {
	out := map[string]any{}
	for _, k := range keys {
		if v, ok := s.Attrs[k]; ok {
			out[k] = v
		}
	}
	return out
}
