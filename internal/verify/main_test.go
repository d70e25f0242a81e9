package verify

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/boathook/boathook/internal/hookrun"
	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/spool"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/trial"
	"github.com/boathook/boathook/internal/worker"
)

// TestMain lets the test program stand in for boathook: installed hooks run it.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "hook" {
		syscall.Exit(hookrun.Main(os.Args[2:], nil)) // with the race detector in it, os.Exit sleeps for a second
	}
	if len(os.Args) > 2 && os.Args[1] == "hold" { // a worker that a killed selftest left
		l, err := lock.TryLock(os.Args[2])
		if err != nil {
			os.Exit(1)
		}
		fmt.Println("held")
		time.Sleep(time.Minute)
		_ = l.Unlock()
		return
	}
	os.Exit(m.Run())
}

// scene is a data directory into which hooks write, with a guard.
type scene struct {
	t            *testing.T
	data, config string
	guard        *trial.Guard
	clock        time.Time
}

func newScene(t *testing.T, settings string) *scene {
	t.Helper()
	guard, err := trial.StartGuard(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(guard.Close)
	dir := t.TempDir()
	s := &scene{t: t, data: filepath.Join(dir, "data"), config: filepath.Join(dir, "config.toml"), guard: guard}
	s.clock = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	write(t, s.config, "data_dir = \""+s.data+"\"\npolicy.mode = \"off\"\n"+settings+"\n[guard]\nendpoint = \""+guard.URL()+"\"\ntimeout_ms = 15000\n")
	return s
}

// hook runs the real hook on a payload; args are those of its command line.
func (s *scene) hook(payload string, args ...string) {
	s.t.Helper()
	s.clock = s.clock.Add(time.Second)
	_ = hookrun.Run(hookrun.Env{
		Stdin: strings.NewReader(payload), Lookup: func(string) (string, bool) { return "", false }, Home: s.data, Dir: s.data,
		AccountHome: func() string { return s.data }, Wake: func(hookrun.Worker) error { return nil },
		Now: func() time.Time { return s.clock }, Start: s.clock, Quiet: time.Minute,
	}, append(args, "--config", s.config))
}

func (s *scene) event(agent, event, payload string) {
	s.t.Helper()
	s.hook(payload, "--agent", agent, "--event", event)
}

// drain stores what was spooled, as a worker does.
func (s *scene) drain() {
	s.t.Helper()
	queue := spool.Spool{Dir: filepath.Join(s.data, "spool")}
	stats, err := worker.Drain(context.Background(), worker.Options{DataDir: s.data, Spool: queue, Now: time.Now, NoSend: true})
	if err != nil || stats.Quarantined+stats.Deferred > 0 {
		s.t.Fatalf("%+v %v", stats, err)
	}
}

// placed reads the store.
func (s *scene) placed() []store.Placed {
	s.t.Helper()
	s.drain()
	db, err := store.OpenReadOnly(context.Background(), worker.StorePath(s.data))
	if err != nil {
		s.t.Fatal(err)
	}
	defer db.Close()
	all, err := db.After(context.Background(), 0, 10000, 1<<30)
	if err != nil {
		s.t.Fatal(err)
	}
	return all
}

func (s *scene) report() *Report {
	s.t.Helper()
	r := NewReport(Hosts(), nil)
	for _, p := range s.placed() {
		r.Add(p)
	}
	r.Finish()
	return r
}

// found lists the findings of an agent as "kind event field".
func found(r *Report, agent string) []string {
	var out []string
	for _, h := range r.Hosts {
		if h.Agent != agent {
			continue
		}
		for _, f := range h.Findings {
			text := string(f.Kind) + " " + f.Event + " " + f.Field
			if f.Renamed != "" {
				text += " renamed? " + f.Renamed
			}
			out = append(out, strings.TrimSpace(text))
		}
	}
	return out
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
