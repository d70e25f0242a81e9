package main

import (
	"errors"
	"io"
)

// memoryOptions say what of memory is measured.
type memoryOptions struct {
	chunks, vectors, prompts int
	growth                   bool
}

// remember measures memory.
func remember(w io.Writer, o memoryOptions) error {
	sizes := []int{o.chunks}
	if o.growth {
		sizes = growth()
	}
	err := ingest(w, max(min(o.chunks, 30_000)/6, 100))
	err = errors.Join(err, memorySQLite(w, sizes, max(o.prompts, 3)))
	vectors := o.vectors
	if vectors < 0 {
		vectors = o.chunks
	}
	if vectors > 0 {
		err = errors.Join(err, memoryPostgres(w, vectors, max(o.prompts, 3)))
	}
	return err
}
