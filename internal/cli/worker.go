package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/hookwatch"
	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/spool"
	"github.com/boathook/boathook/internal/version"
	"github.com/boathook/boathook/internal/wake"
	"github.com/boathook/boathook/internal/worker"
)

// place are the flags that say which data directory a command works on.
type place struct {
	data, config string
	noConfig     bool
}

func (p *place) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&p.data, "data", "", "data directory, instead of the config's")
	cmd.Flags().StringVar(&p.config, "config", "", configUsage)
	cmd.Flags().BoolVar(&p.noConfig, "no-config", false, "settings as of a hook without --config: the environment first")
	_ = cmd.Flags().MarkHidden("no-config") // hooks say it
	_ = cmd.MarkFlagDirname("data")         // these are there
	_ = cmd.MarkFlagFilename("config", "toml")
}

// find reads the settings and says where the data are.
func (p *place) find(env *Env) (string, config.Settings, error) {
	var settings config.Settings
	var err error
	if p.noConfig {
		settings = env.ownSettings()
	} else {
		settings, err = env.asWritten(p.config)
	}
	if p.data == "" { // else that of the settings is not looked at: it may be what the data were moved from
		settings = settings.Settle()
	}
	if err != nil && p.data == "" {
		return "", settings, err // with --data, a config that is gone leaves the defaults: the events must be stored all the same
	}
	dir, err := env.dataDir(p.data, settings)
	return dir, settings, err
}

// quiet is how long files must have been left alone for what they say to be believed at once, where it is doubtful.
const quiet = time.Second

// settled finds the settings and waits, for a moment, while somebody seems to be writing them: not every editor renames
// what it has written. again says that they have just changed.
func (p *place) settled(ctx context.Context, env *Env, again bool) (string, config.Settings, error) {
	for tries := 0; ; tries++ {
		dir, s, err := p.find(env)
		empty := slices.ContainsFunc(s.Files, func(f config.File) bool { return f.There && f.Size == 0 })
		doubtful := again || empty || len(s.Problems) > 0
		if !doubtful || tries >= 12 || !s.Unsettled(env.Now(), quiet) {
			return dir, s, err
		}
		if pause(ctx, quiet/4) != nil {
			return dir, s, err
		}
	}
}

func newWorker(env *Env) *cobra.Command {
	var p place
	var once, foreground bool
	cmd := &cobra.Command{
		Use:   "worker",
		Short: "Store and send what the hooks recorded (hooks start it)",
		Long: `Move the events that hooks have spooled into the store, and send them from there to where telemetry.endpoint says. A
hook starts a worker when none runs; it ends by itself when nothing has come for a while (worker.idle_s) and all is sent.
One runs per data directory: a second one ends at once.

Nobody needs to run this by hand. It may be stopped at any time, however hard: no event is lost and none is stored twice.
What it has to say is in worker.log in the data directory; with --foreground it says it here, and stays until Ctrl-C.`,
		Example: `  boathook worker drain --wait 30s   at the end of a CI job, before the machine goes away
  boathook worker stop               before the data directory is moved or copied
  boathook worker --foreground       under a process supervisor, or to watch it`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case once && foreground:
				return usage("--once and --foreground exclude each other")
			case once:
				return drainOnce(cmd.Context(), env, p)
			}
			return runWorker(cmd.Context(), env, p, foreground)
		},
	}
	p.flags(cmd)
	cmd.Flags().BoolVar(&once, "once", false, "store what waits now, say how much it was, and end; sends nothing")
	cmd.Flags().BoolVar(&foreground, "foreground", false, "log to stderr, and stay when there is nothing to do")
	cmd.AddCommand(newWorkerStop(env), newWorkerDrain(env))
	completeNoFiles(cmd.Commands())
	return cmd
}

// forGood is longer than any worker lives.
const forGood = 10 * 365 * 24 * time.Hour

// maxRestarts bounds how often one process begins anew: a file that is never the same twice must not keep it for ever.
const maxRestarts = 100

// runWorker runs a worker, and another in its place when the settings change: nothing is sent by old ones.
func runWorker(ctx context.Context, env *Env, p place, foreground bool) error {
	ctx, stop := untilInterrupted(ctx)
	defer stop()
	var before config.Settings
	for round := range maxRestarts {
		again := round > 0
		dir, settings, err := p.settled(ctx, env, again)
		if err != nil || ctx.Err() != nil {
			return err
		}
		if again && (settings.Missing || settings.TrustEnv != before.TrustEnv) {
			// Without a config hooks do nothing, and the data may be about to be removed. Which variables this process got
			// depends on the other. The next hook starts a worker.
			return nil
		}
		before = settings
		if !foreground {
			if !hasData(env, dir) {
				return nil
			}
			err = detachedWorker(ctx, p.options(env, dir, settings, worker.NewLog(dir)), again)
		} else {
			err = foregroundWorker(ctx, env, dir, p.options(env, dir, settings, slog.New(slog.NewTextHandler(env.Stderr, nil))))
		}
		if !errors.Is(err, worker.ErrChanged) {
			return err
		}
	}
	return exitWith(exitFailed, errors.New("run worker: the settings change all the time; a hook starts another one"))
}

// detachedWorker runs a worker. Where it follows another one, by other settings, what the old destination had asked for
// doesn't hold.
func detachedWorker(ctx context.Context, o worker.Options, again bool) error {
	if again {
		if err := forgetRests(ctx, o); err != nil {
			o.Log.Warn("sinks go on to rest", "error", err)
		}
	}
	return worker.Run(ctx, o)
}

// foregroundWorker stays until ctx ends, also where there is nothing yet.
func foregroundWorker(ctx context.Context, env *Env, dir string, o worker.Options) error {
	if _, err := os.Stat(dir); err != nil {
		env.tell("nothing is recorded yet in " + dir + "; waiting for it")
	}
	for {
		if _, err := os.Stat(dir); err == nil {
			break
		}
		if pause(ctx, time.Second) != nil {
			return nil
		}
	}
	if path := filepath.Join(dir, wake.LockFile); lock.Held(path) {
		pid, _ := lock.Holder(path) // 0 will do
		return exitWith(exitFailed, fmt.Errorf("run worker: another one runs already (process %d); 'boathook worker stop' ends it", pid))
	}
	o.Idle = forGood
	o.Log.Info("worker started", "data", dir, "sinks", len(o.Sinks))
	return worker.Run(ctx, o)
}

// hasData tells whether there is a data directory. It is never made here: a worker that starts late must not bring back a
// directory that was removed.
func hasData(env *Env, dir string) bool {
	if _, err := os.Stat(dir); err != nil {
		env.tell("nothing is recorded yet in " + dir + ": there is nothing to do")
		return false
	}
	return true
}

func drainOnce(ctx context.Context, env *Env, p place) error {
	dir, settings, err := p.find(env)
	if err != nil || !hasData(env, dir) {
		return err
	}
	stats, err := worker.Drain(ctx, storingOptions(env, dir, settings))
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

// workerOptions are those of a worker that stores and sends.
func workerOptions(env *Env, dir string, s config.Settings, log *slog.Logger) worker.Options {
	o := worker.Options{
		DataDir: dir, Spool: spoolOf(dir, s), Idle: s.WorkerIdle, Now: env.Now, Abandon: s.Telemetry.Abandon, Log: log,
		Retention: worker.Retention{Body: s.Retention.Body, Metadata: s.Retention.Metadata}, Changed: s.Changed,
		StoreMax: s.StoreMax,
	}
	watch := hookwatch.Watch{Env: installEnv(env), Minimal: s.Minimal, Version: version.String(), Now: env.Now}
	o.Watch, o.Files = watch.Look, watch.Files(s, dir)
	o.Sinks, o.Absent = sinksOf(env, dir, s, o.Spool, log)
	o.Beside = memoryService(env, dir, s, log)
	return o
}

// options are the worker's, by settings that are surely those of the data. By others nothing is forgotten: an endpoint that
// only seems to be unset would cost the events that it has not got, and a retention that only seems to be short the
// contents.
func (p *place) options(env *Env, dir string, s config.Settings, log *slog.Logger) worker.Options {
	o := workerOptions(env, dir, s, log)
	given := dir == s.DataDir || p.config != "" || p.noConfig
	if !given || s.Missing || doubtedSinks(s) {
		o.Absent = nil
	}
	if !given || s.Missing || doubted(s, "retention", "_days") {
		o.Retention = worker.Retention{}
	}
	if !given || s.Missing || doubted(s, "store", "max_mb") {
		o.StoreMax = 0
	}
	return o
}

// doubted tells whether something is wrong with the settings that concerns one of these names.
func doubted(s config.Settings, names ...string) bool {
	return slices.ContainsFunc(s.Problems, func(text string) bool {
		text = strings.ToLower(text)
		return slices.ContainsFunc(names, func(name string) bool { return strings.Contains(text, name) })
	})
}

// doubtedSinks tells whether an endpoint may be set, although there seems to be none: what is wrong is about telemetry, or
// about the places that it may come from, or can't be told to be about something else.
func doubtedSinks(s config.Settings) bool {
	return doubted(s, "telemetry", "memory", "endpoint", "otlp", "env", "managed", "read ", "not a line of toml", "not the head of a table",
		"not valid toml", "the rest is ignored", "no name = value")
}

// storingOptions are those of a command that wants to see everything. It sends nothing, as a person who looks at the log
// doesn't wait for a collector, and removes nothing. A destination that is no longer configured is forgotten by it, as by a
// worker: what is stored now is not for the one that comes next. But the environment of a shell isn't that of the hooks.
func storingOptions(env *Env, dir string, s config.Settings) worker.Options {
	o := workerOptions(env, dir, s, worker.NewLog(dir))
	o.NoSend, o.Retention, o.Abandon, o.Changed, o.StoreMax = true, worker.Retention{}, 0, nil, 0
	if dir != s.DataDir || s.TrustEnv || s.Missing || doubtedSinks(s) {
		o.Absent = nil
	}
	return o
}

func spoolOf(dir string, s config.Settings) spool.Spool {
	return spool.Spool{Dir: filepath.Join(dir, "spool"), MaxBytes: s.SpoolMax, Fsync: s.Fsync}
}
