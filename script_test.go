package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/pending"
	"github.com/boathook/boathook/internal/wake"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"boathook": main})
}

// TestScript runs the scripts in testdata/script, each named after a behaviour, against the real program. Every script has
// a home of its own; the worker that its hooks start is stopped in the end.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               setupScript,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
		Condition:           condition,
	})
}

// condition is [agent]: an agent runs the tests, so that what is for a person alone refuses.
func condition(name string) (bool, error) {
	if name != "agent" {
		return false, errors.New("unknown condition: " + name)
	}
	none := func(string) (string, bool) { return "", false } // scripts have an environment of their own
	_, _, under := pending.UnderAgent(none, os.Getpid(), pending.System())
	return under, nil
}

func setupScript(e *testscript.Env) error {
	home := filepath.Join(e.WorkDir, "home")
	if err := os.MkdirAll(home, 0o700); err != nil {
		return err
	}
	e.Setenv("HOME", home)
	e.Setenv("TZ", "UTC")
	e.Setenv("DATA", filepath.Join(home, ".local", "share", "boathook"))
	e.Defer(func() { stopWorker(filepath.Join(home, ".local", "share", "boathook", wake.LockFile)) })
	return nil
}

// exits runs a program and checks its exit code: exits CODE PROGRAM ARG...
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARG...")
	}
	code := 0
	err := ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		code = exit.ExitCode()
	case err != nil:
		ts.Fatalf("run %s: %v", args[1], err)
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// stopWorker ends the holder of the lock; its id is believed only while the lock is held.
func stopWorker(path string) {
	for range 1000 {
		if !lock.Held(path) {
			return
		}
		if pid, err := lock.Holder(path); err == nil && pid > 0 {
			if p, err := os.FindProcess(pid); err == nil {
				_ = p.Signal(syscall.SIGTERM) // it may have ended by itself
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
}
