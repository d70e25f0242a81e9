package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/boathook/boathook/internal/memory/sqlite"
)

// limitSQLite is what 95 of a hundred hooks may take with memory in a file.
const limitSQLite = 60 * time.Millisecond

// growth are the sizes of the growth curve, in chunks.
func growth() []int { return []int{10_000, 100_000, 1_000_000} }

// memorySQLite measures the hook with memory in a file, at each of these sizes, the smallest first.
func memorySQLite(w io.Writer, sizes []int, rounds int) error {
	tb := &bench{}
	defer tb.cleanup()
	off, offDir := memoryLab(tb)
	on, onDir := memoryLab(tb)
	askers := []asker{
		greeter(off.Environ()), hookOf(off, offDir, "hook, memory off", 0, false), hookOf(on, onDir, "hook, memory in SQLite", limitSQLite, true),
	}
	c := newCorpus(1, sizes[len(sizes)-1], time.Now())
	var errs []error
	for _, n := range sizes {
		on.Configure("") // whoever comes while it is filled has no memory
		rate, bytes, err := fillSQLite(filepath.Join(on.Data, sqlite.FileName), c, n)
		if err != nil {
			return err
		}
		remembers(on, onDir, "")
		fmt.Fprintf(w, "\nSQLite, %d chunks, half of them in the project that is asked: %.0f rows/s written by the store, %.1f MB\n", n, rate, float64(bytes)/mb)
		errs = append(errs, latency(w, askers, c, rounds))
		on.KillAll() // its worker wrote what was asked; it doesn't belong to the next size
	}
	return errors.Join(errs...)
}

func fillSQLite(path string, c *corpus, chunks int) (rate float64, bytes int64, err error) {
	ctx := context.Background()
	s, err := sqlite.Open(ctx, path)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if rate, err = fill(ctx, s, c, chunks); err != nil {
		return 0, 0, err
	}
	stats, err := holds(ctx, s, chunks)
	return rate, stats.Bytes, err
}
