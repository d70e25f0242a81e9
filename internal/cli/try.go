package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/trial"
)

// tryTime bounds a trial; it takes two or three seconds on an idle machine.
const tryTime = 60 * time.Second

// tryAgents are those with a session.
func tryAgents() []string { return trial.Agents() }

func newTry(env *Env) *cobra.Command {
	var keep, asJSON bool
	cmd := &cobra.Command{
		Use:   "try",
		Short: "Watch it work, in a throw-away home",
		Long: `Show boathook at work without touching anything of yours, and without a network.

In a home directory made for it, this installs the hooks of all agents, starts two servers on loopback ports (a guard
that denies 'rm -rf' and wants forced pushes reviewed, and an OpenTelemetry collector), and plays a session of each agent,
made of recorded payloads, through the installed hooks, as the agents would. Then it shows what each agent played, what
the guard objected to, what the agents were told and what the collector received (a terminal gets the first traces, a
pipe all), and removes everything again.

The exit code is 1 if anything is not as it should be, so this is also a check of this machine. An interrupt, or a reader
that has seen enough (| head), leaves nothing behind either.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if runtime.GOOS == "windows" {
				return exitWith(exitRefused, errors.New("try boathook: the recorded sessions need a POSIX shell, and install does not support Windows yet"))
			}
			ctx, stop := untilInterrupted(cmd.Context())
			defer stop()
			ctx, cancel := context.WithTimeout(ctx, tryTime)
			defer cancel()
			return runTry(ctx, env, keep, asJSON)
		},
	}
	cmd.Flags().BoolVar(&keep, "keep", false, "keep the throw-away home and say where it is")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object: what was played, answered, recorded, sent; what is wrong")
	return cmd
}

func runTry(ctx context.Context, env *Env, keep, asJSON bool) (err error) {
	home, err := os.MkdirTemp(env.variable("TMPDIR"), "boathook-try-")
	if err != nil {
		return fmt.Errorf("make throw-away home: %w", err)
	}
	if home, err = filepath.EvalSymlinks(home); err != nil { // agents report real paths (macOS: /tmp is a link)
		return fmt.Errorf("make throw-away home: %w", err)
	}
	t := &tryRun{env: env, home: home}
	defer func() {
		defer t.stop()()
		if keep {
			env.warn("kept " + home)
		} else if rerr := removeHome(home); rerr != nil && err == nil {
			err = rerr
		}
	}()
	if err := t.run(ctx); err != nil {
		return err
	}
	if asJSON {
		err = t.printJSON()
	} else {
		err = t.print(ctx)
	}
	if len(t.faults) > 0 && (err == nil || pipeClosed(err)) {
		return exitWith(exitFailed, fmt.Errorf("try boathook: %d things are not as they should be", len(t.faults)))
	}
	return err
}

// removeHome renames the home first: a worker that a hook started a moment ago then finds no directory, where it could
// make its files in one that is half removed.
func removeHome(home string) error {
	gone := home + ".gone"
	if err := os.Rename(home, gone); err != nil {
		gone = home
	}
	if err := os.RemoveAll(gone); err != nil {
		return fmt.Errorf("remove throw-away home: %w", err)
	}
	return nil
}
