// Package faults stands between boathook and a collector and does what networks and servers do: it refuses, delays,
// loses answers, answers by halves. It keeps every request as it was, so that tests can say which spans were sent, how
// often, and what the sender was told of each. Only tests import it.
package faults

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// Fault is what becomes of one request.
type Fault struct {
	// Forward says that the collector gets the request.
	Forward bool
	// Status is the answer, with RetryAfter as its header; zero is the collector's own answer.
	Status     int
	RetryAfter string
	// Reject makes the answer a partial success that refuses so many spans, after Forward.
	Reject int64
	// Cut ends the connection in place of an answer. Trickle begins an answer and never ends it. Silent never answers.
	Cut, Trickle, Silent bool
}

// Pass is no fault.
func Pass() Fault { return Fault{Forward: true} }

// Request is one request as it arrived, with what the sender was told.
type Request struct {
	Path        string
	Header      http.Header
	Body        []byte // decompressed
	Fault       Fault
	Status      int
	Acknowledge bool // the sender got a whole answer of 2xx
	At          time.Time
}

// Proxy is a running proxy. All methods may be called concurrently.
type Proxy struct {
	http   *httptest.Server
	target string
	client *http.Client

	mu       sync.Mutex
	plan     func(n int, r Request) Fault
	requests []Request
	stop     chan struct{}
}

// Start listens until the test ends. The target is a collector's base URL.
func Start(tb testing.TB, target string) *Proxy {
	tb.Helper()
	p := &Proxy{target: target, client: &http.Client{Timeout: time.Minute}, stop: make(chan struct{})}
	p.plan = func(int, Request) Fault { return Pass() }
	p.http = httptest.NewServer(http.HandlerFunc(p.serve))
	tb.Cleanup(func() {
		close(p.stop)
		p.http.CloseClientConnections()
		p.http.Close()
		p.client.CloseIdleConnections()
	})
	return p
}

// Traces is the endpoint for spans.
func (p *Proxy) Traces() string { return p.http.URL + "/v1/traces" }

// Plan sets what becomes of requests from now on. It is given how many there were since, and the request.
func (p *Proxy) Plan(plan func(n int, r Request) Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := 0
	p.plan = func(_ int, r Request) Fault { n++; return plan(n-1, r) }
}

// Always makes every request from now on end alike.
func (p *Proxy) Always(f Fault) { p.Plan(func(int, Request) Fault { return f }) }

// Requests are those so far that ended, in the order of their ends.
func (p *Proxy) Requests() []Request {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]Request(nil), p.requests...)
}

func (p *Proxy) serve(w http.ResponseWriter, r *http.Request) {
	body, err := readBody(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	req := Request{Path: r.URL.Path, Header: r.Header.Clone(), Body: body, At: time.Now()}
	p.mu.Lock()
	req.Fault = p.plan(0, req)
	p.mu.Unlock()
	p.answer(r.Context(), w, &req)
	p.mu.Lock()
	p.requests = append(p.requests, req)
	p.mu.Unlock()
	if req.Fault.Cut {
		panic(http.ErrAbortHandler) // it ends the connection
	}
}

func readBody(r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil || r.Header.Get("Content-Encoding") != "gzip" {
		return body, err
	}
	z, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

func (p *Proxy) answer(ctx context.Context, w http.ResponseWriter, req *Request) {
	status, header, body := http.StatusOK, http.Header{}, []byte(nil)
	if req.Fault.Forward {
		var err error
		if status, header, body, err = p.forward(req); err != nil {
			status, body = http.StatusBadGateway, fmt.Appendf(nil, "no collector: %v", err)
		}
	}
	f := req.Fault
	switch {
	case f.Cut:
		return
	case f.Silent:
		p.hang(ctx, w, 0)
		return
	case f.Trickle:
		p.hang(ctx, w, 20)
		return
	case f.Status != 0:
		status, header, body = f.Status, http.Header{}, []byte("a fault of the test")
		if f.RetryAfter != "" {
			header.Set("Retry-After", f.RetryAfter)
		}
	case f.Reject != 0 && status == http.StatusOK:
		header.Set("Content-Type", req.Header.Get("Content-Type"))
		body = partial(header.Get("Content-Type"), f.Reject)
	}
	for _, name := range []string{"Content-Type", "Retry-After"} {
		if v := header.Get(name); v != "" {
			w.Header().Set(name, v)
		}
	}
	w.WriteHeader(status)
	_, err := w.Write(body)
	req.Status, req.Acknowledge = status, err == nil && status/100 == 2
}

// hang sends so many bytes of an answer, one in a while, and then nothing until the sender gives up.
func (p *Proxy) hang(ctx context.Context, w http.ResponseWriter, trickle int) {
	flush := http.NewResponseController(w)
	if trickle > 0 {
		w.Header().Set("Content-Length", "1000")
		w.WriteHeader(http.StatusOK)
	}
	for range trickle {
		if _, err := w.Write([]byte(" ")); err != nil || flush.Flush() != nil {
			return
		}
		select {
		case <-p.stop:
			return
		case <-ctx.Done():
			return
		case <-time.After(100 * time.Millisecond):
		}
	}
	select {
	case <-p.stop:
	case <-ctx.Done():
	}
}

func (p *Proxy) forward(req *Request) (status int, header http.Header, body []byte, err error) {
	out, err := http.NewRequest(http.MethodPost, p.target+req.Path, bytes.NewReader(req.Body))
	if err != nil {
		return 0, nil, nil, err
	}
	out.Header = req.Header.Clone()
	out.Header.Del("Content-Encoding")
	res, err := p.client.Do(out)
	if err != nil {
		return 0, nil, nil, err
	}
	defer res.Body.Close()
	body, err = io.ReadAll(res.Body)
	return res.StatusCode, res.Header, body, err
}
