package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/duration"
	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/wake"
)

// stopEvery is how often a worker that was asked to end is looked at.
const stopEvery = 20 * time.Millisecond

func newWorkerStop(env *Env) *cobra.Command {
	var p place
	var wait time.Duration
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "stop",
		Short: "Ask the worker to end, and wait until it has",
		Long: `Ask the worker that runs to end in good order, and wait until it has. What it has not stored or sent yet stays where it
is, and the next hook starts another worker. To keep hooks from doing so, switch them off before: 'boathook off'.

Where the hooks read several configs, it ends the worker of each. It is no failure when none runs. The exit
code is 1 when one does not end in time.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if wait <= 0 {
				return usage("--wait wants a time above 0, like 10s")
			}
			ctx, stop := untilInterrupted(cmd.Context())
			defer stop()
			return env.failJSON(asJSON, stopWorkers(ctx, env, p, wait, asJSON))
		},
	}
	p.flags(cmd)
	durationFlag(cmd, &wait, "wait", 10*time.Second, "how long to wait for its end")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	complete(cmd, "wait", []string{"10s", "30s", "1m"})
	return cmd
}

// stopped is what a stop came to, and its JSON.
type stopped struct {
	Was     int  `json:"pid"`
	Stopped bool `json:"stopped"`
	// Others are the same of the other data directories that installed hooks write to.
	Others []stoppedOther `json:"others,omitempty"`
	failure
}

type stoppedOther struct {
	DataDir string `json:"data_dir"`
	stopped
}

// stopWorkers stops the workers of all data directories that are meant.
func stopWorkers(ctx context.Context, env *Env, p place, wait time.Duration, asJSON bool) error {
	places, err := p.all(env)
	if err != nil {
		return err
	}
	var doc stopped
	var errs error
	for i, p := range places {
		dir, one, err := stopWorker(ctx, env, p, wait)
		if errors.Is(err, context.Canceled) {
			return err
		}
		one.failure = failed(err)
		if errs = errors.Join(errs, err); i == 0 {
			doc = one
		} else {
			doc.Others = append(doc.Others, stoppedOther{dir, one})
		}
		if err == nil && !asJSON {
			one.say(env, dir, len(places) > 1)
		}
	}
	if asJSON {
		doc.failure = failed(errs)
		return env.printJSON(doc, errs)
	}
	return errs
}

func stopWorker(ctx context.Context, env *Env, p place, wait time.Duration) (string, stopped, error) {
	dir, _, err := p.find(env)
	if err != nil {
		return dir, stopped{}, err
	}
	if err := awaitStart(ctx, env, dir); err != nil {
		return dir, stopped{}, err
	}
	pid, err := endWorker(ctx, filepath.Join(dir, wake.LockFile), wait)
	return dir, stopped{Was: pid, Stopped: pid != 0 && err == nil}, err
}

func (s stopped) say(env *Env, dir string, several bool) {
	in := ""
	if several {
		in = " in " + plain(dir)
	}
	if s.Was == 0 {
		fmt.Fprintln(env.Stdout, "no worker runs"+in)
	} else {
		fmt.Fprintf(env.Stdout, "worker %d has ended%s\n", s.Was, in)
	}
}

// awaitStart waits for a worker that a hook has just started, until it can be asked to end or is gone again.
func awaitStart(ctx context.Context, env *Env, dir string) error {
	for end := time.Now().Add(wake.Interval); time.Now().Before(end); {
		if !wake.Starting(dir, env.Now()) || lock.Held(filepath.Join(dir, wake.LockFile)) {
			return nil
		}
		if err := pause(ctx, stopEvery); err != nil {
			return err
		}
	}
	return nil
}

// endWorker asks the holder of the lock to end and waits until it has. The id in the lock is believed only while the lock
// is held; 0 says that nobody held it.
func endWorker(ctx context.Context, path string, wait time.Duration) (pid int, err error) {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	asked := 0
	for lock.Held(path) {
		pid, err := lock.Holder(path)
		if err == nil && pid > 0 && pid != os.Getpid() && pid != asked && lock.Held(path) {
			asked = pid
			terminate(pid)
		}
		if perr := pause(ctx, stopEvery); perr != nil {
			if errors.Is(perr, context.Canceled) {
				return asked, perr
			}
			return asked, exitWith(exitFailed, fmt.Errorf("stop worker: process %d still runs after %s", asked, duration.Text(wait)))
		}
		if asked != 0 {
			// Another worker may have begun since: it is not the one that was to end.
			if now, err := lock.Holder(path); err == nil && now > 0 && now != asked {
				return asked, nil
			}
		}
	}
	return asked, nil
}
