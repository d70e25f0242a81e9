package trial

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/boathook/boathook/internal/agentrun"
)

// Player starts hooks as the agents do.
type Player struct {
	// Home is the throw-away home, Path the PATH of the agent.
	Home string
	Path string
	// Installed has the hooks of each agent.
	Installed map[string]agentrun.Hooks
	Now       func() time.Time
}

// WorkDir is the directory that the sessions work in.
func WorkDir(home string) string { return filepath.Join(home, "shop") }

// Play runs one step. The error is for a hook that could not be run at all; what it answered is in the result.
func (p Player) Play(ctx context.Context, s Step) (agentrun.Result, error) {
	hook, ok := p.Installed[s.Agent].ByEvent[s.Event]
	if !ok {
		return agentrun.Result{}, fmt.Errorf("play %s %s: install registered no hook for this event", s.Agent, s.Event)
	}
	agent := agentrun.Agent{ID: s.Agent, Home: p.Home, Path: p.Path, Work: WorkDir(p.Home), Now: p.Now}
	r, err := agent.Run(ctx, hook, s.Payload)
	if err != nil {
		return r, fmt.Errorf("play %s %s: %w", s.Agent, s.Event, err)
	}
	return r, nil
}
