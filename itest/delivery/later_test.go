package delivery_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"testing"

	"github.com/boathook/boathook/itest/hooklab"
	"github.com/boathook/boathook/itest/otelcol"
)

// stored has a worker store what there is, and ends it. What it has stored shows in the spool: a command that looks at the
// store would do the work itself.
func (w *world) stored(t *testing.T) {
	t.Helper()
	worker := w.Worker()
	w.Until("an empty spool", func() bool {
		waiting, err := filepath.Glob(filepath.Join(w.Data, "spool", "new", "*.json"))
		if err != nil {
			t.Fatal(err)
		}
		return len(waiting) == 0
	})
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
	w.stored(t)
	before := maps.Clone(w.Spans)

	w.Configure(settings(w.collector.Traces()))
	w.Turns(5)
	w.drain() // the first worker that knows of the endpoint
	all := maps.Clone(w.Spans)
	maps.DeleteFunc(w.Spans, func(id string, _ bool) bool { return before[id] })
	w.check(t)

	w.Configure("") // for less than ten minutes: that may be a config which is just being written, and costs nothing
	w.Turns(5)
	w.stored(t)
	w.Configure(settings(w.collector.Traces()))
	w.Turns(1)
	w.drain()
	w.check(t)
	maps.Copy(all, w.Spans)
	for _, s := range w.spans() {
		if before[s.SpanID] {
			t.Fatalf("%s was sent though there was no endpoint yet when it was recorded", s.Name)
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

// TestEncodings: protobuf and JSON, compressed and not, are the same spans to a collector.
func TestEncodings(t *testing.T) {
	w := newWorld(t)
	w.collector.Start()
	w.Turns(20)
	w.drain()
	encodings := []struct{ protocol, compression, contentType, encoding string }{
		{"http/protobuf", "none", "application/x-protobuf", ""},
		{"http/json", "gzip", "application/json", "gzip"},
		{"http/json", "none", "application/json", ""},
	}
	for i, e := range encodings {
		w.Configure(settings(w.proxy.Traces(), fmt.Sprintf("protocol = %q", e.protocol), fmt.Sprintf("compression = %q", e.compression)))
		w.Must("worker", "stop") // the one that resend might find has the settings of before
		w.Must("telemetry", "resend", "--since", "2h", "--yes")
		w.drain()
		if n := len(w.spans()); n != (i+2)*len(w.Spans) {
			t.Errorf("%+v: %d spans, want %d", e, n, (i+2)*len(w.Spans))
		}
		requests := w.proxy.Requests()
		last := requests[len(requests)-1].Header
		if last.Get("Content-Type") != e.contentType || last.Get("Content-Encoding") != e.encoding {
			t.Errorf("%+v: the last request came as %q in %q", e, last.Get("Content-Type"), last.Get("Content-Encoding"))
		}
	}
	w.check(t)
}
