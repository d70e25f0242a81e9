package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/agentrun"
	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/sink/progress"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/trial"
	"github.com/boathook/boathook/internal/wake"
	"github.com/boathook/boathook/internal/worker"
)

// tryRun is one trial: its home, what was played and what came of it.
type tryRun struct {
	env   *Env
	home  string
	data  string
	guard *trial.Guard
	spans *trySpans

	secret  string
	steps   []trial.Step
	records []record.Record
	lines   [][]byte
	faults  []string
	took    time.Duration
}

func (t *tryRun) run(ctx context.Context) error {
	started := t.env.Now()
	defer func() { t.took = t.env.Now().Sub(started) }()
	var err error
	if t.guard, err = trial.StartGuard(ctx); err != nil {
		return err
	}
	if t.spans, err = startTrySpans(ctx, t.env); err != nil {
		return err
	}
	if err := os.MkdirAll(trial.WorkDir(t.home), 0o700); err != nil {
		return fmt.Errorf("make work directory: %w", err)
	}
	if err := t.install(ctx); err != nil {
		return err
	}
	if err := t.play(ctx); err != nil {
		return err
	}
	if err := t.collect(ctx); err != nil {
		return err
	}
	if err := t.arrive(ctx); err != nil {
		return err
	}
	t.check()
	t.checkSpans()
	return nil
}

// inner is the world of the throw-away home. What install finds in its environment it writes into the config there: the
// guard's and the collector's address, and a budget that a busy machine does not exceed.
func (t *tryRun) inner() (*Env, *bytes.Buffer) {
	vars := map[string]string{
		"HOME": t.home, "PATH": t.env.variable("PATH"),
		"PINTA_GUARD_ENDPOINT": t.guard.URL(), "PINTA_GUARD_TIMEOUT_MS": "2000",
		"OTEL_EXPORTER_OTLP_ENDPOINT": t.spans.server.URL(),
	}
	var out bytes.Buffer
	env := *t.env
	env.Stdin, env.Stdout, env.Stderr = strings.NewReader(""), &out, &out
	env.LookupEnv = func(name string) (string, bool) { v, ok := vars[name]; return v, ok }
	env.Home, env.Dir, env.IsTerminal = t.home, trial.WorkDir(t.home), false
	return &env, &out
}

// install runs the real command.
func (t *tryRun) install(ctx context.Context) error {
	env, out := t.inner()
	if code := Run(ctx, env, append([]string{"install", "--yes"}, tryAgents()...)); code != exitOK {
		return fmt.Errorf("install into throw-away home: exit code %d: %s", code, strings.TrimSpace(out.String()))
	}
	settings, err := env.settings("")
	if err != nil {
		return err
	}
	if elsewhere := t.elsewhere(settings); elsewhere != "" {
		return exitWith(exitRefused, fmt.Errorf("play sessions: the settings in %s would send them to %s", config.ManagedPath(), elsewhere))
	}
	t.data = settings.DataDir
	return nil
}

// elsewhere is where the trial would reach out of its home. An administrator's settings win there too: the recorded
// commands must not get to a real store, guard or collector.
func (t *tryRun) elsewhere(s config.Settings) string {
	var out []string
	if !strings.HasPrefix(s.DataDir, t.home+string(filepath.Separator)) {
		out = append(out, s.DataDir)
	}
	if s.Guard.Endpoint != t.guard.URL() || s.Guard.Disabled {
		out = append(out, "guard "+orDash(progress.Address(s.Guard.Endpoint)))
	}
	base := t.spans.server.URL() + "/"
	if !strings.HasPrefix(s.Telemetry.Endpoint, base) || s.Telemetry.MetricsEndpoint != "" && !strings.HasPrefix(s.Telemetry.MetricsEndpoint, base) {
		out = append(out, "collector "+orDash(progress.Address(s.Telemetry.Endpoint)))
	}
	return strings.Join(out, " and ")
}

func (t *tryRun) play(ctx context.Context) error {
	t.secret = trial.Secret()
	steps, err := trial.Sessions(tryAgents(), t.home, t.secret)
	if err != nil {
		return err
	}
	player := trial.Player{Home: t.home, Path: t.env.variable("PATH"), Now: t.env.Now, Installed: map[string]agentrun.Hooks{}}
	for _, agent := range tryAgents() {
		if player.Installed[agent], err = agentrun.Installed(agent, agentrun.Dir(agent, t.home, nil)); err != nil {
			return err
		}
	}
	for _, s := range steps {
		if s.Result, err = player.Play(ctx, s); err != nil {
			return err
		}
		t.steps = append(t.steps, s)
	}
	return nil
}

// collectTime bounds the wait for a worker, which stores within a quarter of a second.
const collectTime = 10 * time.Second

// collect waits for the worker that the hooks started, and reads what it stored.
func (t *tryRun) collect(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, collectTime)
	defer cancel()
	path := worker.StorePath(t.data)
	for {
		err := t.read(ctx, path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if len(t.records) >= len(t.steps) {
			return nil
		}
		if err := pause(ctx, 50*time.Millisecond); err != nil {
			return fmt.Errorf("wait for the worker: %d of %d events are stored: %w", len(t.records), len(t.steps), err)
		}
	}
}

func (t *tryRun) read(ctx context.Context, path string) error {
	s, err := store.OpenReadOnly(ctx, path)
	if err != nil {
		return err
	}
	t.records, t.lines = nil, nil
	err = s.Each(ctx, store.Filter{}, func(_ int64, line []byte) error {
		r, err := record.Parse(line)
		if err != nil {
			return err
		}
		t.records, t.lines = append(t.records, r), append(t.lines, line)
		return nil
	})
	return errors.Join(err, s.Close())
}

// stop ends what the trial started and keeps its worker's lock until release is called, so that no other worker starts
// meanwhile. The worker's id in its lock is believed only while the lock is held.
func (t *tryRun) stop() (release func()) {
	if t.guard != nil {
		t.guard.Close()
	}
	if t.spans != nil && t.spans.server != nil {
		defer t.spans.close()
	}
	if t.data == "" {
		return func() {}
	}
	path := filepath.Join(t.data, wake.LockFile)
	for range 100 {
		l, err := lock.TryLock(path)
		switch {
		case err == nil:
			return func() { _ = l.Unlock() } // the process ends anyway
		case !errors.Is(err, lock.ErrHeld):
			return func() {} // there is no directory to lock: no hook has run
		}
		if pid, err := lock.Holder(path); err == nil && pid > 0 && pid != os.Getpid() {
			terminate(pid)
		}
		time.Sleep(50 * time.Millisecond)
	}
	return func() {}
}
