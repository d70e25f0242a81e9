package lenient

import (
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// width tells how many bytes a unit of the text has, by its byte order mark or by where the zeros of its first character
// are (which is ASCII in JSON), and whether the high byte comes first. It is 1 for UTF-8.
func width(b []byte) (size, mark int, order binary.ByteOrder) {
	has := func(prefix ...byte) bool {
		return len(b) >= len(prefix) && string(b[:len(prefix)]) == string(prefix)
	}
	switch {
	case has(0xff, 0xfe, 0, 0):
		return 4, 4, binary.LittleEndian
	case has(0, 0, 0xfe, 0xff):
		return 4, 4, binary.BigEndian
	case has(0xff, 0xfe):
		return 2, 2, binary.LittleEndian
	case has(0xfe, 0xff):
		return 2, 2, binary.BigEndian
	case len(b) >= 4 && b[0] != 0 && b[1] == 0 && b[2] == 0 && b[3] == 0:
		return 4, 0, binary.LittleEndian
	case len(b) >= 4 && b[0] == 0 && b[1] == 0 && b[2] == 0 && b[3] != 0:
		return 4, 0, binary.BigEndian
	case len(b) >= 2 && b[0] != 0 && b[1] == 0:
		return 2, 0, binary.LittleEndian
	case len(b) >= 2 && b[0] == 0 && b[1] != 0:
		return 2, 0, binary.BigEndian
	}
	return 1, 0, nil
}

// Wide tells whether a text that begins so is UTF-16 or UTF-32: its bytes must not be scanned for brackets then.
func Wide(begin []byte) bool {
	size, _, _ := width(begin)
	return size > 1
}

// narrow turns UTF-16 or UTF-32 into UTF-8; PowerShell pipes send such.
func narrow(b []byte) ([]byte, bool) {
	size, mark, order := width(b)
	if size == 1 {
		return b, false
	}
	b = b[mark:]
	out := make([]byte, 0, len(b))
	if size == 4 {
		for ; len(b) >= 4; b = b[4:] {
			out = utf8.AppendRune(out, rune(order.Uint32(b)))
		}
		return out, true
	}
	for len(b) >= 2 {
		r := rune(order.Uint16(b))
		b = b[2:]
		if utf16.IsSurrogate(r) && len(b) >= 2 {
			if pair := utf16.DecodeRune(r, rune(order.Uint16(b))); pair != utf8.RuneError {
				r, b = pair, b[2:]
			}
		}
		out = utf8.AppendRune(out, r)
	}
	return out, true
}
