package cli

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// catchClosedPipe has nothing to do: a write to a pipe that nobody reads is an error here.
func catchClosedPipe() {}

// pipeClosed tells whether a write failed because nobody reads any more.
func pipeClosed(err error) bool {
	var at *os.PathError
	return errors.As(err, &at) && at.Path == os.Stdout.Name() &&
		(errors.Is(err, windows.ERROR_NO_DATA) || errors.Is(err, windows.ERROR_BROKEN_PIPE))
}
