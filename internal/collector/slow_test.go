package collector

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/boathook/boathook/internal/otlp"
)

// slowServer is a receiver whose patience is short, or endless.
func slowServer(t *testing.T, patience, idle time.Duration) *httptest.Server {
	t.Helper()
	return serve(t, &receiver{turns: make(chan struct{}, maxConcurrent), patience: patience, idle: idle})
}

func serve(t *testing.T, r *receiver) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(r.handler())
	t.Cleanup(s.Close)
	return s
}

// stuck begins a request, sends so many bytes of its body, and no more.
func stuck(t *testing.T, s *httptest.Server, n int) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	_, err = fmt.Fprintf(conn, "POST /v1/traces HTTP/1.1\r\nHost: x\r\nContent-Type: %s\r\nContent-Length: 1000000\r\n\r\n%s", otlp.JSON, strings.Repeat(" ", n))
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

// post sends a whole request, and returns the status of the answer and when to come again.
func post(t *testing.T, s *httptest.Server) (status int, again string) {
	t.Helper()
	resp, err := http.Post(s.URL+"/v1/traces", otlp.JSON, strings.NewReader(oneSpan))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode, resp.Header.Get("Retry-After")
}

// TestSmallBodiesBlockNobody: whoever has sent a few bytes takes no turn.
func TestSmallBodiesBlockNobody(t *testing.T) {
	s := slowServer(t, time.Hour, time.Hour)
	for range 3 * maxConcurrent {
		stuck(t, s, 1)
	}
	if status, _ := post(t, s); status != http.StatusOK {
		t.Errorf("%d", status)
	}
}

// TestBusy: where large bodies have taken all turns, others are told to come again.
func TestBusy(t *testing.T) {
	s := slowServer(t, 10*time.Millisecond, time.Hour)
	for range maxConcurrent {
		stuck(t, s, 2*firstBytes)
	}
	for {
		status, again := post(t, s)
		if status == http.StatusOK {
			continue // the others haven't come so far yet
		}
		if status != http.StatusServiceUnavailable || again == "" {
			t.Errorf("%d, again in %q", status, again)
		}
		return
	}
}

// TestStandstill: a body that stands still is given up, whether it has taken a turn or not.
func TestStandstill(t *testing.T) {
	turns := make(chan struct{}, maxConcurrent)
	s := serve(t, &receiver{turns: turns, patience: time.Hour, idle: 100 * time.Millisecond})
	patient := serve(t, &receiver{turns: turns, patience: time.Hour, idle: time.Hour}) // whatever keeps a sound body
	for _, n := range []int{1, 2 * firstBytes} {
		var conns []net.Conn
		for range maxConcurrent {
			conns = append(conns, stuck(t, s, n))
		}
		for _, conn := range conns {
			resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil {
				t.Fatal(err)
			}
			_ = resp.Body.Close()
			if resp.StatusCode != http.StatusRequestTimeout {
				t.Errorf("%d bytes: %d", n, resp.StatusCode)
			}
		}
		if status, _ := post(t, patient); status != http.StatusOK {
			t.Errorf("after %d bytes: %d", n, status)
		}
	}
}
