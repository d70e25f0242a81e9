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
	return errors.Join(memorySQLite(w, sizes, max(o.prompts, 3)))
}
