// Package agentrun does with installed hooks what the agents do: it finds them in the files that the agents read, and
// starts their command lines as the agents start them. `boathook try` and `boathook verify selftest` are its callers. It
// must not import internal/cli, and nothing of the hook path.
package agentrun

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// patience is how long one hook may take here. The agents wait longer (30 s and 60 s).
const patience = 10 * time.Second

// Result is what an agent sees of one hook.
type Result struct {
	Stdout, Stderr string
	Exit           int
	// Took is from the start of the process until it has ended and its pipes are closed: agents wait for both.
	Took time.Duration
}

// Agent is a running agent as far as its hooks can tell.
type Agent struct {
	ID string
	// Home and Path are its HOME and PATH, Work the session's directory.
	Home, Path, Work string
	Now              func() time.Time
}

// Run starts a hook with a payload and waits for it. The error is for a hook that could not be run at all, or did not end;
// what it answered is in the result.
func (a Agent) Run(ctx context.Context, h Hook, payload []byte) (Result, error) {
	argv, stdin := a.Start(h.Command, payload)
	return a.run(ctx, argv, h, stdin, payload)
}

// RunAs is Run with the arguments of a program instead of a command line.
func (a Agent) RunAs(ctx context.Context, argv []string, h Hook, payload []byte) (Result, error) {
	return a.run(ctx, argv, h, payload, payload)
}

func (a Agent) run(ctx context.Context, argv []string, h Hook, stdin, payload []byte) (Result, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = a.Work
	cmd.Env = a.environment(h, payload)
	cmd.Stdin = bytes.NewReader(stdin)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = time.Second
	asGroup(cmd)
	started := a.Now()
	err := cmd.Run()
	r := Result{Stdout: stdout.String(), Stderr: stderr.String(), Took: a.Now().Sub(started)}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return r, fmt.Errorf("run hook: %w", ctx.Err())
	case errors.As(err, &exit):
		r.Exit = exit.ExitCode()
	case err != nil:
		return r, fmt.Errorf("run hook: %w", err)
	}
	return r, nil
}

// Faults lists what an agent would have been disturbed by.
func (r Result) Faults() []string {
	var out []string
	if r.Exit != 0 {
		out = append(out, fmt.Sprintf("exit code %d", r.Exit))
	}
	if text := strings.TrimSpace(r.Stderr); text != "" {
		out = append(out, "wrote to stderr: "+text)
	}
	return out
}
