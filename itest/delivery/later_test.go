package delivery_test

import (
	"maps"
	"testing"

	"github.com/boathook/boathook/itest/hooklab"
	"github.com/boathook/boathook/itest/otelcol"
)

// stored has a worker store what there is, and ends it.
func (w *world) stored(t *testing.T, events int) {
	t.Helper()
	worker := w.Worker()
	w.Until("everything in the store", func() bool { return len(w.Records()) >= events })
	if err := worker.Stop(); err != nil {
		t.Error(err)
	}
}

// TestEndpointLater: without an endpoint nothing is sent and all is kept. One that is set later gets what comes from then on;
// what was before only when somebody asks for it, under the ids that it would have had.
func TestEndpointLater(t *testing.T) {
	w := &world{recorder: otelcol.NewRecorder(t)}
	w.collector = otelcol.Start(t, otelcol.Options{Recorder: w.recorder})
	w.Lab = hooklab.New(t, "")
	w.Feed = w.NewFeed("please do")
	w.Turns(10)
	w.stored(t, 40)
	before := maps.Clone(w.Spans)

	w.Configure(settings(w.collector.Traces()))
	w.stored(t, 40) // the first worker that knows of the endpoint begins here
	w.Turns(5)
	w.drain()
	all := maps.Clone(w.Spans)
	maps.DeleteFunc(w.Spans, func(id string, _ bool) bool { return before[id] })
	w.check(t)

	w.Configure("") // and again, so that it is no matter of the first time
	w.Spans = map[string]bool{}
	w.Turns(5)
	w.stored(t, 80)
	silent := w.Spans
	w.Configure(settings(w.collector.Traces()))
	w.stored(t, 80)
	w.Spans = map[string]bool{}
	w.Turns(1)
	w.drain()
	maps.Copy(all, silent)
	maps.Copy(all, w.Spans)
	for _, s := range w.spans() {
		if silent[s.SpanID] || before[s.SpanID] {
			t.Fatalf("%s was sent though there was no endpoint when it was recorded", s.Name)
		}
	}
	w.Must("telemetry", "resend", "--since", "2h", "--yes")
	w.drain()
	w.Spans = all
	w.check(t)
}

// TestResend: what is sent again is the same again.
func TestResend(t *testing.T) {
	w := newWorld(t)
	w.collector.Start()
	w.Turns(20)
	w.Worker()
	w.arrived(len(w.Spans))
	w.drain()
	w.Must("telemetry", "resend", "--since", "2h", "--yes")
	w.arrived(2 * len(w.Spans))
	w.drain()
	w.check(t)
	if n := len(w.spans()); n != 2*len(w.Spans) {
		t.Errorf("%d spans, want each of %d twice", n, len(w.Spans))
	}
}
