package transcripts

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
)

// maxLine bounds a line: a tool's output may be of any size, and no call is.
const maxLine = 16 << 20

// lineReader reads one kind of lines. It keeps what it has to remember from one line to the next.
type lineReader interface {
	// line gives the calls of one line, and tells whether it was one of JSON.
	line(text []byte) (calls []Call, ok bool)
}

// lines makes a reader of files of JSON lines.
func lines(fresh func() lineReader) reader {
	return func(ctx context.Context, path string, each func(Call) error) (skipped int, err error) {
		f, err := os.Open(path)
		if err != nil {
			return 0, err
		}
		defer func() { _ = f.Close() }() // it was only read
		return readLines(ctx, f, fresh(), each)
	}
}

func readLines(ctx context.Context, in io.Reader, l lineReader, each func(Call) error) (skipped int, err error) {
	r := bufio.NewReaderSize(in, 256<<10)
	seen := map[string]bool{}
	for {
		text, long, err := readLine(r)
		if long {
			skipped++
		} else if text = bytes.TrimSpace(text); len(text) > 0 {
			calls, ok := l.line(text)
			if !ok {
				skipped++
			}
			for _, c := range calls {
				if c.ID != "" && seen[c.ID] {
					continue // it was written again
				}
				seen[c.ID] = true
				if err := each(c); err != nil {
					return skipped, err
				}
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return skipped, nil
		case err != nil:
			return skipped, err
		case ctx.Err() != nil:
			return skipped, ctx.Err()
		}
	}
}

// readLine reads a line, and passes over one that is too long.
func readLine(r *bufio.Reader) (line []byte, long bool, err error) {
	line, _, long, err = readSized(r)
	return line, long, err
}

// readSized is readLine, and says how many bytes the line has in the file.
func readSized(r *bufio.Reader) (line []byte, n int64, long bool, err error) {
	for {
		part, err := r.ReadSlice('\n')
		n += int64(len(part))
		if !long && len(line)+len(part) <= maxLine {
			line = append(line, part...)
		} else {
			long, line = true, nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, n, long, err
		}
	}
}
