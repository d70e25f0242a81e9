package collector

import (
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/otlp"
)

// readBody reads a body, unpacked; packed or not it has at most otlp.MaxBody bytes.
func readBody(w http.ResponseWriter, req *http.Request) ([]byte, error) {
	tooLarge := refusal{http.StatusRequestEntityTooLarge, "the " + otlp.ErrTooBig.Error()}
	if req.ContentLength > otlp.MaxBody {
		return nil, tooLarge
	}
	var from io.Reader = http.MaxBytesReader(w, req.Body, otlp.MaxBody)
	switch encoding := strings.ToLower(strings.TrimSpace(req.Header.Get("Content-Encoding"))); encoding {
	case "", "identity":
	case "gzip":
		unpacked, err := gzip.NewReader(from)
		if err != nil {
			return nil, refusal{http.StatusBadRequest, "the body is not gzip: " + err.Error()}
		}
		from = unpacked
	default:
		return nil, refusal{http.StatusUnsupportedMediaType, "the content encoding is to be gzip, or none"}
	}
	body, err := io.ReadAll(io.LimitReader(from, otlp.MaxBody+1))
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over), len(body) > otlp.MaxBody:
		return nil, tooLarge
	case err != nil:
		return nil, unreadable(err)
	}
	return body, nil
}

func unreadable(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return refusal{http.StatusRequestTimeout, "the body stood still"}
	}
	return refusal{http.StatusBadRequest, "the body can't be read: " + err.Error()}
}

// steady reads a body that may not stand still, nor take longer than bodyTime.
type steady struct {
	from io.Reader
	conn *http.ResponseController
	idle time.Duration
	end  time.Time
}

func newSteady(w http.ResponseWriter, from io.Reader, idle time.Duration) *steady {
	return &steady{from: from, conn: http.NewResponseController(w), idle: idle, end: time.Now().Add(bodyTime)}
}

func (s *steady) Read(p []byte) (int, error) {
	at := time.Now().Add(s.idle)
	if at.After(s.end) {
		at = s.end
	}
	_ = s.conn.SetReadDeadline(at) // what has no connection doesn't stand still
	return s.from.Read(p)
}

// done ends the deadline: the next request has its own.
func (s *steady) done() { _ = s.conn.SetReadDeadline(time.Time{}) }
