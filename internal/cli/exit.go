package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/boathook/boathook/internal/duration"
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

// finish prints an error for people and returns its exit code. A reader that has seen enough (| head) is no error.
func finish(env *Env, cmd *cobra.Command, err error) int {
	if err == nil || pipeClosed(err) {
		return exitOK
	}
	if errors.Is(err, context.Canceled) {
		err = exitWith(exitFailed, errors.New("interrupted"))
	}
	err = unknownCommand(cmd, err)
	text := err.Error()
	if text != "" {
		env.warn(text)
	}
	code := codeOf(err)
	if code == exitUsage && text != "" && cmd != nil {
		fmt.Fprintf(env.Stderr, "Run '%s --help' for usage.\n", cmd.CommandPath())
	}
	return code
}

// unknownCommand says in one line what cobra says in five, as plain text that no type tells apart (cobra v1.10,
// legacyArgs).
func unknownCommand(cmd *cobra.Command, err error) error {
	rest, ok := strings.CutPrefix(err.Error(), "unknown command ")
	if !ok || cmd == nil {
		return err
	}
	quoted, qerr := strconv.QuotedPrefix(rest)
	if qerr != nil {
		return usage("%w", err)
	}
	name, _ := strconv.Unquote(quoted) // QuotedPrefix has seen to it
	return usage("unknown command %q%s", name, didYouMean(cmd, name))
}

// didYouMean names the commands that are spelled alike.
func didYouMean(cmd *cobra.Command, name string) string {
	cmd.SuggestionsMinimumDistance = min(2, len(name)/2) // any three letters are like any others
	var quoted []string
	for _, s := range cmd.SuggestionsFor(name) {
		quoted = append(quoted, strconv.Quote(s))
	}
	if len(quoted) == 0 {
		return ""
	}
	return ": did you mean " + strings.Join(quoted, " or ") + "?"
}

func codeOf(err error) int {
	var coded *exitError
	if errors.As(err, &coded) {
		return coded.code
	}
	return exitFailed
}

// flagError says what is wrong with a flag in words that don't come from Go's libraries.
func flagError(cmd *cobra.Command, err error) error {
	var missing *pflag.ValueRequiredError
	var wrong *pflag.InvalidValueError
	var unknown *pflag.NotExistError
	switch {
	case errors.As(err, &missing):
		return usage("%s wants a value", typedFlag(missing.GetSpecifiedName(), missing.GetSpecifiedShortnames()))
	case errors.As(err, &wrong):
		return usage("%s wants %s, not %q", dashed(wrong.GetFlag()), wanted(wrong.GetFlag().Value.Type()), wrong.GetValue())
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		return usage("unknown flag: -%.1s", unknown.GetSpecifiedName())
	case errors.As(err, &unknown):
		return usage("unknown flag: --%s%s", unknown.GetSpecifiedName(), similarFlags(cmd, unknown.GetSpecifiedName()))
	}
	return exitWith(exitUsage, err)
}

// similarFlags names the flags of a command that are spelled alike.
func similarFlags(cmd *cobra.Command, name string) string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, "--"+f.Name)
		}
	})
	alike := similar("--"+name, names)
	if alike == nil {
		return ""
	}
	return ": did you mean " + strings.Join(alike, " or ") + "?"
}

// dashed names a flag by all its names: pflag doesn't say which one was typed.
func dashed(f *pflag.Flag) string {
	if f.Shorthand != "" {
		return "--" + f.Name + " (-" + f.Shorthand + ")"
	}
	return "--" + f.Name
}

// typedFlag names a flag as it was typed.
func typedFlag(name, shorthands string) string {
	if shorthands != "" {
		return "-" + name
	}
	return "--" + name
}

func wanted(valueType string) string {
	switch valueType {
	case "int":
		return "a whole number"
	case "bool":
		return "true or false"
	case durationType:
		return "a time " + duration.Forms
	case "stringSlice":
		return "names with commas between"
	}
	return "a " + valueType
}

// noArgs is cobra.NoArgs with this program's exit code. Below a command that has others an argument is one of them,
// misspelled.
func noArgs(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case cmd.HasAvailableSubCommands():
		return usage("unknown command %q%s", args[0], didYouMean(cmd, args[0]))
	}
	return usage("%s takes no arguments, and %q is one", nameOf(cmd), args[0])
}

// nameOf is a command's name without the program's, which stands before every message.
func nameOf(cmd *cobra.Command) string {
	_, name, _ := strings.Cut(cmd.CommandPath(), " ")
	return name
}
