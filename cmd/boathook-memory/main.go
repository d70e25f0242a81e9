// Command boathook-memory is the part of boathook that would slow each hook down if it were linked into it: PostgreSQL's driver and the
// Model Context Protocol. boathook starts it, from beside itself.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/boathook/boathook/internal/paths"
	"github.com/boathook/boathook/internal/version"
)

// The exit codes, which are those of boathook.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// env is the world as the commands see it.
type env struct {
	stdin          io.ReadCloser
	stdout         io.WriteCloser
	stderr         io.Writer
	lookup         paths.Lookup
	home, dir, exe string
	now            func() time.Time
	// typed says that stdin is a terminal.
	typed bool
}

func main() {
	// A signal of the agent's or of the system's ends what is under way in good order; the end of stdin does, too.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	e := env{
		stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, lookup: os.LookupEnv, now: time.Now, typed: isTerminal(os.Stdin),
	}
	// Each may be missing; the commands that need one say so.
	e.home, _ = os.UserHomeDir()
	e.dir, _ = os.Getwd()
	e.exe, _ = os.Executable()
	code := run(ctx, e, os.Args[1:])
	stop()
	os.Exit(code)
}

// isTerminal tells whether a person types at a file: it is a device, and not the empty one.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

func run(ctx context.Context, e env, args []string) int {
	name := ""
	if len(args) > 0 {
		name, args = args[0], args[1:]
	}
	switch name {
	case "serve":
		return serve(ctx, e, args)
	case "mcp":
		return mcp(ctx, e, args)
	case "migrate":
		return migrate(ctx, e, args)
	case "roles":
		return roles(e, args)
	case "version", "--version", "-v":
		fmt.Fprintf(e.stdout, "boathook-memory %s\n", version.String())
		return exitOK
	case "help", "--help", "-h":
		fmt.Fprint(e.stdout, help)
		return exitOK
	case "":
		fmt.Fprint(e.stderr, help)
		return exitUsage
	}
	return e.misused(fmt.Sprintf("unknown command %q", name))
}

// failed says why, in one line.
func (e env) failed(err error) int {
	fmt.Fprintf(e.stderr, "boathook-memory: %v\n", err)
	return exitFailed
}

func (e env) misused(what string) int {
	fmt.Fprintf(e.stderr, "boathook-memory: %s\nRun 'boathook-memory --help' for usage.\n", what)
	return exitUsage
}

const help = `boathook-memory is boathook's second program: what only memory needs, and what would slow each hook down. It has to be of the
same version as boathook, and in the same directory; 'make build' and 'go install github.com/boathook/boathook/...@latest' make both.

  boathook-memory serve     answer boathook's questions to PostgreSQL, on stdin and stdout. boathook starts it, and it ends when
                            its stdin does. Nobody needs to run it by hand.
  boathook-memory mcp       serve memory to an agent that asks for it, by the Model Context Protocol on stdin and stdout.
                            Register 'boathook mcp' with the agent, which finds the config and starts this.
      --config FILE         the config; without it the one in the default place
      --data DIR            the data directory, instead of the config's
      --project DIR         a directory of the project whose memory it is; without it the working directory
      --all-projects        let the agent ask about other projects, too
  boathook-memory migrate   bring PostgreSQL's tables up to date. 'boathook memory migrate' starts it.
  boathook-memory roles     print the statements that make PostgreSQL's roles. 'boathook memory roles --sql' starts it.
  boathook-memory version   print the version

  boathook memory --help    what memory is, how it is enabled, searched and forgotten
`
