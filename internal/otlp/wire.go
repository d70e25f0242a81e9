package otlp

import (
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
	"strings"
	"unicode/utf8"
)

// The protobuf wire format, as much of it as OTLP needs. protowire of google.golang.org/protobuf would do, but it links a
// package that opens and hashes the executable when a process starts, and each hook is a process.

// The wire types.
const (
	typeVarint  = 0
	typeFixed64 = 1
	typeBytes   = 2
	typeFixed32 = 5
)

func appendTag(b []byte, num, typ int) []byte {
	return binary.AppendUvarint(b, uint64(num)<<3|uint64(typ))
}

// A zero number and an empty string are not written: they are what a reader takes for a field that isn't there. Fields of
// a oneof are written whatever they are, by the callers.

func appendVarint(b []byte, num int, v uint64) []byte {
	if v == 0 {
		return b
	}
	return binary.AppendUvarint(appendTag(b, num, typeVarint), v)
}

func appendFixed64(b []byte, num int, v uint64) []byte {
	if v == 0 {
		return b
	}
	return binary.LittleEndian.AppendUint64(appendTag(b, num, typeFixed64), v)
}

func appendFixed32(b []byte, num int, v uint32) []byte {
	if v == 0 {
		return b
	}
	return binary.LittleEndian.AppendUint32(appendTag(b, num, typeFixed32), v)
}

func appendDouble(b []byte, num int, v float64) []byte {
	return binary.LittleEndian.AppendUint64(appendTag(b, num, typeFixed64), math.Float64bits(v))
}

func appendText(b []byte, num int, s string) []byte {
	if s == "" {
		return b
	}
	return appendString(b, num, s)
}

func appendString(b []byte, num int, s string) []byte {
	s = validText(s)
	b = binary.AppendUvarint(appendTag(b, num, typeBytes), uint64(len(s)))
	return append(b, s...)
}

// validText is valid UTF-8 whatever it is given: receivers refuse a whole request for one string that isn't.
func validText(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// begin starts a message whose length isn't known yet, end completes it. One byte is kept free for the length; what needs
// more is moved, which is cheaper than to compute all sizes first.
func begin(b []byte, num int) (_ []byte, start int) {
	b = append(appendTag(b, num, typeBytes), 0)
	return b, len(b)
}

func end(b []byte, start int) []byte {
	n := len(b) - start
	more := (bits.Len64(uint64(n)|1)+6)/7 - 1
	if more > 0 {
		b = append(b, make([]byte, more)...)
		copy(b[start+more:], b[start:start+n])
	}
	binary.PutUvarint(b[start-1:start+more], uint64(n))
	return b
}

// errWire says that bytes are not a protobuf message.
var errWire = errors.New("not a protobuf message")

// field is one field of a message: num and typ, and its value in n or bytes.
type field struct {
	num, typ int
	n        uint64
	bytes    []byte
	// left is how many fields may still come.
	left *int
}

// maxFields bounds the fields of a request, those of the messages within included: an empty one takes two bytes there, and
// many more here.
const maxFields = 2 << 20

// eachField calls fn for the fields of a message in their order. Groups, which proto3 doesn't have, are an error.
func eachField(b []byte, fn func(f field) error) error {
	left := maxFields
	return field{typ: typeBytes, bytes: b, left: &left}.message(fn)
}

func (f field) each(fn func(f field) error) error {
	left := f.left
	for b := f.bytes; len(b) > 0; {
		if *left--; *left < 0 {
			return ErrTooBig
		}
		tag, n := binary.Uvarint(b)
		if n <= 0 || tag>>3 == 0 || tag>>3 > 1<<29-1 {
			return errWire
		}
		b = b[n:]
		f := field{num: int(tag >> 3), typ: int(tag & 7), left: left}
		switch f.typ {
		case typeVarint:
			f.n, n = binary.Uvarint(b)
		case typeFixed64:
			if n = 8; len(b) >= n {
				f.n = binary.LittleEndian.Uint64(b)
			}
		case typeFixed32:
			if n = 4; len(b) >= n {
				f.n = uint64(binary.LittleEndian.Uint32(b))
			}
		case typeBytes:
			f.bytes, n = lengthPrefixed(b)
		default:
			return errWire
		}
		if n <= 0 || n > len(b) {
			return errWire
		}
		b = b[n:]
		if err := fn(f); err != nil {
			return err
		}
	}
	return nil
}

// lengthPrefixed returns the bytes behind a length, and how many bytes both have; that is 0 when they aren't all there.
func lengthPrefixed(b []byte) ([]byte, int) {
	size, n := binary.Uvarint(b)
	if n <= 0 || size > uint64(len(b)-n) {
		return nil, 0
	}
	return b[n : n+int(size)], n + int(size)
}

// want says whether a field has the type that it must have.
func (f field) want(typ int) error {
	if f.typ != typ {
		return errWire
	}
	return nil
}

// text is the value of a string field.
func (f field) text() (string, error) {
	if f.typ != typeBytes || !utf8.Valid(f.bytes) {
		return "", errWire
	}
	return string(f.bytes), nil
}

// message reads a field that is a message.
func (f field) message(fn func(f field) error) error {
	if err := f.want(typeBytes); err != nil {
		return err
	}
	return f.each(fn)
}
