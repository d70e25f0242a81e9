package telemetry_test

import (
	"strings"
	"testing"

	"github.com/boathook/boathook/itest/hooklab"
	"github.com/boathook/boathook/itest/otelcol"
)

// total adds up the values of a metric's points in the last request that has it.
func total(metrics []otelcol.Metric, name string) (sum float64, last otelcol.Metric) {
	for _, m := range metrics {
		if m.Name == name {
			last = m
		}
	}
	for _, p := range last.Points {
		sum += p.Value + float64(p.Count)
	}
	return sum, last
}

// TestMetrics: two workers, one after the other, count on from the same start. Each sends what it has before it ends.
func TestMetrics(t *testing.T) {
	for _, protocol := range []string{"http/protobuf", "http/json"} {
		t.Run(protocol, func(t *testing.T) {
			recorder, c := listen(t)
			l := hooklab.New(t, settings(c)+"protocol = \""+protocol+"\"\nresource = { team = \"blue\" }\n")
			feed := l.NewFeed("please do")
			var began uint64
			for round := 1; round <= 2; round++ {
				feed.Turns(10)
				l.Must("worker", "drain", "--wait", "60s")
				metrics := recorder.Metrics()
				for name, want := range map[string]struct {
					kind, unit string
					total      float64
				}{
					"boathook.hook.duration":     {"histogram", "s", float64(40 * round)},
					"boathook.hook.payload.size": {"histogram", "By", float64(40 * round)},
					"boathook.decisions":         {"sum", "{decision}", float64(40 * round)},
					"boathook.turns":             {"sum", "{turn}", float64(10 * round)},
					"boathook.events.dropped":    {"sum", "{event}", 0},
					"boathook.spool.depth":       {"gauge", "{event}", 0},
				} {
					got, m := total(metrics, name)
					if got != want.total || m.Kind != want.kind || m.Unit != want.unit || m.Resource["service.name"] != "boathook" || m.Resource["team"] != "blue" {
						t.Errorf("round %d: %s is a %s of %v %s with %v, want a %s of %v %s", round, name, m.Kind, got, m.Unit, m.Resource, want.kind, want.total, want.unit)
					}
				}
				_, m := total(metrics, "boathook.decisions")
				if len(m.Points) != 1 || m.Points[0].Start == 0 || began != 0 && m.Points[0].Start != began || m.Points[0].Attrs["gen_ai.agent.name"] != "gemini" {
					t.Fatalf("round %d: points %+v, began %d", round, m.Points, began)
				}
				began = m.Points[0].Start
			}
		})
	}
}

// TestMetricsThatNobodyTakes: spans arrive, a drain succeeds, and the status says what is wrong.
func TestMetricsThatNobodyTakes(t *testing.T) {
	recorder, c := listen(t)
	l := hooklab.New(t, settings(c)+"metrics_endpoint = \""+c.URL()+"/nowhere\"\n")
	feed := l.NewFeed("please do")
	for range 2 {
		feed.Turns(10)
		l.Must("worker", "drain", "--wait", "60s")
		if got := len(recorder.Spans()); got < len(feed.Spans) {
			t.Errorf("%d spans of %d", got, len(feed.Spans))
		}
	}
	if n := len(recorder.Metrics()); n > 0 {
		t.Errorf("%d metrics", n)
	}
	if text := l.Must("telemetry", "status"); !strings.Contains(text, "404") {
		t.Errorf("the status does not say why: %s", text)
	}
	if n := strings.Count(l.WorkerLog(), "metrics are not taken"); n != 1 {
		t.Errorf("logged %d times: %s", n, l.WorkerLog())
	}
}
