package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/spool"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/verify"
	"github.com/boathook/boathook/internal/worker"
)

// watchTries is how often is looked, once all was seen, whether a worker has stored it: only then is known what became of
// decisions.
const watchTries = 4

// watchTime is how long a person is given.
const watchTime = 5 * time.Minute

func newWatch(env *Env) *cobra.Command {
	var o reportOptions
	var limit time.Duration
	cmd := &cobra.Command{
		Use:   "watch",
		Short: "See each event arrive while you use the agent",
		Long: `Show which of the registered events have arrived since it was started, while you use the agent in another window: how
often, when last, and whether their arguments and fields are as they should be. For what has not come yet it says how to
make it happen. A terminal is redrawn; a pipe gets a line for each event when it is first seen and for each thing that is
wrong.

It ends when all have been seen: with exit code 0, or 1 if anything was wrong. When the time is over, or after Ctrl-C,
the exit code is 1 and what is missing is listed. It only reads: events come into the store by the worker that the hooks
start.`,
		Example: `  boathook verify watch --agent gemini
  boathook verify watch --since 1h --for 10m     what came in the last hour counts, too`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit <= 0 {
				return usage("--for wants a time above 0, like 5m")
			}
			ctx, stop := untilInterrupted(cmd.Context())
			defer stop()
			ctx, cancel := context.WithTimeout(ctx, limit)
			defer cancel()
			return runWatch(ctx, env, o)
		},
	}
	agentFlag(cmd, &o.agent)
	durationFlag(cmd, &limit, "for", watchTime, "how long at most")
	cmd.Flags().StringVar(&o.since, "since", "", "count what came from then on, too: an age (15m, 1h) or a time (14:30)")
	cmd.Flags().BoolVar(&o.json, "json", false, "print a JSON line for each news, and in the end for what is missing")
	complete(cmd, "for", []string{"5m", "10m", "1h"})
	complete(cmd, "since", nil)
	o.flags(cmd)
	return cmd
}

func runWatch(ctx context.Context, env *Env, o reportOptions) error {
	hosts, err := chosenHosts(o.agent)
	if err != nil {
		return err
	}
	when, err := parseSpan(env.Now(), o.since, "")
	if err != nil {
		return err
	}
	if when.since.IsZero() {
		when.since = env.Now()
	}
	places := installedPlaces(env)
	expect := verify.Expect(hosts, env.Home, env.LookupEnv, places, env.variable("PATH"))
	hosts = installedOf(hosts, expect)
	if len(hosts) == 0 {
		all, _ := chosenHosts(o.agent) // it went well before
		return notInstalled(all, places)
	}
	dir, settings, err := o.find(env)
	if err != nil {
		return err
	}
	if verify.Off(settings, env.Now()) {
		env.warn("the hooks are switched off, so that nothing will come; 'boathook on' ends that")
	}
	w := &watcher{
		env: env, watch: verify.NewWatch(hosts, expect, when.since), path: worker.StorePath(dir), queue: spoolOf(dir, settings),
		since: when.since, view: newWatchView(env, o.json),
	}
	defer w.close()
	return w.run(ctx)
}

func installedOf(hosts []*host.Host, expect map[string]verify.Expectation) []*host.Host {
	var out []*host.Host
	for _, h := range hosts {
		if expect[h.ID].Installed {
			out = append(out, h)
		}
	}
	return out
}

// watcher looks at store and spool, without writing to either.
type watcher struct {
	env   *Env
	watch *verify.Watch
	path  string
	queue spool.Spool
	since time.Time
	view  *watchView

	store *store.Store
	last  int64
}

func (w *watcher) run(ctx context.Context) error {
	if err := w.view.show(w.watch.Report); err != nil {
		return err
	}
	for more := watchTries; ; {
		if err := w.look(ctx); err != nil && ctx.Err() == nil {
			return err
		}
		if err := w.view.show(w.watch.Report); err != nil {
			return err
		}
		if len(w.watch.Report.Waiting()) == 0 {
			if more--; more < 0 || w.watch.Unplaced() == 0 {
				break
			}
		}
		if pause(ctx, followEvery) != nil {
			break
		}
	}
	return w.end()
}

// look takes what has come. What a worker moves meanwhile is found in the store the next time.
func (w *watcher) look(ctx context.Context) error {
	if err := w.open(ctx); err != nil {
		return err
	}
	for w.store != nil {
		page, err := w.store.After(ctx, w.last, reportRows, reportBytes)
		if err != nil {
			return err
		}
		for _, p := range page {
			if w.last = p.Seq; !p.Damaged {
				w.watch.Stored(p)
			}
		}
		if len(page) == 0 {
			break
		}
	}
	names, err := w.queue.Pending()
	if err != nil {
		return err
	}
	for _, name := range names {
		text, err := w.queue.Read(name)
		if err != nil {
			continue // the worker was there before, or it is none of ours
		}
		if r, err := record.Parse(text); err == nil {
			w.watch.Spooled(r)
		}
	}
	return nil
}

// open opens the store once it is there, and another that took its place.
func (w *watcher) open(ctx context.Context) error {
	if w.store != nil && w.store.Current() {
		return nil
	}
	w.close()
	s, err := store.OpenReadOnly(ctx, w.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	w.store = s
	w.last, _, err = s.SeqAt(ctx, w.since)
	return err
}

func (w *watcher) close() {
	if w.store != nil {
		_ = w.store.Close() // it was only read
		w.store = nil
	}
}

func (w *watcher) end() error {
	r := w.watch.Report
	missing := r.Waiting()
	r.Finish()
	r.OK = r.OK && len(missing) == 0
	if err := w.view.end(r, missing); err != nil {
		return err
	}
	switch {
	case len(missing) > 0:
		return exitWith(exitFailed, fmt.Errorf("watch: %s not seen", count(len(missing), "event")))
	case !r.OK:
		return exitWith(exitFailed, errors.New("watch: all events were seen, and not all is as it should be"))
	}
	return nil
}
