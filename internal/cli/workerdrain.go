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
	"github.com/boathook/boathook/internal/sink/progress"
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
nothing is left. For CI jobs whose machine goes away with the job: make it the last step. Where the hooks read several
configs, it goes through the data of each.

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
			return env.failJSON(asJSON, drainWorkers(ctx, env, p, wait, asJSON))
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
	// Done is true where all are.
	Done bool    `json:"done"`
	Left backlog `json:"left"`
	// Others are the same of the other data directories that installed hooks write to.
	Others []drainedOther `json:"others,omitempty"`
	failure
}

type drainedOther struct {
	DataDir string `json:"data_dir"`
	drained
}

// drainWorkers drains all data directories that are meant, one after the other, in the time that there is for all.
func drainWorkers(ctx context.Context, env *Env, p place, wait time.Duration, asJSON bool) error {
	places, err := p.all(env)
	if err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	var doc drained
	var errs error
	for i, p := range places {
		dir, one, err := drainWorker(ctx, limited, env, p)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && len(places) == 1:
			return err // nothing is known of what is left
		}
		in := ""
		if len(places) > 1 {
			in = " in " + dir
		}
		if err == nil && !one.Done {
			err = exitWith(exitFailed, fmt.Errorf("drain%s: not done within %s: %s", in, duration.Text(wait), one.Left))
		}
		one.failure = failed(err)
		if errs = errors.Join(errs, err); i == 0 {
			doc = one
		} else {
			doc.Done = doc.Done && one.Done
			doc.Others = append(doc.Others, drainedOther{dir, one})
		}
		if err == nil && !asJSON {
			if err := one.say(env, dir, in); err != nil {
				return err
			}
		}
	}
	if asJSON {
		doc.failure = failed(errs)
		return env.printJSON(doc, errs)
	}
	return errs
}

func drainWorker(ctx, limited context.Context, env *Env, p place) (string, drained, error) {
	unknown := drained{Left: backlog{Sinks: []progress.Sink{}}}
	dir, settings, err := p.find(env)
	if err != nil {
		return dir, unknown, err
	}
	if _, err := os.Stat(dir); err != nil && p.data != "" {
		return dir, unknown, exitWith(exitFailed, fmt.Errorf("drain: no such data directory: %s", dir))
	}
	o := p.options(env, dir, settings, worker.NewLog(dir))
	if settings, err = p.flush(limited, env, o, settings); err != nil && limited.Err() == nil {
		return dir, unknown, err
	}
	left, err := backlogOf(ctx, dir, settings)
	return dir, drained{Done: err == nil && left.none(), Left: left}, err
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

// say tells of a drain that came to its end.
func (d drained) say(env *Env, dir, in string) error {
	if gone(dir) {
		return env.sentence("nothing is recorded yet in "+dir+": there is nothing to store or to send", 0)
	}
	names, notTaken := d.Left.names()
	for _, l := range notTaken {
		env.tell(fmt.Sprintf("%s are counted, not taken by %s, and sent again later: %s", l.Name, l.Endpoint, l.Error))
	}
	text := "all is stored"
	if len(names) > 0 {
		text += ", and sent: " + strings.Join(names, " and ")
	}
	return env.sentence(text+in, 0)
}
