package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/hookrun"
	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/wake"
	"github.com/boathook/boathook/internal/worker"
)

const (
	// settleTries times settleEvery is how long log waits for a running worker to store what is spooled: 2 s.
	settleTries = 40
	settleEvery = 50 * time.Millisecond
	// manyWaiting is a spool that takes more than a second to store: people are told what is going on.
	manyWaiting = 2000
)

// settle gets the waiting events into the store, so that log shows everything: it stores them itself, unless a worker
// runs; then it waits for that one, for a while.
func settle(ctx context.Context, env *Env, dir string, s config.Settings) error {
	queue := spoolOf(dir, s)
	told := false
	for range settleTries {
		waiting, err := queue.Pending()
		if err != nil || len(waiting) == 0 {
			return err
		}
		if len(waiting) > manyWaiting && !told {
			told = true
			env.warn(fmt.Sprintf("storing %s that wait…", count(len(waiting), "event")))
		}
		o := storingOptions(env, dir, s)
		stats, err := worker.Drain(ctx, o)
		if stats.Stored > 0 && len(o.Sinks) > 0 && dir == s.DataDir {
			startWorker(env, dir, s, false) // to send what was taken from it
		}
		if !errors.Is(err, lock.ErrHeld) {
			return err
		}
		if err := pause(ctx, settleEvery); err != nil {
			return err
		}
	}
	return nil // the footer says how many are missing
}

// startWorker starts a worker if none runs, also right after another start: that one may have ended because this process
// held the lock. Where it fails the next hook does it.
func startWorker(env *Env, dir string, s config.Settings, noConfig bool) {
	if env.Exe == "" {
		return
	}
	o := wake.Options{
		Exe: env.Exe, DataDir: dir, Config: s.Path, NoConfig: noConfig || !readable(s.Path), Getenv: env.variable, Now: env.Now,
	}
	if s.TrustEnv { // as a hook does: the worker has the settings that are seen here
		o.Pass = hookrun.Passed(s.Memory.DSNEnv)
	}
	wake.Forget(dir)
	_ = wake.Start(o)
}

// footer tells, apart from the events, what a person should know about them.
func (p *logPrinter) footer(ctx context.Context) {
	p.problems()
	queue := spoolOf(p.dir, p.settings)
	if waiting, err := queue.Pending(); err == nil && len(waiting) > 0 {
		p.env.warn(fmt.Sprintf("not shown yet: %s in %s", count(len(waiting), "event"), queue.Dir))
	}
	if bad, err := queue.Quarantined(); err == nil && len(bad) > 0 {
		last := bad[len(bad)-1]
		p.env.warn(fmt.Sprintf("set aside in %s: %s that no event could be read from; the last: %s: %s",
			filepath.Join(queue.Dir, "bad"), count(len(bad), "file"), last.Name, last.Reason))
	}
	if p.store == nil {
		return
	}
	p.losses(ctx)
	switch {
	case p.shown == 0 && p.last > 0:
		p.env.warn("no event matches")
	case p.shown == 0:
		p.nothingYet()
	case p.env.IsTerminal && p.filter.Limit == pageful && p.shown == pageful:
		p.env.warn(fmt.Sprintf("these are the newest %d; -n 0 shows all", pageful))
	}
}

// losses says what is missing for good: the counts are kept so that nobody takes what is shown for all there was.
func (p *logPrinter) losses(ctx context.Context) {
	counters, err := p.store.Counters(ctx)
	if err != nil {
		return
	}
	if n := counters[worker.CounterDropped]; n > 0 {
		p.env.warn(fmt.Sprintf("lost for lack of room in the spool (spool.max_mb): %s since the beginning", count(int(n), "event")))
	}
	if n := counters[store.CounterCapped]; n > 0 {
		p.env.warn(fmt.Sprintf("removed for lack of room in the store (store.max_mb): %s since the beginning", count(int(n), "event")))
	}
	if n := counters[worker.CounterNotKept]; n > 0 {
		p.env.warn(fmt.Sprintf("lost because they could not be written (is the disk full?): %s since the beginning", count(int(n), "event")))
	}
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
