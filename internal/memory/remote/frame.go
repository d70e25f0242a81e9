package remote

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// A frame is two lengths, of all that follows them and of the head, each in four bytes, the greatest first; then the head and the
// body, both JSON. The head says whose the body is, so that the body is parsed once, as what it is.
const (
	lengths  = 8
	maxHead  = 64 << 10
	maxHello = 1 << 20
	maxFrame = 64 << 20
	// trusted is how much is allocated because of a length alone.
	trusted = 64 << 10
)

var errFrame = errors.New("not a frame of the memory service")

// head is the first part of each frame.
type head struct {
	// ID tells the calls of a connection apart; an answer has its question's.
	ID uint64 `json:"id"`
	// Op is what is asked, empty in an answer.
	Op string `json:"op,omitempty"`
	// Within is how many microseconds the caller waits, zero for ever.
	Within int64 `json:"within,omitempty"`
	// Error is what went wrong, in an answer without a body.
	Error *wireError `json:"error,omitempty"`
}

type frame struct {
	head
	body []byte
}

// encodeFrame makes the bytes of a frame. body is nil, or what encoding/json takes.
func encodeFrame(h head, body any) ([]byte, error) {
	var out bytes.Buffer
	out.Write(make([]byte, lengths))
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(h); err != nil {
		return nil, fmt.Errorf("encode frame: %w", err)
	}
	headLen := out.Len() - lengths
	if body != nil {
		if err := enc.Encode(body); err != nil {
			return nil, fmt.Errorf("encode frame: %w", err)
		}
	}
	all := out.Bytes()
	if headLen > maxHead || len(all)-lengths > maxFrame {
		return nil, fmt.Errorf("encode frame: it has %d bytes, and %d is the most", len(all), maxFrame)
	}
	binary.BigEndian.PutUint32(all, uint32(len(all)-lengths))
	binary.BigEndian.PutUint32(all[4:], uint32(headLen))
	return all, nil
}

// readFrame reads one frame of at most so many bytes. io.EOF says that the stream ended before one began.
func readFrame(r io.Reader, most uint32) (frame, error) {
	var n [lengths]byte
	if _, err := io.ReadFull(r, n[:]); err != nil {
		if errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return frame{}, io.EOF
		}
		return frame{}, fmt.Errorf("read frame: %w", err)
	}
	total, headLen := binary.BigEndian.Uint32(n[:4]), binary.BigEndian.Uint32(n[4:])
	if total > most || headLen > maxHead || headLen > total {
		return frame{}, fmt.Errorf("read frame: %w: a length of %d, %d of it the head's", errFrame, total, headLen)
	}
	text, err := readBytes(r, int(headLen))
	if err != nil {
		return frame{}, err
	}
	var f frame
	if err := json.Unmarshal(text, &f.head); err != nil {
		return frame{}, fmt.Errorf("read frame: %w: %w", errFrame, err)
	}
	if f.body, err = readBytes(r, int(total-headLen)); err != nil {
		return frame{}, err
	}
	return f, nil
}

// readBytes reads n bytes, and allocates for no more than come.
func readBytes(r io.Reader, n int) ([]byte, error) {
	if n <= trusted {
		out := make([]byte, n)
		_, err := io.ReadFull(r, out)
		return out, ended(err)
	}
	var out bytes.Buffer
	out.Grow(trusted)
	_, err := io.CopyN(&out, r, int64(n))
	return out.Bytes(), ended(err)
}

// ended tells a stream that ended within a frame from one that ended after it.
func ended(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("read frame: %w", err)
}
