package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/sink/progress"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/worker"
)

// resendOptions are resend's flags.
type resendOptions struct {
	place
	since             string
	dryRun, yes, json bool
}

func newTelemetryResend(env *Env) *cobra.Command {
	var o resendOptions
	cmd := &cobra.Command{
		Use:   "resend --since WHEN",
		Short: "Send the spans again from a point in time on",
		Long: `Send the spans of all events again that were recorded from a point in time on: after a backend lost data, or to an
endpoint that was set only now. They have the same ids as the first time, so that a backend that still has them can tell.
Events whose contents retention has removed go without them; metrics are not sent again.

The worker does the sending, from then on; 'boathook worker drain' waits for it.`,
		Example: `  boathook telemetry resend --since 1h --dry-run
  boathook telemetry resend --since 2026-01-31 --yes`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return env.failJSON(o.json, resend(cmd.Context(), env, o))
		},
	}
	o.flags(cmd)
	cmd.Flags().StringVar(&o.since, "since", "", "from `WHEN` on: an age (15m, 1h, 2d) or a time (2026-01-31, 14:30)")
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "say what would be sent, and change nothing")
	cmd.Flags().BoolVarP(&o.yes, "yes", "y", false, "don't ask")
	cmd.Flags().BoolVar(&o.json, "json", false, "print JSON")
	complete(cmd, "since", nil)
	return cmd
}

// resending is what a resend means.
type resending struct {
	Endpoint string    `json:"endpoint"`
	Since    time.Time `json:"since"`
	// Events and Turns were sent already and go again; Waiting events were not sent yet and go anyway.
	Events  int64 `json:"events"`
	Turns   int64 `json:"turns"`
	Waiting int64 `json:"waiting"`
	Applied bool  `json:"applied"`

	to store.Cursor
}

func resend(ctx context.Context, env *Env, o resendOptions) error {
	since, err := parseWhen(env.Now(), o.since)
	switch {
	case err != nil:
		return usage("--since %w", err)
	case since.IsZero():
		return usage("resend wants --since WHEN: an age like 1h, or a time like 2026-01-31")
	}
	dir, settings, err := o.find(env)
	if err != nil {
		return err
	}
	if err := noEndpoint(settings); err != nil {
		return exitWith(exitFailed, fmt.Errorf("resend: %w", err))
	}
	s, err := o.open(ctx, worker.StorePath(dir))
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }() // what was written is committed
	r, err := planResend(ctx, s, since)
	if err != nil {
		return err
	}
	r.Endpoint = progress.Address(settings.Telemetry.Endpoint)
	if err := r.apply(ctx, env, s, o); err != nil {
		return err
	}
	if r.Applied {
		w := workerOptions(env, dir, settings, worker.NewLog(dir))
		hurry(ctx, env, w, settings, o.noConfig)
	}
	return r.say(env, o.json)
}

// open opens the store, only to read it where nothing is to be changed.
func (o *resendOptions) open(ctx context.Context, path string) (*store.Store, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, exitWith(exitFailed, fmt.Errorf("resend: no event is recorded in %s", filepath.Dir(path)))
	}
	if o.dryRun {
		return store.OpenReadOnly(ctx, path)
	}
	return store.Open(ctx, path)
}

// planResend finds where the cursor has to go. It never goes forward: what was not sent is never left out.
func planResend(ctx context.Context, s *store.Store, since time.Time) (resending, error) {
	r := resending{Since: since}
	event, turn, err := s.SeqAt(ctx, since)
	if err != nil {
		return r, err
	}
	headEvent, headTurn, err := s.Head(ctx)
	if err != nil {
		return r, err
	}
	at, ok, err := s.Cursor(ctx, tracesSink)
	if err != nil {
		return r, err
	}
	if !ok { // nothing was ever sent; a sink that began now would begin at the head
		at.Event, at.Turn = headEvent, headTurn
	}
	r.to = at
	r.to.Event, r.to.Turn = min(at.Event, event), min(at.Turn, turn)
	r.to.State = nil // how far it was within one event
	r.to.Tries, r.to.Next, r.to.Error = 0, time.Time{}, ""
	r.Events, r.Turns, r.Waiting = at.Event-r.to.Event, at.Turn-r.to.Turn, headEvent-at.Event
	return r, nil
}

func (r *resending) apply(ctx context.Context, env *Env, s *store.Store, o resendOptions) error {
	if o.dryRun || r.Events == 0 && r.Turns == 0 {
		return nil
	}
	if !o.yes {
		if !o.json {
			fmt.Fprintln(env.Stdout, r.text())
		}
		if err := confirm(env, "resend", "Send them again?", dryRun, o.json); err != nil {
			return err
		}
	}
	// Whatever the cursor was: a worker that moved it meanwhile reads it again.
	if err := s.SetCursor(ctx, nil, r.to); err != nil {
		return err
	}
	r.Applied = true
	return nil
}

// hurry has the worker look at its cursors now: the one that runs, or a new one.
func hurry(ctx context.Context, env *Env, o worker.Options, s config.Settings, noConfig bool) {
	over, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := worker.Wait(over, o); err != nil { // asks, and doesn't wait
		env.warn(err.Error())
	}
	startWorker(env, o.DataDir, s, noConfig)
}

func (r *resending) text() string {
	return fmt.Sprintf("%s and %s since %s go to %s again, with the same ids", count(int(r.Events), "event"), count(int(r.Turns), "turn"),
		r.Since.Format(time.DateTime), plain(r.Endpoint))
}

func (r *resending) say(env *Env, asJSON bool) error {
	if asJSON {
		return env.printJSON(r, nil)
	}
	text := r.text()
	switch {
	case r.Events == 0 && r.Turns == 0:
		text = "nothing that was recorded since " + r.Since.Format(time.DateTime) + " was sent yet: there is nothing to send again"
		if r.Since.After(env.Now()) {
			text = "there is nothing to send again: " + r.Since.Format(time.DateTime) + " is in the future"
		}
	case !r.Applied:
		text += "; nothing was changed: this was a dry run"
	}
	if r.Waiting > 0 {
		text += fmt.Sprintf("; %s sent yet, and will be", areNot(int(r.Waiting), "event"))
	}
	return env.sentence(text, 0)
}
