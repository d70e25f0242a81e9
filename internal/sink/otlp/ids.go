package otlp

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/correlate"
	wire "github.com/boathook/boathook/internal/otlp"
	"github.com/boathook/boathook/internal/record"
)

// The flags of spans. All are sampled: what is stored is sent. Whether the parent is of another process is always known.
const (
	flagSampled    = 1
	flagHasRemote  = 1 << 8
	flagRemote     = 1 << 9
	flagsLocal     = flagSampled | flagHasRemote
	flagsOfForeign = flagsLocal | flagRemote
)

// belongs fills in a span's trace and its parent: the local one where there is one, else the remote one.
func belongs(s *wire.Span, place correlate.Place, eventID, local string) {
	s.TraceID = traceID(place.TraceID, eventID)
	s.Flags = flagsLocal
	var id [8]byte
	switch {
	case local != "" && fromHex(id[:], local):
		s.ParentID = id
	case fromHex(id[:], place.ParentID):
		s.ParentID, s.Flags = id, flagsOfForeign
	}
}

// traceID of an event that was stored before traces were known is the one that it would have begun.
func traceID(text, eventID string) (id [16]byte) {
	if !fromHex(id[:], text) && !fromHex(id[:], correlate.TraceID(eventID)) {
		sum := sha256.Sum256([]byte("trace:" + eventID))
		copy(id[:], sum[:])
	}
	return id
}

// spanID derives one where the record has none that OTLP allows.
func spanID(text, eventID string) (id [8]byte) {
	if !fromHex(id[:], text) {
		sum := sha256.Sum256([]byte("event:" + eventID))
		copy(id[:], sum[:])
	}
	return id
}

// fromHex reads an id of dst's length; one that is all zeros is none. It leaves dst alone unless it succeeds.
func fromHex(dst []byte, text string) bool {
	if len(text) != 2*len(dst) || strings.Trim(text, "0") == "" {
		return false
	}
	b, err := hex.DecodeString(text)
	if err != nil {
		return false
	}
	copy(dst, b)
	return true
}

// stateOf is the trace state that the event's environment named, where it is that of the event's trace.
func stateOf(r *record.Record, place correlate.Place) string {
	if place.TraceID == "" || !strings.Contains(r.TraceParent, place.TraceID) {
		return ""
	}
	return r.TraceState
}

// nanos is a time on the wire. A clock that stood before 1970 gives its beginning.
func nanos(t time.Time) uint64 {
	if t.Before(time.Unix(0, 0)) || t.Year() > 2261 {
		return 0
	}
	return uint64(t.UnixNano())
}

// after adds milliseconds to a time on the wire.
func after(start uint64, ms float64) uint64 {
	const day = 24 * 60 * 60 * 1000
	if !(ms > 0) {
		return start
	}
	return start + uint64(math.Round(min(ms, day)*1e6))
}
