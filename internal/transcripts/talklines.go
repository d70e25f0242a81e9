package transcripts

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
)

// outcome is what a line was.
type outcome int

const (
	known outcome = iota
	broken
	unknown
)

// talker reads one kind of lines into a queue. It keeps what it has to remember from one line to the next.
type talker interface {
	line(q *queue, text []byte, at int) (outcome, error)
}

// talkLines makes a reader of the conversations in files of JSON lines.
func talkLines(fresh func(File) talker) talk {
	return func(ctx context.Context, f File, each func(Item) error) (Told, error) {
		in, err := os.Open(f.Path)
		if err != nil {
			return Told{}, err
		}
		defer func() { _ = in.Close() }() // it was only read
		return readTalk(ctx, in, fresh(f), each)
	}
}

func readTalk(ctx context.Context, in io.Reader, t talker, each func(Item) error) (Told, error) {
	var told Told
	q := newQueue(each)
	r := bufio.NewReaderSize(in, 256<<10)
	for n := 1; ; n++ {
		text, long, err := readLine(r)
		if text = bytes.TrimSpace(text); long {
			told.Skipped++
		} else if len(text) > 0 {
			o, lerr := t.line(q, text, n)
			if told.count(o); lerr != nil {
				return told, lerr
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return told, q.settle()
		case err != nil:
			return told, err
		case ctx.Err() != nil:
			return told, ctx.Err()
		}
	}
}

func (t *Told) count(o outcome) {
	switch o {
	case broken:
		t.Skipped++
	case unknown:
		t.Unknown++
	case known:
	}
}
