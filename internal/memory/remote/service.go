package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/memory"
)

// Service is what the second program runs: it answers who started it over pipes, and where that wants it the others over the socket
// of a data directory.
type Service struct {
	Version string
	// Open opens the store of the settings that the first hello has.
	Open func(context.Context, Settings) (memory.Store, error)
	// Hide is what is to be taken out of an error's text.
	Hide func(Settings, string) string
}

// maxPeers is how many connections of the socket are answered at once; stopWait how long a service that ends waits for what is under
// way; lookWait how often it looks after its socket.
const (
	maxPeers = 128
	stopWait = 2 * time.Second
	lookWait = time.Second
)

// errNoSettings refuses a first hello that names no store.
var errNoSettings = errors.New("the settings are missing")

// Run serves until conn ends, or ctx. conn is that of whoever started the service.
func (s Service) Run(ctx context.Context, conn io.ReadWriteCloser) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	server := &Server{Version: s.Version}
	lazy := &Lazy{}
	var upkeep sync.WaitGroup
	served := make(chan error, 1)
	go func() {
		served <- server.serve(ctx, conn, func(h hello) error {
			if h.Settings == nil || h.Settings.DSN == "" {
				return errNoSettings
			}
			given := *h.Settings
			server.Fingerprint, server.Store = given.Fingerprint(), lazy.Store
			if s.Hide != nil {
				server.Hide = func(text string) string { return s.Hide(given, text) }
			}
			lazy.Open = func(ctx context.Context) (memory.Store, error) { return s.Open(ctx, given) }
			lazy.Warm()
			if h.Listen != "" {
				server.note = startListening(ctx, h.Listen, *server, &upkeep)
			}
			return nil
		})
	}()
	var err error
	select {
	case err = <-served:
	case <-ctx.Done(): // a read of stdin doesn't end with it
	}
	cancel()
	within(stopWait, func() { upkeep.Wait(); _ = lazy.Close() })
	return err
}

// within waits for f, but not for ever: the process is about to end.
func within(limit time.Duration, f func()) {
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(limit):
	}
}

// startListening listens in a data directory, now or once whoever does has ended, and says why not.
func startListening(ctx context.Context, dir string, server Server, upkeep *sync.WaitGroup) (note string) {
	in, err := listen(dir)
	switch {
	case errors.Is(err, lock.ErrHeld):
		note = "another memory service holds the socket"
	case err != nil:
		note = fmt.Sprintf("there is no socket: %v; each hook that asks starts a service of its own", err)
	}
	if errors.Is(err, errLongPath) {
		return note
	}
	upkeep.Go(func() {
		for {
			if in != nil {
				serveSocket(ctx, in, server)
			}
			select {
			case <-ctx.Done():
				return
			case <-time.After(lookWait):
			}
			in, _ = listen(dir) // what is in the way was told
		}
	})
	return note
}

// serveSocket answers until ctx ends, or until the socket is no longer in its place.
func serveSocket(ctx context.Context, in *socket, server Server) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var serving sync.WaitGroup
	serving.Go(func() {
		defer cancel()
		room := make(chan struct{}, maxPeers)
		for {
			conn, err := in.accept()
			if err != nil {
				return
			}
			select {
			case room <- struct{}{}:
				serving.Go(func() { defer func() { <-room }(); answer(ctx, conn, server) })
			default:
				_ = conn.Close()
			}
		}
	})
	for in.current() && ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-time.After(lookWait):
		}
	}
	_ = in.Close() // there is no more to do about it
	cancel()
	serving.Wait()
}

// answer serves one connection. What is wrong with it is its own matter.
func answer(ctx context.Context, conn net.Conn, server Server) {
	defer conn.Close()
	_ = server.Serve(ctx, conn)
}
