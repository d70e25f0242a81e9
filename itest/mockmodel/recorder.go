package mockmodel

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// Recorder is an HTTP server on a loopback port that keeps what it was asked. All methods may be called concurrently.
type Recorder struct {
	http *httptest.Server

	mu       sync.Mutex
	requests []Request
	results  map[string]string
}

// Request is one request as it arrived.
type Request struct {
	Path, Body string
}

// Start serves until the test ends. The answer may be called concurrently; it is given each request that has a body, once.
func Start(tb testing.TB, answer func(w http.ResponseWriter, r Request)) *Recorder {
	tb.Helper()
	rec := &Recorder{results: map[string]string{}}
	rec.http = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := bodyOf(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if r.Method != http.MethodPost {
			JSON(w, map[string]any{"object": "list", "data": []any{}, "models": []any{}})
			return
		}
		req := Request{Path: r.URL.Path, Body: body}
		rec.mu.Lock()
		rec.requests = append(rec.requests, req)
		rec.mu.Unlock()
		answer(w, req)
	}))
	tb.Cleanup(rec.http.Close)
	return rec
}

func bodyOf(r *http.Request) (string, error) {
	var in io.Reader = r.Body
	if r.Header.Get("Content-Encoding") == "gzip" {
		zip, err := gzip.NewReader(r.Body)
		if err != nil {
			return "", err
		}
		in = zip
	}
	b, err := io.ReadAll(in)
	return string(b), err
}

// URL is the server's base URL, without a path.
func (r *Recorder) URL() string { return r.http.URL }

// Requests are those so far, in the order of their arrival.
func (r *Recorder) Requests() []Request {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]Request(nil), r.requests...)
}

// Heard tells whether a text reached the model in any request.
func (r *Recorder) Heard(text string) bool {
	for _, req := range r.Requests() {
		if strings.Contains(req.Body, text) {
			return true
		}
	}
	return false
}

// Reset forgets what was asked so far.
func (r *Recorder) Reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.requests, r.results = nil, map[string]string{}
}

// Result keeps what the model was told of a call that it had made. Servers call it.
func (r *Recorder) Result(callID, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.results[callID] = text
}

// Results are the results of calls that the model was given so far, by the call's id.
func (r *Recorder) Results() map[string]string {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := make(map[string]string, len(r.results))
	for k, v := range r.results {
		out[k] = v
	}
	return out
}

// JSON answers with a value.
func JSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // the agent hung up: nothing to tell it
}

// Event sends one server-sent event.
func Event(w http.ResponseWriter, name string, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // a script that is no JSON is a mistake of the test
	}
	if name != "" {
		fmt.Fprintf(w, "event: %s\n", name)
	}
	fmt.Fprintf(w, "data: %s\n\n", b)
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}

// Text is the text of a message's content in any of the forms that the protocols have for it: a text, or a list of blocks with
// a text or a content.
func Text(content json.RawMessage) string {
	var s string
	if json.Unmarshal(content, &s) == nil {
		return s
	}
	var blocks []struct {
		Text    string          `json:"text"`
		Content json.RawMessage `json:"content"`
	}
	if json.Unmarshal(content, &blocks) != nil {
		return string(content)
	}
	var out []string
	for _, b := range blocks {
		if b.Text == "" && len(b.Content) > 0 {
			b.Text = Text(b.Content)
		}
		out = append(out, b.Text)
	}
	return strings.Join(out, "\n")
}
