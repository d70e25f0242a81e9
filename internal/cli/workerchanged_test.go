package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/worker"
)

// prompted makes the n-th event a prompt.
func prompted(text string) func(int, *record.Record) {
	return func(_ int, r *record.Record) {
		r.Event.Event, r.HostEvent, r.Prompt = canon.PromptSubmit, "BeforeAgent", text
	}
}

// background runs a worker as a hook starts it until the test ends.
func background(t *testing.T, home string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	env := testEnv(home)
	var errs syncBuffer
	env.Stdout, env.Stderr, env.Now = &bytes.Buffer{}, &errs, time.Now
	data := filepath.Join(home, ".local", "share", "boathook")
	ended := make(chan int, 1)
	go func() {
		ended <- Run(ctx, env, []string{"worker", "--data", data, "--config", filepath.Join(home, ".config", "boathook", "config.toml")})
	}()
	t.Cleanup(func() {
		cancel()
		if code := <-ended; code != exitOK {
			t.Errorf("exit %d: %s", code, errs.String())
		}
	})
}

// renamed writes a file as editors do.
func renamed(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path+"~", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+"~", path); err != nil {
		t.Fatal(err)
	}
}

// text is all that the destination got.
func (d *destination) text(t *testing.T) string {
	t.Helper()
	b, err := json.Marshal(d.got())
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// hasCursor tells whether a worker has begun to send spans.
func hasCursor(t *testing.T, home string) bool {
	t.Helper()
	s, err := store.OpenReadOnly(t.Context(), worker.StorePath(filepath.Join(home, ".local", "share", "boathook")))
	if err != nil {
		return false
	}
	defer s.Close()
	_, ok, err := s.Cursor(t.Context(), tracesSink)
	return err == nil && ok
}

// TestRunningWorkerHeedsSettings: what a config says now holds for what is sent from now on.
func TestRunningWorkerHeedsSettings(t *testing.T) {
	first, second := newDestination(t), newDestination(t)
	home := configured(t, first.URL+"/v1/traces")
	config := filepath.Join(home, ".config", "boathook", "config.toml")
	base := func(d *destination, rest string) string {
		return "[telemetry]\nmetrics = false\nendpoint = \"" + d.URL + "/v1/traces\"\n" + rest
	}
	spoolEvents(t, home, 0, 1, prompted("the first prompt"))
	background(t, home)
	waitFor(t, func() bool { return len(first.got()) == 1 })
	if text := first.text(t); !strings.Contains(text, "the first prompt") {
		t.Fatalf("without contents: %s", text)
	}

	renamed(t, config, base(first, "content = \"none\"\n"))
	spoolEvents(t, home, 1, 2, prompted("the second prompt"))
	waitFor(t, func() bool { return len(first.got()) == 3 })
	if text := first.text(t); strings.Contains(text, "the second prompt") {
		t.Errorf("sent by the old settings: %s", text)
	}

	renamed(t, config, base(second, ""))
	spoolEvents(t, home, 3, 1, nil)
	waitFor(t, func() bool { return len(second.got()) == 1 })

	// Unset for long, and set again: what came between goes nowhere.
	renamed(t, config, "[telemetry]\n")
	spoolEvents(t, home, 4, 3, nil)
	waitFor(t, func() bool { return absentLong(t, home) })
	waitFor(t, func() bool {
		names, err := os.ReadDir(filepath.Join(home, ".local", "share", "boathook", "spool", "new"))
		return err == nil && len(names) == 0
	})
	renamed(t, config, base(second, "")+"# again\n")
	waitFor(t, func() bool { return !isAbsent(t, home) })
	spoolEvents(t, home, 7, 1, nil)
	waitFor(t, func() bool { return len(second.got()) >= 2 })
	if len(first.got()) != 3 || len(second.got()) != 2 {
		t.Errorf("%d and %d spans", len(first.got()), len(second.got()))
	}
}

// isAbsent tells whether a worker has seen that no endpoint is set.
func isAbsent(t *testing.T, home string) bool {
	t.Helper()
	s, err := store.OpenReadOnly(t.Context(), worker.StorePath(filepath.Join(home, ".local", "share", "boathook")))
	if err != nil {
		return false
	}
	defer s.Close()
	since, err := s.DoneAt(t.Context(), "absent:"+tracesSink)
	return err == nil && !since.IsZero()
}

// absentLong makes it long ago that this was seen; false where it wasn't yet.
func absentLong(t *testing.T, home string) bool {
	t.Helper()
	if !isAbsent(t, home) {
		return false
	}
	s, err := store.Open(t.Context(), worker.StorePath(filepath.Join(home, ".local", "share", "boathook")))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Done(t.Context(), "absent:"+tracesSink, time.Now().Add(-store.AbsentFor)); err != nil {
		t.Fatal(err)
	}
	return true
}

// TestSettingsAwayForAMoment: a config that is written in two steps, or that somebody mistook, costs nothing of what is to be
// sent. And a request that is under way when the settings change is neither broken off nor made again.
func TestSettingsAwayForAMoment(t *testing.T) {
	d := newDestination(t)
	home := configured(t, d.URL+"/v1/traces")
	config := filepath.Join(home, ".config", "boathook", "config.toml")
	good, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	spoolEvents(t, home, 0, 1, nil)
	d.answers(503, "")
	background(t, home)
	waitFor(t, func() bool { return hasCursor(t, home) })
	renamed(t, config, "# half of it\n")
	spoolEvents(t, home, 1, 2, nil)
	waitFor(t, func() bool { return isAbsent(t, home) })
	d.answers(0, "")
	slow := d.slow()
	renamed(t, config, string(good))
	<-slow.begun
	renamed(t, config, string(good)+"# with a remark\n")
	time.Sleep(300 * time.Millisecond) // the worker looks
	close(slow.goOn)
	spoolEvents(t, home, 3, 1, nil)
	waitFor(t, func() bool { return len(d.got()) >= 4 })
	seen := map[[8]byte]int{}
	for _, s := range d.got() {
		if seen[s.SpanID]++; seen[s.SpanID] > 1 {
			t.Errorf("%x came twice", s.SpanID)
		}
	}
}

// TestWorkerWithoutItsConfig: hooks do nothing without it, and nobody goes on for them.
func TestWorkerWithoutItsConfig(t *testing.T) {
	d := newDestination(t)
	home := configured(t, d.URL+"/v1/traces")
	config := filepath.Join(home, ".config", "boathook", "config.toml")
	spoolEvents(t, home, 0, 1, nil)
	env := testEnv(home)
	env.Stdout, env.Stderr, env.Now = &bytes.Buffer{}, &bytes.Buffer{}, time.Now
	ended := make(chan int, 1)
	go func() {
		ended <- Run(t.Context(), env, []string{"worker", "--data", filepath.Join(home, ".local", "share", "boathook"), "--config", config})
	}()
	waitFor(t, func() bool { return len(d.got()) == 1 })
	if err := os.Remove(config); err != nil {
		t.Fatal(err)
	}
	if code := <-ended; code != exitOK {
		t.Errorf("exit %d", code)
	}
}

// TestForegroundWorkerStays: by the new settings.
func TestForegroundWorkerStays(t *testing.T) {
	d := newDestination(t)
	home := configured(t, "")
	spoolEvents(t, home, 0, 1, nil)
	ctx, cancel := context.WithCancel(t.Context())
	env := testEnv(home)
	var errs syncBuffer
	env.Stdout, env.Stderr, env.Now = &bytes.Buffer{}, &errs, time.Now
	ended := make(chan int, 1)
	go func() { ended <- Run(ctx, env, []string{"worker", "--foreground"}) }()
	waitFor(t, func() bool { return strings.Contains(errs.String(), "worker started") })
	renamed(t, filepath.Join(home, ".config", "boathook", "config.toml"), "[telemetry]\nmetrics = false\nendpoint = \""+d.URL+"/v1/traces\"\n")
	waitFor(t, func() bool { return strings.Count(errs.String(), "worker started") == 2 && hasCursor(t, home) })
	spoolEvents(t, home, 1, 1, nil)
	waitFor(t, func() bool { return len(d.got()) == 1 })
	cancel()
	if code := <-ended; code != exitOK {
		t.Errorf("exit %d: %s", code, errs.String())
	}
}
