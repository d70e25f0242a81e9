// Package hooklab is one user's boathook for the integration tests that need no agent: a home, a config, a data directory,
// a binary of its own (so that its processes can be told from all others), hooks that are fired as agents fire them, and
// a worker that the test starts, kills and drains. Only tests and the bench import it.
package hooklab

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/boathook/boathook/itest/build"
	"github.com/boathook/boathook/itest/procs"
)

// Patience is when a test gives up waiting; no time is asserted.
const Patience = 2 * time.Minute

// TB is what of a test is needed here; a program that is no test can bring its own.
type TB interface {
	Helper()
	Fatal(args ...any)
	Error(args ...any)
	Cleanup(func())
	TempDir() string
}

// Lab is the world of one user. Hook may be called concurrently, the rest is for one goroutine.
type Lab struct {
	Bin, Home, Config, Data string
	// Env is added to the environment of every process.
	Env []string
	tb  TB
}

// New makes a lab whose config has these settings (TOML) beside the data directory. No worker of a hook lives long.
func New(tb TB, settings string) *Lab {
	tb.Helper()
	return With(tb, build.Boathook(tb), settings)
}

// With is New for another program.
func With(tb TB, program, settings string) *Lab {
	tb.Helper()
	dir := tb.TempDir()
	home := filepath.Join(dir, "home")
	l := &Lab{
		Bin: filepath.Join(dir, "bin", "boathook"), Home: home, Data: filepath.Join(home, "data"),
		Config: filepath.Join(home, ".config", "boathook", "config.toml"), tb: tb,
	}
	b, err := os.ReadFile(program)
	l.must(err)
	l.Write(l.Bin, string(b), 0o700)
	l.Configure(settings)
	tb.Cleanup(func() {
		if err := procs.End(filepath.Dir(l.Bin)); err != nil {
			tb.Error(err)
		}
	})
	return l
}

// Configure replaces the settings.
func (l *Lab) Configure(settings string) {
	l.tb.Helper()
	l.Write(l.Config, fmt.Sprintf("data_dir = %q\n%s\n", l.Data, settings), 0o600)
}

// Write writes a file and makes its folder.
func (l *Lab) Write(path, text string, mode os.FileMode) {
	l.tb.Helper()
	l.must(os.MkdirAll(filepath.Dir(path), 0o700))
	l.must(os.WriteFile(path, []byte(text), mode))
}

func (l *Lab) must(err error) {
	l.tb.Helper()
	if err != nil {
		l.tb.Fatal(err)
	}
}

// Environ is the whole environment of the lab's processes.
func (l *Lab) Environ() []string {
	return append([]string{"HOME=" + l.Home, "PATH=" + os.Getenv("PATH")}, l.Env...)
}

// Hook fires one hook, as an agent does, and returns the answer. The contract that never changes is held: exit code 0,
// nothing on stderr, at most one line, of JSON.
func (l *Lab) Hook(agent, event, payload string, env ...string) string {
	l.tb.Helper()
	cmd := exec.Command(l.Bin, "hook", "--agent", agent, "--event", event, "--config", l.Config)
	cmd.Env, cmd.Dir, cmd.Stdin = append(l.Environ(), env...), l.Home, strings.NewReader(payload)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil || errs.Len() > 0 {
		l.tb.Error(fmt.Errorf("hook %s %s: %w, stderr %q", agent, event, err, errs.String()))
	}
	line := strings.TrimSuffix(out.String(), "\n")
	if strings.Contains(line, "\n") || line != "" && !json.Valid([]byte(line)) {
		l.tb.Error(fmt.Errorf("hook %s %s: not one JSON value: %q", agent, event, line))
	}
	return line
}

// Result is a command that has ended.
type Result struct {
	Stdout, Stderr string
	Code           int
}

// Run runs a command of the lab's boathook. Its config is added.
func (l *Lab) Run(args ...string) Result {
	l.tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*Patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, l.Bin, append(args, "--config", l.Config)...)
	cmd.Env, cmd.Dir = l.Environ(), l.Home
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) || ctx.Err() != nil {
		l.tb.Fatal(fmt.Errorf("boathook %q: %w\n%s%s", args, err, out.String(), errs.String()))
	}
	return Result{out.String(), errs.String(), cmd.ProcessState.ExitCode()}
}

// Must runs a command that has to succeed, and returns what it printed.
func (l *Lab) Must(args ...string) string {
	l.tb.Helper()
	r := l.Run(args...)
	if r.Code != 0 {
		l.tb.Fatal(fmt.Errorf("boathook %q: exit code %d\n%s%s", args, r.Code, r.Stdout, r.Stderr))
	}
	return r.Stdout
}

// WorkerLog is all that workers wrote so far.
func (l *Lab) WorkerLog() string {
	var all string
	for _, name := range []string{"worker.log.old", "worker.log"} {
		b, _ := os.ReadFile(filepath.Join(l.Data, name)) // there may be none
		all += string(b)
	}
	return all
}
