package geminirun

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/boathook/boathook/itest/build"
	"github.com/boathook/boathook/itest/procs"
)

// Timeout bounds one run of the agent. It is far above what a run takes (2–4 s), for machines that are busy.
const Timeout = 2 * time.Minute

// Result is a process that has ended.
type Result struct {
	Stdout, Stderr string
	Code           int
}

// Launcher says how the CLI is started.
type Launcher bool

// Relaunch is the default of the CLI: it starts itself once more. Direct saves that (GEMINI_CLI_NO_RELAUNCH).
const (
	Direct   Launcher = false
	Relaunch Launcher = true
)

func (l Launcher) env() []string {
	if l == Relaunch {
		return nil
	}
	return []string{"GEMINI_CLI_NO_RELAUNCH=true"}
}

// Headless runs one prompt with every tool allowed and the output as JSON lines.
func (l *Lab) Headless(tb testing.TB, launcher Launcher, prompt string, env ...string) Result {
	tb.Helper()
	args := []string{l.script, "-p", prompt, "-m", "gemini-2.5-flash", "--yolo", "-o", "stream-json"}
	return l.run(tb, l.Work, append(launcher.env(), env...), "node", args...)
}

// Boathook runs the lab's own boathook as the user would, in the user's home.
func (l *Lab) Boathook(tb testing.TB, env []string, args ...string) Result {
	tb.Helper()
	return l.run(tb, l.Home, env, l.Bin, args...)
}

// Install brings a boathook of the lab's own, installs it for the Gemini CLI and fails the test if that fails. The environment is imported by it.
func (l *Lab) Install(tb testing.TB, env ...string) {
	tb.Helper()
	copyFile(tb, build.Boathook(tb), l.Bin)
	if r := l.Boathook(tb, env, "install", "gemini", "--yes"); r.Code != 0 {
		tb.Fatalf("boathook install gemini --yes: exit code %d\n%s%s", r.Code, r.Stdout, r.Stderr)
	}
}

// run starts a process in a group of its own and ends that group, and nothing else, when it takes too long.
func (l *Lab) run(tb testing.TB, dir string, env []string, name string, args ...string) Result {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), Timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, l.environ(env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if ctx.Err() != nil {
		tb.Fatalf("%s %q took longer than %v\nstdout: %s\nstderr: %s", name, args, Timeout, &stdout, &stderr)
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		tb.Fatalf("run %s %q: %v\nstderr: %s", name, args, err, &stderr)
	}
	return Result{Stdout: stdout.String(), Stderr: stderr.String(), Code: cmd.ProcessState.ExitCode()}
}

// Running are the processes of the lab's own boathook, a worker for example.
func (l *Lab) Running() []int { return procs.Under(filepath.Dir(l.Bin)) }
