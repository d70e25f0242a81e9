package remote

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/boathook/boathook/internal/memory"
)

// raw is a frame with lengths of the caller's choice.
func raw(total, headLen uint32, rest string) []byte {
	out := binary.BigEndian.AppendUint32(nil, total)
	return append(binary.BigEndian.AppendUint32(out, headLen), rest...)
}

// answers are what a hostile or broken service sends in place of an answer.
func answers() map[string][]byte {
	return map[string][]byte{
		"garbage":         []byte("HTTP/1.1 400 Bad Request\r\n\r\n"),
		"huge":            raw(1<<32-1, 10, "{}"),
		"head too long":   raw(maxHead+10, maxHead+1, "{}"),
		"head beyond all": raw(4, 8, "{}{}"),
		"no JSON":         raw(4, 4, "!!!!"),
		"cut":             raw(100, 20, `{"id":2}`),
		"body no JSON":    raw(12, 8, `{"id":2}!!!!`),
		"another type":    raw(14, 8, `{"id":2}["a"]  `[:14]),
	}
}

// Whatever comes in place of an answer, a call ends, and says that the service is not available.
func TestHostileService(t *testing.T) {
	for name, answer := range answers() {
		t.Run(name, func(t *testing.T) {
			ours, theirs := net.Pipe()
			go func() {
				defer theirs.Close()
				_, _ = readFrame(theirs, maxFrame)
				_, _ = theirs.Write(answer)
			}()
			l := newLink(ours)
			defer l.close()
			l.next = 1
			var s memory.Stats
			err := l.call(t.Context(), opStats, memory.Filter{}, &s)
			if !errors.Is(err, memory.ErrUnavailable) || !errors.Is(err, errGone) || l.alive() {
				t.Errorf("%v", err)
			}
			if err := l.call(t.Context(), opStats, memory.Filter{}, &s); !errors.Is(err, errGone) {
				t.Errorf("the next: %v", err)
			}
		})
	}
}

// A service that reads nothing, or answers nothing, holds nobody longer than the caller's context.
func TestSilentService(t *testing.T) {
	for name, reads := range map[string]bool{"reads nothing": false, "answers nothing": true} {
		t.Run(name, func(t *testing.T) {
			ours, theirs := net.Pipe()
			defer theirs.Close()
			if reads {
				go func() { _, _ = io.Copy(io.Discard, theirs) }()
			}
			l := newLink(ours)
			defer l.close()
			for range 3 * maxNotes / 2 {
				ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
				if err := l.call(ctx, opStats, memory.Filter{}, nil); !errors.Is(err, context.DeadlineExceeded) {
					t.Fatal(err)
				}
				cancel()
			}
			l.mu.Lock()
			defer l.mu.Unlock()
			if len(l.pending) != 0 {
				t.Errorf("%d calls are kept", len(l.pending))
			}
		})
	}
}

// Whatever a peer says, a server that is asked by others goes on.
func TestHostilePeer(t *testing.T) {
	s := &Server{Version: "v1", Store: fixed(&fake{}), Fingerprint: "f"}
	for name, said := range answers() {
		ours, theirs := net.Pipe()
		go func() { _, _ = ours.Write(said); _ = ours.Close() }()
		if err := s.Serve(t.Context(), theirs); err == nil {
			t.Errorf("%s: is taken for a hello", name)
		}
	}
	for name, h := range map[string]hello{
		"other settings":       {Protocol: protocol, Version: "v1", Fingerprint: "g"},
		"settings of its own":  {Protocol: protocol, Version: "v1", Fingerprint: "f", Settings: &Settings{DSN: "x"}},
		"no fingerprint":       {Protocol: protocol, Version: "v1"},
		"a protocol to come":   {Protocol: protocol + 1, Version: "v2", Fingerprint: "f"},
		"the server is older":  {Protocol: protocol, Version: "v2", Fingerprint: "f"},
		"a version of escapes": {Protocol: protocol, Version: "\x1b[2J", Fingerprint: "f"},
	} {
		ours, theirs := net.Pipe()
		done := make(chan error, 1)
		go func() { done <- s.Serve(t.Context(), theirs) }()
		l := newLink(ours)
		_, err := l.greet(t.Context(), h)
		if !errors.Is(err, memory.ErrUnavailable) && !errors.Is(err, errOther) || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%s: %v", name, err)
		}
		l.close()
		<-done //nolint:errcheck // of another version it was the client that left
	}
}

// A peer that says nothing is not waited for for ever, nor is one that ends within a frame an error of the others'.
func TestServerEndsWithItsContext(t *testing.T) {
	f := &fake{hold: make(chan struct{}), begun: make(chan string, 1)}
	s := &Server{Version: "v1", Store: fixed(f), Fingerprint: "f"}
	ctx, cancel := context.WithCancel(t.Context())
	ours, theirs := net.Pipe()
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, theirs) }()
	l := newLink(ours)
	_, err := l.greet(t.Context(), hello{Protocol: protocol, Version: "v1", Fingerprint: "f"})
	must(t, err)
	asked := make(chan error, 1)
	go func() { asked <- l.call(t.Context(), opStats, memory.Filter{}, nil) }()
	<-f.begun
	cancel()
	if err := <-done; err != nil {
		t.Errorf("served: %v", err)
	}
	if err := <-asked; !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("asked: %v", err)
	}
}

func FuzzFrame(f *testing.F) {
	for _, a := range answers() {
		f.Add(a)
	}
	good, err := encodeFrame(head{ID: 1, Op: opStats, Within: 5}, memory.Filter{Projects: []string{"p"}})
	must(f, err)
	f.Add(good)
	f.Fuzz(func(t *testing.T, data []byte) {
		r := bytes.NewReader(data)
		got, err := readFrame(r, 1<<16)
		if err != nil {
			if len(data) == 0 && !errors.Is(err, io.EOF) {
				t.Error(err)
			}
			return
		}
		again, err := encodeFrame(got.head, nil)
		if err != nil {
			t.Fatal(err)
		}
		same, err := readFrame(bytes.NewReader(again), 1<<20)
		if err != nil || same.ID != got.ID || same.Within != got.Within || same.Op != strings.ToValidUTF8(got.Op, "\ufffd") {
			t.Errorf("%+v became %+v, %v", got.head, same.head, err)
		}
	})
}

// FuzzPeer: whatever a connection carries after its hello, the server ends with it.
func FuzzPeer(f *testing.F) {
	for _, a := range answers() {
		f.Add(a)
	}
	for _, op := range []string{opWrite, opFind, opSessions, opGet, opEmbed, opForget, opRetain, opOccurs, opStats, opCancel, opHello, "x"} {
		b, err := encodeFrame(head{ID: 1, Op: op}, map[string]any{"limit": 1})
		must(f, err)
		f.Add(append(b, b...))
	}
	greeting, err := encodeFrame(head{Op: opHello}, hello{Protocol: protocol, Version: "v1", Fingerprint: "f"})
	must(f, err)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &Server{Version: "v1", Store: fixed(&fake{}), Fingerprint: "f"}
		ours, theirs := net.Pipe()
		go func() { _, _ = io.Copy(io.Discard, ours) }()
		go func() { _, _ = ours.Write(append(bytes.Clone(greeting), data...)); _ = ours.Close() }()
		_ = s.Serve(t.Context(), theirs) // that it returns is what is asked
	})
}
