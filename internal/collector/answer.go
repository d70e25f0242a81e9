package collector

import (
	"encoding/binary"
	"encoding/json"
	"net/http"

	"github.com/boathook/boathook/internal/otlp"
)

// accept answers that all was taken: an Export…ServiceResponse without a partial success, which in protobuf is no bytes.
func accept(w http.ResponseWriter, format string) {
	w.Header().Set("Content-Type", format)
	w.WriteHeader(http.StatusOK)
	if format == otlp.JSON {
		_, _ = w.Write([]byte("{}")) // a sender that has gone needs no answer
	}
}

// The codes of google.rpc.Status that are used here.
const (
	codeInvalid   = 3
	codeNotFound  = 5
	codeExhausted = 8
	codeAborted   = 10 // a body that stood still
	codeBusy      = 14
)

// reject answers with a google.rpc.Status, as OTLP wants it (code is field 1, message field 2).
func reject(w http.ResponseWriter, format string, why refusal) {
	code := codeInvalid
	switch why.status {
	case http.StatusNotFound:
		code = codeNotFound
	case http.StatusRequestEntityTooLarge:
		code = codeExhausted
	case http.StatusRequestTimeout:
		code = codeAborted
	case http.StatusServiceUnavailable:
		code = codeBusy
	}
	w.Header().Set("Content-Type", format)
	w.WriteHeader(why.status)
	if format == otlp.JSON {
		_ = json.NewEncoder(w).Encode(map[string]any{"code": code, "message": why.why})
		return
	}
	b := []byte{1 << 3, byte(code), 2<<3 | 2}
	b = binary.AppendUvarint(b, uint64(len(why.why)))
	_, _ = w.Write(append(b, why.why...))
}
