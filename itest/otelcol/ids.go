package otelcol

import (
	"crypto/sha256"
	"encoding/hex"
	"math/big"
	"strings"
)

// The ids of spans and traces are derived from the ids of events. The rules are written out here once more, since a
// backend's users join on them.

// TraceOf is the trace that an event begins: the 128 bits of its ULID.
func TraceOf(ulid string) string {
	const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	n := new(big.Int)
	for _, c := range ulid {
		n.Lsh(n, 5)
		n.Or(n, big.NewInt(int64(strings.IndexRune(alphabet, c))))
	}
	return hex.EncodeToString(n.FillBytes(make([]byte, 16)))
}

// TurnOf is the span of the turn that an event begins; CallOf that of the call that a tool:before event announces.
func TurnOf(eventID string) string { return derived("turn:" + eventID) }

// CallOf is the span of a tool call.
func CallOf(eventID string) string { return derived("call:" + eventID) }

func derived(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}
