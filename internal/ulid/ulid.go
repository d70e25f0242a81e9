// Package ulid writes and reads ULIDs, the ids of events: 48 bits of milliseconds and 80 of chance, in 26 characters that sort by
// time. A library for it seeds a generator in every process that links it, which a hook paid and never used. It must not import the
// rest of boathook.
package ulid

import "errors"

// Size is the length of an id as text.
const Size = 26

// MaxTime is the last millisecond that an id can say.
const MaxTime = 1<<48 - 1

// alphabet is Crockford's base 32.
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// New makes the id of a time, in milliseconds since 1970, and of chance; a time beyond the last one is the last one.
func New(ms uint64, chance [10]byte) string {
	ms = min(ms, MaxTime)
	var b [16]byte
	for i := range 6 {
		b[i] = byte(ms >> (40 - 8*i))
	}
	copy(b[6:], chance[:])
	var text [Size]byte
	// 128 bits in 26 characters of 5: two bits of nothing come first.
	acc, bits, at := uint(0), 2, 0
	for _, c := range b {
		acc = acc<<8 | uint(c)
		for bits += 8; bits >= 5; at++ {
			bits -= 5
			text[at] = alphabet[acc>>bits&31]
		}
	}
	return string(text[:])
}

var errNone = errors.New("not a ULID")

// Parse gives the 16 bytes of an id. Small letters are as good.
func Parse(id string) (b [16]byte, err error) {
	if len(id) != Size || id[0] > '7' {
		return b, errNone
	}
	acc, bits, at := uint(0), -2, 0
	for i := range len(id) {
		v := value(id[i])
		if v < 0 {
			return [16]byte{}, errNone
		}
		acc = acc<<5 | uint(v)
		if bits += 5; bits >= 8 {
			bits -= 8
			b[at] = byte(acc >> bits)
			at++
		}
	}
	return b, nil
}

func value(c byte) int {
	if c >= 'a' && c <= 'z' {
		c -= 'a' - 'A'
	}
	for i := range len(alphabet) {
		if alphabet[i] == c {
			return i
		}
	}
	return -1
}
