package trial

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
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

// Player starts hooks as the agents do.
type Player struct {
	// Home is the throw-away home, Path the PATH of the agent.
	Home string
	Path string
	// Installed has the command lines of each agent.
	Installed map[string]Commands
	Now       func() time.Time
}

// WorkDir is the directory that the sessions work in.
func WorkDir(home string) string { return filepath.Join(home, "work") }

// Play runs one step. The error is for a hook that could not be run at all; what it answered is in the result.
func (p Player) Play(ctx context.Context, s Step) (Result, error) {
	command, ok := p.Installed[s.Agent][s.Event]
	if !ok {
		return Result{}, fmt.Errorf("play %s %s: install registered no hook for this event", s.Agent, s.Event)
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, shell(s.Agent), "-c", command)
	cmd.Dir = WorkDir(p.Home)
	cmd.Env = p.environment(s)
	cmd.Stdin = bytes.NewReader(s.Payload)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = time.Second
	asGroup(cmd)
	started := p.Now()
	err := cmd.Run()
	r := Result{Stdout: stdout.String(), Stderr: stderr.String(), Took: p.Now().Sub(started)}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return r, fmt.Errorf("play %s %s: %w", s.Agent, s.Event, ctx.Err())
	case errors.As(err, &exit):
		r.Exit = exit.ExitCode()
	case err != nil:
		return r, fmt.Errorf("play %s %s: %w", s.Agent, s.Event, err)
	}
	return r, nil
}

// shell is what the agent hands a command line to. Gemini CLI 0.61.0 uses bash; for Antigravity any POSIX shell must do.
func shell(agent string) string {
	if agent == "gemini" {
		return "bash"
	}
	return "sh"
}

// environment is the agent's own, as far as hooks may see it: Gemini CLI 0.61.0 adds five variables.
func (p Player) environment(s Step) []string {
	env := []string{"HOME=" + p.Home, "PATH=" + p.Path, "LANG=C.UTF-8", "TERM=dumb"}
	if s.Agent != "gemini" {
		return env
	}
	var payload struct {
		SessionID string `json:"session_id"`
	}
	_ = json.Unmarshal(s.Payload, &payload) // the session files are valid, a test sees to it
	work := WorkDir(p.Home)
	return append(env, "GEMINI_PROJECT_DIR="+work, "GEMINI_CWD="+work, "CLAUDE_PROJECT_DIR="+work,
		"GEMINI_SESSION_ID="+payload.SessionID, "GEMINI_PLANS_DIR="+filepath.Join(p.Home, ".gemini", "tmp", "work", "plans"))
}

// Faults lists what an agent would have been disturbed by.
func (s Step) Faults() []string {
	var out []string
	if s.Result.Exit != 0 {
		out = append(out, fmt.Sprintf("%s %s: exit code %d", s.Agent, s.Event, s.Result.Exit))
	}
	if text := strings.TrimSpace(s.Result.Stderr); text != "" {
		out = append(out, fmt.Sprintf("%s %s: wrote to stderr: %s", s.Agent, s.Event, text))
	}
	return out
}
