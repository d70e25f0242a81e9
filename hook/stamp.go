package hook

import (
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"time"

	"github.com/boathook/boathook/hook/canon"
)

// idLength is that of a ULID.
const idLength = 26

func kinds() []Kind { return canon.Kinds() }

// stamp gives an event what only the program that received it can know.
func stamp(e *Event) {
	e.Time = time.Now().UTC()
	e.ID = newID(e.Time)
	var span [8]byte
	binary.BigEndian.PutUint64(span[:], rand.Uint64()|1)
	e.SpanID = hex.EncodeToString(span[:])
}

// newID makes a ULID: 48 bits of milliseconds and 80 random ones, five bits a character. Nothing hangs on its being guessed:
// package crypto, whose start alone would cost a hook, is not needed.
func newID(now time.Time) string {
	const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	ms := uint64(max(now.UnixMilli(), 0))
	var random [10]byte
	binary.BigEndian.PutUint64(random[:], rand.Uint64())
	binary.BigEndian.PutUint16(random[8:], uint16(rand.Uint32()))
	var out [idLength]byte
	for i := 9; i >= 0; i-- {
		out[i] = crockford[ms&31]
		ms >>= 5
	}
	var bits, n uint
	at := 10
	for _, b := range random {
		bits, n = bits<<8|uint(b), n+8
		for ; n >= 5; at++ {
			n -= 5
			out[at] = crockford[bits>>n&31]
		}
		bits &= 1<<n - 1
	}
	return string(out[:])
}
