package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/duration"
	"github.com/boathook/boathook/internal/sink/metrics"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/worker"
)

func newWorkerDrain(env *Env) *cobra.Command {
	var p place
	var wait time.Duration
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "drain",
		Short: "Store and send all that waits, now",
		Long: `Store all events that wait and send them where telemetry.endpoint says, whether a worker runs or not, and end when
nothing is left. For CI jobs whose machine goes away with the job: make it the last step.

The exit code is 1 when the time is over before all is stored and sent; it says what is left. That is lost only if the
data directory is.`,
		Example: `  boathook worker drain --wait 1m
  boathook worker drain --json | jq .left`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if wait <= 0 {
				return usage("--wait wants a time above 0, like 30s")
			}
			ctx, stop := untilInterrupted(cmd.Context())
			defer stop()
			return drainWorker(ctx, env, p, wait, asJSON)
		},
	}
	p.flags(cmd)
	durationFlag(cmd, &wait, "wait", 30*time.Second, "how long it may take")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	complete(cmd, "wait", []string{"10s", "30s", "1m"})
	return cmd
}

// drained is what a drain came to, and its JSON.
type drained struct {
	Done  bool    `json:"done"`
	Left  backlog `json:"left"`
	Error string  `json:"error,omitempty"`
}

func drainWorker(ctx context.Context, env *Env, p place, wait time.Duration, asJSON bool) error {
	dir, settings, err := p.find(env)
	if err != nil {
		return err
	}
	if !hasData(env, dir) {
		if asJSON {
			return json.NewEncoder(env.Stdout).Encode(drained{Done: true, Left: backlog{Sinks: []sinkLag{}}})
		}
		return nil
	}
	o := p.options(env, dir, settings, worker.NewLog(dir))
	limited, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	o, err = p.flush(limited, env, o)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil && limited.Err() == nil {
		return err
	}
	left, err := backlogOf(ctx, o)
	if err != nil {
		return err
	}
	return drained{Done: left.none(), Left: left}.say(env, wait, asJSON)
}

// flush stores and sends everything, and begins anew as often as the settings change.
func (p *place) flush(ctx context.Context, env *Env, o worker.Options) (worker.Options, error) {
	for {
		err := forgetRests(ctx, o)
		if err == nil {
			_, err = worker.Flush(ctx, o)
		}
		if !errors.Is(err, worker.ErrChanged) || ctx.Err() != nil {
			return o, err
		}
		dir, settings, err := p.settled(ctx, env, true)
		if err != nil {
			return o, err
		}
		o = p.options(env, dir, settings, worker.NewLog(dir))
	}
}

// forgetRests has the sinks try now that wait for their destinations to recover: somebody who asks has mended them, or has
// no later.
func forgetRests(ctx context.Context, o worker.Options) error {
	if len(o.Sinks) == 0 {
		return nil
	}
	if _, err := os.Stat(worker.StorePath(o.DataDir)); err != nil {
		return nil // nothing was ever sent
	}
	s, err := store.Open(ctx, worker.StorePath(o.DataDir))
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }() // nothing can be lost by it
	for _, sink := range o.Sinks {
		c, ok, err := s.Cursor(ctx, sink.Name())
		if err != nil {
			return err
		}
		now := c
		if now.Next = (time.Time{}); sink.Name() == metricsSink {
			now.State = metrics.Rested(c.State)
		}
		if !ok || c.Next.IsZero() && bytes.Equal(now.State, c.State) {
			continue
		}
		if err := s.SetCursor(ctx, &c, now); err != nil && !errors.Is(err, store.ErrCursorMoved) {
			return err
		}
	}
	return nil
}

func (d drained) say(env *Env, wait time.Duration, asJSON bool) error {
	var err error
	if !d.Done {
		err = exitWith(exitFailed, fmt.Errorf("drain: %s after %s", d.Left, duration.Text(wait)))
		d.Error = err.Error()
	}
	switch {
	case asJSON:
		return errors.Join(json.NewEncoder(env.Stdout).Encode(d), err)
	case err != nil:
		return err
	}
	sent := ""
	names, failed := d.Left.names()
	for _, l := range failed {
		env.warn(fmt.Sprintf("%s: not taken, and sent again later: %s", l.Name, l.Error))
	}
	if len(names) > 0 {
		sent = ", and sent to " + strings.Join(names, " and ")
	}
	_, err = fmt.Fprintf(env.Stdout, "all is stored%s\n", sent)
	return err
}
