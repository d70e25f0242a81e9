package hookrun

import (
	"crypto/rand"
	"encoding/hex"
	"time"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/ulid"
)

// Mark is Stamp without a look at the disk, which may hang.
func Mark(e *canon.Event, now time.Time) { stamp(e, now) }

// Stamp gives an event what only the program that received it can know: its id, time, span and project. It looks at the
// disk for the project.
func Stamp(e *canon.Event, now time.Time) {
	stamp(e, now)
	e.Project = projectRoot(e.CWD)
}

// stamp leaves the project out: a working directory on a disk that hangs must not delay the verdict.
func stamp(e *canon.Event, now time.Time) {
	e.ID, e.Time = newID(now)
	e.SpanID = newSpanID()
}

// newID makes an event's ULID. A clock that stands before 1970 gives the time 0 rather than none: order comes from the
// store's sequence, never from the id.
func newID(now time.Time) (string, time.Time) {
	now = now.UTC()
	if now.Year() < 0 || now.Year() > 9999 {
		now = time.Unix(0, 0).UTC() // no date that JSON could carry
	}
	ms := max(now.UnixMilli(), 0)
	var chance [10]byte
	_, _ = rand.Read(chance[:]) // never fails since Go 1.24
	return ulid.New(uint64(ms), chance), now
}

// newSpanID makes 8 random bytes in hex, never all zero (which OpenTelemetry forbids).
func newSpanID() string {
	var b [8]byte
	_, _ = rand.Read(b[:])
	b[7] |= 1
	return hex.EncodeToString(b[:])
}
