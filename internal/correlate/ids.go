package correlate

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/boathook/boathook/internal/ulid"
)

// TraceID is the trace that an event begins: the 16 bytes of its ULID in hex (SPEC §9.2).
func TraceID(eventID string) string {
	u, err := ulid.Parse(eventID)
	if err != nil {
		sum := sha256.Sum256([]byte("trace:" + eventID))
		return hex.EncodeToString(sum[:16])
	}
	return hex.EncodeToString(u[:])
}

// TurnSpanID is the span of a turn: known from the turn's first event on, before the span itself is.
func TurnSpanID(turnID string) string { return derived("turn:" + turnID) }

// CallSpanID is the span of a tool call, by the id of its tool:before event.
func CallSpanID(beforeID string) string { return derived("call:" + beforeID) }

func derived(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}
