package hookrun

import (
	"crypto/rand"
	"encoding/hex"
	"time"

	"github.com/oklog/ulid/v2"
)

// newID makes an event's ULID. A clock that stands before 1970 gives the time 0 rather than none: order comes from the
// store's sequence, never from the id.
func newID(now time.Time) (string, time.Time) {
	now = now.UTC()
	ms := max(now.UnixMilli(), 0)
	var id ulid.ULID
	_ = id.SetTime(min(uint64(ms), ulid.MaxTime()))
	var entropy [10]byte
	_, _ = rand.Read(entropy[:]) // never fails since Go 1.24
	_ = id.SetEntropy(entropy[:])
	return id.String(), now
}

// newSpanID makes 8 random bytes in hex, never all zero (which OpenTelemetry forbids).
func newSpanID() string {
	var b [8]byte
	_, _ = rand.Read(b[:])
	b[7] |= 1
	return hex.EncodeToString(b[:])
}
