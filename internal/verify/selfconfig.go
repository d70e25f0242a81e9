package verify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/pelletier/go-toml/v2"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/off"
	"github.com/boathook/boathook/internal/spool"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/worker"
)

// configPath is where the temporary config is: as in a home, so that the home in it counts.
func (t *tester) configPath() string {
	return filepath.Join(t.box.home, ".config", "boathook", "config.toml")
}

func (t *tester) queue() spool.Spool { return spool.Spool{Dir: filepath.Join(t.box.data, "spool")} }

// configure looks at the program and the config of an installed hook, and writes the temporary config.
func (t *tester) configure(w wiring, a *AgentResult, e *EventResult) (reviewAsks bool, err error) {
	if info, err := os.Stat(w.program); err != nil || info.IsDir() || info.Mode().Perm()&0o111 == 0 {
		e.fault("the program that it runs is not there or can't be run: "+w.program, a.reinstall())
		return false, nil
	}
	real := config.Load(config.Request{Path: w.config, Home: t.Home, Managed: t.Managed})
	if real.Missing {
		e.fault("the config that it reads is gone, and without it a hook does nothing: "+w.config, a.reinstall())
		return false, nil
	}
	switch {
	case a.Config == "":
		a.Program, a.Config = w.program, w.config
		a.Notes = append(a.Notes, real.Problems...)
		if Off(real, t.Now()) {
			a.Notes = append(a.Notes, "the hooks are switched off at the moment and do nothing; 'boathook on' ends that")
		}
	case a.Config != w.config || a.Program != w.program:
		e.fault("it runs another program, or reads another config, than the hooks before it", a.reinstall())
	}
	return real.Guard.ReviewAsks, t.writeConfig(real)
}

// Off tells whether the hooks that read such settings are switched off everywhere.
func Off(s config.Settings, now time.Time) bool {
	state, err := off.Load(s.Path)
	return err == nil && s.Off.Allowed && state.Current(off.At(now)).All != nil
}

// guardPatience is the guard's budget here, in milliseconds: the machine may be busy, and the budget is not what is tested.
const guardPatience = 2000

// writeConfig writes the settings that decide what a hook does, with places of the selftest's own.
func (t *tester) writeConfig(s config.Settings) error {
	choice := func(is bool, yes, no string) string {
		if is {
			return yes
		}
		return no
	}
	tree := map[string]any{
		"data_dir": t.box.data, "privacy": choice(s.Minimal, "minimal", "standard"), "env_files": []string{},
		"guard": map[string]any{
			"endpoint": t.guard.URL(), "timeout_ms": guardPatience, "fail": choice(s.Guard.FailClosed, "closed", "open"),
			"review": choice(s.Guard.ReviewAsks, "ask", "allow"), "on_error": choice(s.Guard.DenyOnFail, "deny", "allow"),
		},
		// What the guard says is what is looked at; a policy that says more would hide it.
		"policy": map[string]any{"mode": "off"},
		"redact": map[string]any{"allow": append([]string{}, s.Redact.Allow...), "patterns": nonNil(s.Redact.Patterns)},
		"hook":   map[string]any{"deadline_ms": s.Deadline.Milliseconds()},
		// One that a hook starts when the selftest was killed does not stay.
		"worker": map[string]any{"idle_s": 1},
		"spool":  map[string]any{"durability": choice(s.Fsync, "fsync", "none")},
	}
	text, err := toml.Marshal(tree)
	if err != nil {
		return fmt.Errorf("write temporary config: %w", err)
	}
	path := t.configPath()
	if have, err := os.ReadFile(path); err == nil && bytes.Equal(have, text) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("write temporary config: %w", err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		return fmt.Errorf("write temporary config: %w", err)
	}
	got := config.Load(config.Request{Path: path, Home: t.box.home, Managed: t.Managed})
	if got.DataDir != t.box.data || got.Guard.Endpoint != t.guard.URL() || got.Guard.Disabled || got.Telemetry.Endpoint != "" {
		return fmt.Errorf("%w (%s)", ErrManaged, t.Managed)
	}
	return nil
}

func nonNil(m map[string]string) map[string]string {
	if m == nil {
		return map[string]string{}
	}
	return m
}

// stored moves what was spooled into a store, as a worker does, and looks whether all of it is there.
func (t *tester) stored(ctx context.Context) error {
	waiting, err := t.queue().Pending()
	if err != nil || len(waiting) == 0 {
		return err
	}
	t.box.free()
	o := worker.Options{DataDir: t.box.data, Spool: t.queue(), Now: t.Now, NoSend: true}
	if _, err := worker.Drain(ctx, o); err != nil {
		return err
	}
	s, err := store.OpenReadOnly(ctx, worker.StorePath(t.box.data))
	if err != nil {
		return err
	}
	n := 0
	err = s.Each(ctx, store.Filter{}, func(int64, []byte) error { n++; return nil })
	if err := errors.Join(err, s.Close()); err != nil {
		return err
	}
	if n != len(waiting) {
		t.out.Faults = append(t.out.Faults, Fault{Text: fmt.Sprintf("%d records were spooled, and %d came into the store", len(waiting), n), Cure: "boathook doctor"})
	}
	return nil
}
