package sqlite

import (
	"encoding/binary"
	"math"
)

// Vectors are stored in halves: floats of 16 bits (IEEE 754 binary16), whose 11 bits of precision are more than what tells one embedding
// from another. Their numbers are between -1 and 1.

// appendHalf appends a number, rounded to the nearest.
func appendHalf(b []byte, x float32) []byte {
	bits := math.Float32bits(x)
	sign, abs := uint16(bits>>16)&0x8000, bits&0x7FFFFFFF
	var h uint16
	switch {
	case abs >= 0x477FF000: // the largest there is
		h = 0x7BFF
	case abs < 0x38800000: // too small for a full mantissa
		h = uint16(math.RoundToEven(float64(math.Float32frombits(abs)) * (1 << 24)))
	default:
		rounded := abs + 0xFFF + abs>>13&1
		h = uint16((rounded - 112<<23) >> 13)
	}
	return binary.LittleEndian.AppendUint16(b, sign|h)
}

func halfAt(raw []byte, i int) float32 {
	h := uint32(binary.LittleEndian.Uint16(raw[2*i:]))
	sign, rest := h&0x8000<<16, h&0x7FFF
	if rest < 0x400 {
		return math.Float32frombits(math.Float32bits(float32(rest)/(1<<24)) | sign)
	}
	return math.Float32frombits(sign | (rest<<13 + 112<<23))
}

// dot is the product of a vector and one in halves.
func dot(a []float32, raw []byte) float64 {
	var x, y float32
	i := 0
	for ; i+1 < len(a); i += 2 {
		x += a[i] * halfAt(raw, i)
		y += a[i+1] * halfAt(raw, i+1)
	}
	if i < len(a) {
		x += a[i] * halfAt(raw, i)
	}
	return float64(x) + float64(y)
}
