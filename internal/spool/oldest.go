package spool

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
)

// listChunk is how many entries of a directory are read at once.
const listChunk = 4096

// Oldest is Pending, but at most so many of the first ids, with memory for no more than twice as many: a spool may hold
// millions. More says that there are others behind them.
func (s Spool) Oldest(limit int) (names []string, more bool, err error) {
	if err := s.straight("new"); err != nil {
		return nil, false, fmt.Errorf("list spool %s: %w", s.Dir, err)
	}
	d, err := os.Open(s.path("new", ""))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("list spool %s: %w", s.Dir, err)
	}
	defer d.Close()
	for {
		chunk, err := d.Readdirnames(listChunk)
		for _, name := range chunk {
			if isEventName(name) {
				names = append(names, name)
			}
		}
		last := errors.Is(err, io.EOF)
		if err != nil && !last {
			return nil, false, fmt.Errorf("list spool %s: %w", s.Dir, err)
		}
		if len(names) > 2*limit || last && len(names) > limit {
			slices.Sort(names)
			clear(names[limit:]) // lets go of the texts
			names, more = names[:limit], true
		}
		if last {
			slices.Sort(names)
			return names, more, nil
		}
	}
}
