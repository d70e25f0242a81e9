package agentlab

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Timeout bounds one run of an agent. It is far above what a run takes (2–10 s), for machines that are busy.
const Timeout = 2 * time.Minute

// Result is a process that has ended.
type Result struct {
	Stdout, Stderr string
	Code           int
}

// Boathook runs the lab's own boathook as the user would, in the user's home.
func (l *Lab) Boathook(tb testing.TB, env []string, args ...string) Result {
	tb.Helper()
	return l.Run(tb, l.Home, env, l.Bin, args...)
}

// MustBoathook is Boathook for what has to succeed.
func (l *Lab) MustBoathook(tb testing.TB, env []string, args ...string) Result {
	tb.Helper()
	r := l.Boathook(tb, env, args...)
	if r.Code != 0 {
		tb.Fatalf("boathook %q: exit code %d\n%s%s", args, r.Code, r.Stdout, r.Stderr)
	}
	return r
}

// Command is a process of the lab in a group of its own, to be ended with all that it started: see Kill.
func (l *Lab) Command(ctx context.Context, dir string, env []string, name string, args ...string) *exec.Cmd {
	line := slices.Concat(l.Wrap, []string{name}, args)
	cmd := exec.CommandContext(ctx, line[0], line[1:]...)
	cmd.Dir, cmd.Env = dir, l.Environ(env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return Kill(cmd) }
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// Kill ends the group of a command, and nothing else.
func Kill(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// Run runs a process of the lab to its end, with nothing on its standard input, and fails the test when it takes too long.
func (l *Lab) Run(tb testing.TB, dir string, env []string, name string, args ...string) Result {
	tb.Helper()
	return l.RunInput(tb, dir, env, "", name, args...)
}

// RunInput is Run with a text on the standard input.
func (l *Lab) RunInput(tb testing.TB, dir string, env []string, stdin, name string, args ...string) Result {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), Timeout)
	defer cancel()
	cmd := l.Command(ctx, dir, env, name, args...)
	if stdin != "" {
		cmd.Stdin = strings.NewReader(stdin)
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if ctx.Err() != nil {
		tb.Fatalf("%s %q took longer than %v\nstdout: %s\nstderr: %s", name, args, Timeout, last(&stdout), last(&stderr))
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		tb.Fatalf("run %s %q: %v\nstderr: %s", name, args, err, last(&stderr))
	}
	if cmd.Process != nil {
		_ = Kill(cmd) // what it left behind in its group, if anything
	}
	return Result{Stdout: stdout.String(), Stderr: stderr.String(), Code: cmd.ProcessState.ExitCode()}
}

// last is the end of what a process wrote, as much of it as a person wants to read.
func last(b *bytes.Buffer) string {
	const enough = 8 << 10
	if b.Len() <= enough {
		return b.String()
	}
	return "…" + string(b.Bytes()[b.Len()-enough:])
}
