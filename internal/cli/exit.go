package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// The exit codes. They are documented in `boathook help exit-codes` and never change their meaning.
const (
	exitOK      = 0
	exitFailed  = 1
	exitUsage   = 2
	exitRefused = 3
)

// exitError is an error that knows the exit code it stands for.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

// exitWith makes err end the program with a code of its own. A nil err gives the code without a message.
func exitWith(code int, err error) error {
	if err == nil {
		err = errSilent
	}
	return &exitError{code: code, err: err}
}

// errSilent is for a command that has already said everything.
var errSilent = errors.New("")

// usage is the error for a command line that makes no sense.
func usage(format string, args ...any) error {
	return exitWith(exitUsage, fmt.Errorf(format, args...))
}

// finish prints an error for people and returns its exit code.
func finish(env *Env, cmd *cobra.Command, err error) int {
	if err == nil {
		return exitOK
	}
	if errors.Is(err, context.Canceled) {
		err = exitWith(exitFailed, errors.New("interrupted"))
	}
	code := codeOf(err)
	if text := err.Error(); text != "" {
		env.warn(text)
	}
	if code == exitUsage && cmd != nil {
		fmt.Fprintf(env.Stderr, "Run '%s --help' for usage.\n", cmd.CommandPath())
	}
	return code
}

func codeOf(err error) int {
	var coded *exitError
	switch {
	case errors.As(err, &coded):
		return coded.code
	// cobra makes this one itself, as plain text (cobra v1.10, legacyArgs).
	case strings.HasPrefix(err.Error(), "unknown command "):
		return exitUsage
	}
	return exitFailed
}

// noArgs is cobra.NoArgs with this program's exit code.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage("%s takes no arguments, and %q is one", cmd.CommandPath(), args[0])
	}
	return nil
}

func newExitCodes() *cobra.Command {
	return &cobra.Command{
		Use:   "exit-codes",
		Short: "What the exit codes mean",
		Long: `boathook's exit codes:

  0  done
  1  failed: the message on stderr says what and how to mend it
  2  the command line makes no sense; nothing was done
  3  refused: going on would have changed something that is not boathook's to change; nothing was changed

'boathook hook' is the exception: it exits 0 whatever happens, because an agent may take any other code for a deny.`,
	}
}
