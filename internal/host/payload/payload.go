// Package payload reads the payload that an agent writes to its hook. The hook path and hooks written with package hook call
// it. It imports only internal/lenient and the standard library.
package payload

import (
	"io"
	"time"

	"github.com/boathook/boathook/internal/lenient"
)

// most bounds what is read of one payload. Hosts send tool results whole, so it is far above anything useful.
const most = 40 << 20

// Quiet is how long a stream that stays open may say nothing before its incomplete JSON is taken as it is.
const Quiet = 2 * time.Second

// Read reads until the JSON is complete, the stream ends, nothing has come for the quiet time (some hosts never
// close the stream), or all the time is over. A note says how it ended if not well.
func Read(r io.Reader, quiet, all time.Duration) ([]byte, string) {
	pieces := make(chan []byte)
	stop := make(chan struct{})
	defer close(stop)
	go pump(r, pieces, stop)
	var text []byte
	var scan lenient.Scanner
	timer, over := time.NewTimer(quiet), time.NewTimer(all)
	defer timer.Stop()
	defer over.Stop()
	for {
		select {
		case piece, more := <-pieces:
			if !more {
				return text, ""
			}
			text = append(text, piece...)
			if !lenient.Wide(text) && scan.Feed(piece) {
				return text, ""
			}
			if len(text) > most {
				return text[:most], "payload: larger than 40 MiB, the rest was not read"
			}
			timer.Reset(quiet)
		case <-timer.C:
			return text, "payload: the stream stayed open and the JSON incomplete"
		case <-over.C:
			return text, "payload: the stream was too slow, what had come is judged"
		}
	}
}

// pump reads into fresh buffers that grow with what comes, so that a small payload costs a small buffer.
func pump(r io.Reader, pieces chan<- []byte, stop <-chan struct{}) {
	defer close(pieces)
	for size := 16 << 10; ; size = min(size*4, 4<<20) {
		buf := make([]byte, size)
		n, err := r.Read(buf)
		if n > 0 {
			select {
			case pieces <- buf[:n]:
			case <-stop:
				return
			}
		}
		if err != nil {
			return
		}
	}
}
