package collector

import (
	"bytes"
	"errors"
	"io"
	"log"
	"mime"
	"net/http"
	"time"

	"github.com/boathook/boathook/internal/otlp"
)

// receiver answers the requests.
type receiver struct {
	o Options
	// turns bounds how many bodies are in memory at a time. One that isn't free within patience is refused, to come again.
	turns    chan struct{}
	patience time.Duration
	// idle is how long a body may stand still.
	idle time.Duration
}

const (
	// maxConcurrent times the largest body is what a receiver may hold at most, and firstBytes of each connection: whoever
	// has sent no more than that takes nobody's turn.
	maxConcurrent = 8
	firstBytes    = 16 << 10

	turnTime      = time.Second
	standstill    = 5 * time.Second
	busyRetryTime = "1" // seconds
)

// Handler answers OTLP/HTTP requests on /v1/traces and /v1/metrics. Logs are none of its signals.
func Handler(o Options) http.Handler {
	r := &receiver{o: o, turns: make(chan struct{}, maxConcurrent), patience: turnTime, idle: standstill}
	return r.handler()
}

func (r *receiver) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/v1/traces", r.serve(r.traces))
	mux.HandleFunc("/v1/metrics", r.serve(r.metrics))
	mux.HandleFunc("/", func(w http.ResponseWriter, req *http.Request) {
		format, _ := formatOf(req)
		r.refuse(w, format, refusal{http.StatusNotFound, "there are /v1/traces and /v1/metrics, not " + req.URL.Path})
	})
	return mux
}

// refusal is an error with the status to answer.
type refusal struct {
	status int
	why    string
}

func (e refusal) Error() string { return e.why }

func (r *receiver) serve(take func(format string, body []byte) error) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) {
		format, err := formatOf(req)
		if err == nil {
			err = r.receive(w, req, format, take)
		}
		if err != nil {
			var why refusal
			if !errors.As(err, &why) {
				why = refusal{http.StatusBadRequest, err.Error()}
			}
			switch why.status {
			case http.StatusMethodNotAllowed:
				w.Header().Set("Allow", http.MethodPost)
			case http.StatusServiceUnavailable:
				w.Header().Set("Retry-After", busyRetryTime)
			}
			r.refuse(w, format, why)
			return
		}
		accept(w, format)
	}
}

func (r *receiver) receive(w http.ResponseWriter, req *http.Request, format string, take func(string, []byte) error) error {
	from := newSteady(w, req.Body, r.idle)
	first := make([]byte, firstBytes)
	n, err := io.ReadFull(from, first)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return unreadable(err)
	}
	busy := time.NewTimer(r.patience)
	defer busy.Stop()
	select {
	case r.turns <- struct{}{}:
		defer func() { <-r.turns }()
	case <-busy.C:
		return refusal{http.StatusServiceUnavailable, "too many large requests at a time"}
	case <-req.Context().Done():
		return req.Context().Err()
	}
	req.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(first[:n]), from), req.Body}
	body, err := readBody(w, req)
	if err != nil {
		return err
	}
	from.done()
	return take(format, body)
}

func (r *receiver) traces(format string, body []byte) error {
	t, err := otlp.ParseTraces(format, body)
	if err == nil && r.o.Traces != nil {
		r.o.Traces(t)
	}
	return err
}

func (r *receiver) metrics(format string, body []byte) error {
	m, err := otlp.ParseMetrics(format, body)
	if err == nil && r.o.Metrics != nil {
		r.o.Metrics(m)
	}
	return err
}

func (r *receiver) refuse(w http.ResponseWriter, format string, why refusal) {
	if r.o.Refused != nil {
		r.o.Refused(why.status, why.why)
	}
	reject(w, format, why)
}

// formatOf is the content type that the request has and the answer gets.
func formatOf(req *http.Request) (string, error) {
	if req.Method != http.MethodPost {
		return otlp.JSON, refusal{http.StatusMethodNotAllowed, "only POST is answered here"}
	}
	kind, _, err := mime.ParseMediaType(req.Header.Get("Content-Type"))
	switch {
	case err == nil && kind == otlp.Protobuf, err == nil && kind == otlp.JSON:
		return kind, nil
	}
	return otlp.JSON, refusal{http.StatusUnsupportedMediaType, "the content type is to be " + otlp.Protobuf + " or " + otlp.JSON}
}

// quiet keeps the HTTP library from writing to the terminal: what matters is told through Refused.
func quiet() *log.Logger { return log.New(io.Discard, "", 0) }
