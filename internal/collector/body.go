package collector

import (
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strings"

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
		return nil, refusal{http.StatusBadRequest, "the body can't be read: " + err.Error()}
	}
	return body, nil
}
