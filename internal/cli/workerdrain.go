package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/config"
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
			return env.failJSON(asJSON, drainWorker(ctx, env, p, wait, asJSON))
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
	Done bool    `json:"done"`
	Left backlog `json:"left"`
	failure
}

func drainWorker(ctx context.Context, env *Env, p place, wait time.Duration, asJSON bool) error {
	dir, settings, err := p.find(env)
	if err != nil {
		return err
	}
	if _, err := os.Stat(dir); err != nil {
		if p.data != "" {
			return exitWith(exitFailed, fmt.Errorf("drain: no such data directory: %s", dir))
		}
		if !asJSON {
			return env.sentence("nothing is recorded yet in "+dir+": there is nothing to store or to send", 0)
		}
	}
	o := p.options(env, dir, settings, worker.NewLog(dir))
	limited, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	if settings, err = p.flush(limited, env, o, settings); ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil && limited.Err() == nil {
		return err
	}
	left, err := backlogOf(ctx, dir, settings)
	if err != nil {
		return err
	}
	return drained{Done: left.none(), Left: left}.say(env, wait, asJSON)
}

// flush stores and sends everything, and begins anew as often as the settings change. It gives the last ones.
func (p *place) flush(ctx context.Context, env *Env, o worker.Options, s config.Settings) (config.Settings, error) {
	for {
		if _, err := os.Stat(o.DataDir); err != nil {
			return s, nil // nothing is recorded yet
		}
		err := forgetRests(ctx, o)
		if err == nil {
			_, err = worker.Flush(ctx, o)
		}
		if !errors.Is(err, worker.ErrChanged) || ctx.Err() != nil {
			return s, err
		}
		var dir string
		if dir, s, err = p.settled(ctx, env, true); err != nil {
			return s, err
		}
		o = p.options(env, dir, s, worker.NewLog(dir))
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
		err = exitWith(exitFailed, fmt.Errorf("drain: not done within %s: %s", duration.Text(wait), d.Left))
	}
	switch {
	case asJSON:
		d.failure = failed(err)
		return env.printJSON(d, err)
	case err != nil:
		return err
	}
	names, notTaken := d.Left.names()
	for _, l := range notTaken {
		env.tell(fmt.Sprintf("%s are counted, not taken by %s, and sent again later: %s", l.Name, l.Endpoint, l.Error))
	}
	text := "all is stored"
	if len(names) > 0 {
		text += ", and sent: " + strings.Join(names, " and ")
	}
	return env.sentence(text, 0)
}
