package otelcol

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
)

// Recorder keeps what a collector hands on. All methods may be called concurrently.
type Recorder struct {
	http *httptest.Server

	mu       sync.Mutex
	spans    []Span
	metrics  []Metric
	text     []byte
	faults   []error
	received func(requests int)
	requests int
}

// NewRecorder listens on a loopback port until the test ends.
func NewRecorder(tb TB) *Recorder {
	tb.Helper()
	r := &Recorder{}
	r.http = httptest.NewServer(http.HandlerFunc(r.serve))
	tb.Cleanup(func() {
		r.http.CloseClientConnections()
		r.http.Close()
	})
	return r
}

// URL is the base URL for the collector's exporter.
func (r *Recorder) URL() string { return r.http.URL }

// OnReceived sets what is called after a request is kept and before it is acknowledged, with how many there were.
func (r *Recorder) OnReceived(fn func(requests int)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.received = fn
}

// Spans are all spans so far, in the order of their arrival.
func (r *Recorder) Spans() []Span {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]Span(nil), r.spans...)
}

// Metrics are all metrics so far, in the order of their arrival.
func (r *Recorder) Metrics() []Metric {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]Metric(nil), r.metrics...)
}

// Text is everything that arrived, as it was written.
func (r *Recorder) Text() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return string(r.text)
}

// Err says what arrived and could not be read.
func (r *Recorder) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.faults) == 0 {
		return nil
	}
	return r.faults[0]
}

func (r *Recorder) serve(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return // the collector was killed while it wrote
	}
	received, n := r.keep(req.URL.Path, body)
	if received != nil {
		received(n)
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprint(w, "{}")
}

func (r *Recorder) keep(path string, body []byte) (received func(int), requests int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.requests++
	r.text = append(append(r.text, body...), '\n')
	var err error
	switch path {
	case "/v1/traces":
		var in tracesJSON
		if err = json.Unmarshal(body, &in); err == nil {
			r.spans, err = in.appendTo(r.spans)
		}
	case "/v1/metrics":
		var in metricsJSON
		if err = json.Unmarshal(body, &in); err == nil {
			r.metrics, err = in.appendTo(r.metrics)
		}
	default:
		err = fmt.Errorf("unexpected path %s", path)
	}
	if err != nil {
		r.faults = append(r.faults, err)
	}
	return r.received, r.requests
}
