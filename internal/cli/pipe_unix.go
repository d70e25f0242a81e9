//go:build unix

package cli

import (
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// catchClosedPipe makes a write to a pipe that nobody reads fail, instead of ending the process on the spot: a command
// must be able to put its things away. The signal is caught and not ignored, since programs started from here would
// inherit that it is ignored.
func catchClosedPipe() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }

// pipeClosed tells whether a write failed because nobody reads any more, as in `boathook log | head`.
func pipeClosed(err error) bool {
	var at *os.PathError
	return errors.As(err, &at) && at.Path == os.Stdout.Name() && errors.Is(err, syscall.EPIPE)
}
