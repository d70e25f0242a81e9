package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/spool"
	"github.com/boathook/boathook/internal/worker"
)

func newWorker(env *Env) *cobra.Command {
	var data, configPath string
	var once bool
	cmd := &cobra.Command{
		Use:    "worker",
		Short:  "Move recorded events into the store (hooks start it)",
		Hidden: true,
		Long: `Move the events that hooks have spooled into the store. A hook starts a worker when none runs; it ends by itself when
nothing has come for a while (worker.idle_s). One runs per data directory: a second one ends at once.

Nobody needs to run this by hand. It may be stopped at any time, however hard: no event is lost and none is stored twice.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runWorker(cmd.Context(), env, data, configPath, once)
		},
	}
	cmd.Flags().StringVar(&data, "data", "", "data directory, instead of the config's")
	cmd.Flags().StringVar(&configPath, "config", "", "config file")
	cmd.Flags().BoolVar(&once, "once", false, "store what waits now, say how much it was, and end")
	return cmd
}

func runWorker(ctx context.Context, env *Env, data, configPath string, once bool) error {
	settings, err := env.settings(configPath)
	if err != nil && data == "" {
		return err // with --data, a config that is gone leaves the defaults: the events must be stored all the same
	}
	dir, err := env.dataDir(data, settings)
	if err != nil {
		return err
	}
	if _, err := os.Stat(dir); err != nil {
		// Never made here: a worker that starts late must not bring back a directory that was removed.
		env.warn("there is no data directory " + dir + " yet; nothing to do")
		return nil
	}
	o := workerOptions(env, dir, settings)
	if !once {
		return worker.Run(ctx, o)
	}
	stats, err := worker.Drain(ctx, o)
	if errors.Is(err, lock.ErrHeld) {
		env.warn("another worker is running and does the work")
		return nil
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(env.Stdout, "stored %d, quarantined %d, left %d\n", stats.Stored, stats.Quarantined, stats.Deferred)
	return err
}

func workerOptions(env *Env, dir string, s config.Settings) worker.Options {
	return worker.Options{DataDir: dir, Spool: spoolOf(dir, s), Idle: s.WorkerIdle, Now: env.Now}
}

func spoolOf(dir string, s config.Settings) spool.Spool {
	return spool.Spool{Dir: filepath.Join(dir, "spool"), MaxBytes: s.SpoolMax, Fsync: s.Fsync}
}
