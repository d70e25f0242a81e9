// Package cli is boathook for people: one file per command. main calls it for everything but the hook itself. Commands
// take what they need of the world from an Env; nothing here touches os.Stdout, os.Getenv or time.Now on its own.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/ownfile"
	"github.com/boathook/boathook/internal/paths"
)

// Env is the world as a command sees it.
type Env struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	LookupEnv      paths.Lookup
	// Home is the user's home directory, empty when there is none; Dir the working directory.
	Home string
	Dir  string
	Now  func() time.Time
	// Exe is the absolute path of this program.
	Exe string
	// IsTerminal says that Stdout is a terminal; Width is how many columns it has, 0 when unknown.
	IsTerminal bool
	Width      int
	// Typed says that Stdin is a terminal: somebody has to type what is read from it.
	Typed bool

	// Under finds the agent that this runs below; nil looks at the processes above and at the environment.
	Under func() (agent string, pid int, ok bool)
	// Present tells whether a person may sit before this process; nil looks whether it is in the foreground of a terminal.
	Present func() bool

	// chosen is the config that was said to be the one of several.
	chosen string
}

// Main builds an Env from the operating system, runs the command and returns the process's exit code.
func Main(args []string) int {
	catchClosedPipe()
	return Run(context.Background(), osEnv(), args)
}

// untilInterrupted is for a command that must end in good order. Elsewhere an interrupt ends the process at once.
func untilInterrupted(ctx context.Context) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
}

// IsTerminal tells whether a person sits at a file.
func IsTerminal(f *os.File) bool {
	_, yes := terminal(f)
	return yes
}

func osEnv() *Env {
	env := &Env{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		LookupEnv: os.LookupEnv, Now: time.Now,
	}
	// Each of these may be missing; the commands that need one say so.
	env.Home, _ = os.UserHomeDir()
	env.Dir, _ = os.Getwd()
	env.Exe, _ = os.Executable()
	env.Width, env.IsTerminal = terminal(os.Stdout)
	_, env.Typed = terminal(os.Stdin)
	return env
}

// variable is the value of an environment variable, empty when unset.
func (e *Env) variable(name string) string {
	if e.LookupEnv == nil {
		return ""
	}
	v, _ := e.LookupEnv(name)
	return v
}

// colour tells whether escape sequences may be written: on a terminal, unless NO_COLOR or TERM=dumb says otherwise.
func (e *Env) colour() bool {
	return e.IsTerminal && e.variable("NO_COLOR") == "" && e.variable("TERM") != "dumb"
}

// settings loads the settings in force. Without an explicit path those are of the config that the installed hooks read, by
// the same rules, so that both see the same data directory.
func (e *Env) settings(path string) (config.Settings, error) {
	s, err := e.asWritten(path)
	return s.Settle(), err
}

// asWritten is settings without a look at the data directory that they name, for who works on another: it may hang.
func (e *Env) asWritten(path string) (config.Settings, error) {
	given := path != ""
	if !given {
		var err error
		if path, err = e.installedConfig(); err != nil {
			return config.Settings{}, err
		}
	}
	if path != "" && !filepath.IsAbs(path) {
		path = filepath.Join(e.Dir, path)
	}
	s := config.Load(config.Request{Path: path, Home: e.Home, Env: e.LookupEnv, Managed: config.ManagedPath()})
	if s.Missing {
		return s, exitWith(exitFailed, errors.New(goneText(path, "AGENT")))
	}
	if given || path != e.defaultConfig() { // else its data would be looked for in the default place
		for _, text := range s.Problems {
			if strings.HasPrefix(text, "read "+path+": ") {
				return s, exitWith(exitFailed, errors.New(text))
			}
		}
	}
	return s, nil
}

// ownSettings are those of a hook without --config, as they are written.
func (e *Env) ownSettings() config.Settings {
	return config.Load(config.Request{Home: e.Home, Env: e.LookupEnv, Managed: config.ManagedPath()})
}

// dataDir is the directory that a command works on: the flag's value, else that of the settings. A command of root's acts
// as its owner from here on, who could not use root's files there; by the settings, as the owner of the config, as a hook does.
func (e *Env) dataDir(flag string, s config.Settings) (string, error) {
	dir, owners := flag, []string{}
	if dir == "" {
		dir, owners = s.DataDir, append(owners, s.Path)
	}
	if dir == "" {
		return "", exitWith(exitFailed, errors.New("find the data directory: there is no home directory; set HOME or pass --data DIR"))
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(e.Dir, dir)
	}
	if err := ownfile.Yield(append(owners, dir)...); err != nil {
		return "", exitWith(exitFailed, err)
	}
	return dir, nil
}

// tell says to the person at the terminal, beside the output, what goes on.
func (e *Env) tell(text string) {
	for i, line := range wrapText(plain(text), max(e.columns()-2, 0)) {
		fmt.Fprintln(e.Stderr, strings.Repeat(" ", 2*min(i, 1))+line)
	}
}

// warn tells the user about something, line by line, so that each says whom it comes from.
func (e *Env) warn(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		if strings.TrimSpace(line) != "" {
			fmt.Fprintln(e.Stderr, "boathook: "+plain(line))
		}
	}
}
