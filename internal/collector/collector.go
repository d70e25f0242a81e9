// Package collector receives OTLP over HTTP on this machine, for development: `boathook collector`, `boathook try` and
// tests use it. Server listens and answers as OTLP 1.x says; Forest keeps what came as traces, within bounds. Nothing is
// printed or stored here. It must not be imported by the hook path or the worker.
package collector

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/boathook/boathook/internal/otlp"
)

// Options says what becomes of what is received. The functions are called concurrently, before the sender is answered.
type Options struct {
	// Listen is host:port; port 0 is any free one.
	Listen string
	// Traces and Metrics take what came; nil drops it.
	Traces  func(otlp.Traces)
	Metrics func(otlp.Metrics)
	// Refused hears of each request that was answered with an error; nil is nobody.
	Refused func(status int, why string)
}

// Server is a receiver that runs.
type Server struct {
	http    *http.Server
	addr    net.Addr
	done    chan struct{}
	failure error
}

// The times bound what a peer that never ends its request can hold.
const (
	headerTime = 10 * time.Second
	bodyTime   = 60 * time.Second
	idleTime   = 2 * time.Minute
)

// Start listens and serves until Close.
func Start(ctx context.Context, o Options) (*Server, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", o.Listen)
	if err != nil {
		return nil, fmt.Errorf("start collector: %w", err)
	}
	s := &Server{addr: listener.Addr(), done: make(chan struct{})}
	s.http = &http.Server{
		Handler: Handler(o), ReadHeaderTimeout: headerTime, ReadTimeout: bodyTime, IdleTimeout: idleTime, MaxHeaderBytes: 64 << 10,
		ErrorLog: quiet(),
	}
	go func() {
		defer close(s.done)
		if err := s.http.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			s.failure = fmt.Errorf("serve collector: %w", err)
		}
	}()
	return s, nil
}

// URL is the base endpoint: OTEL_EXPORTER_OTLP_ENDPOINT.
func (s *Server) URL() string { return "http://" + s.addr.String() }

// Done is closed when the server serves no more.
func (s *Server) Done() <-chan struct{} { return s.done }

// Close ends the server: requests under way are answered unless ctx ends before. It returns why the server had ended by
// itself, if it had.
func (s *Server) Close(ctx context.Context) error {
	if err := s.http.Shutdown(ctx); err != nil {
		_ = s.http.Close() // what did not end in time is cut
	}
	<-s.done
	return s.failure
}

// Loopback tells whether an address to listen on can be reached from this machine alone.
func Loopback(listen string) bool {
	host, _, err := net.SplitHostPort(listen)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
