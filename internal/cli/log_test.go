package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/spool"
)

// spoolEvents puts records where hooks put them.
func spoolEvents(t *testing.T, home string, from, n int, change func(i int, r *record.Record)) {
	t.Helper()
	data := filepath.Join(home, ".local", "share", "boathook")
	s := spool.Spool{Dir: filepath.Join(data, "spool")}
	for i := from; i < from+n; i++ {
		r := aRecord(func(r *record.Record) {
			r.ID, r.SpanID = fmt.Sprintf("01JN%022d", i), fmt.Sprintf("%016x", i)
			r.Tool.Command = fmt.Sprintf("command %d", i)
			if change != nil {
				change(i, r)
			}
		})
		b, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Append(r.ID, b); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLogDrainsAndLimits(t *testing.T) {
	home := t.TempDir()
	spoolEvents(t, home, 0, 120, func(i int, r *record.Record) {
		if i%40 == 7 {
			r.Decision.Mark, r.Decision.Source = reviewed, "remote_guard"
		}
		if i%2 == 1 {
			r.Event.Event, r.HostEvent = canon.CompactBefore, "PreCompress"
		}
	})
	tests := []struct {
		name        string
		args        []string
		rows        int
		first, last string
	}{
		{"all in a pipe", []string{"log"}, 121, "TIME", "command 119"},
		{"the newest two", []string{"log", "-n", "2"}, 3, "TIME", "command 119"},
		{"all as JSON", []string{"log", "--json"}, 120, "command 0", "command 119"},
		{"reviewed", []string{"log", "--decision", "review", "--json"}, 3, "command 7", "command 87"},
		{"newest reviewed", []string{"log", "--decision", "review", "--json", "-n", "2"}, 2, "command 47", "command 87"},
		{"nobody asked", []string{"log", "--decision", "none", "--json"}, 117, "command 0", "command 119"},
		{"all that went on", []string{"log", "--decision", "allow", "--json"}, 120, "command 0", "command 119"},
		{"a family", []string{"log", "--event", "tool:*", "--json"}, 60, "command 0", "command 118"},
		{"all but an event", []string{"log", "--event", "!PreCompress", "--json"}, 60, "command 0", "command 118"},
		{"the newest but an event", []string{"log", "--event", "!compact:before", "--json", "-n", "30"}, 30, "command 60", "command 118"},
		{"an agent's name", []string{"log", "--event", "precompress", "--agent", "Gemini", "--json"}, 60, "command 1", "command 119"},
		{"two events", []string{"log", "--event", "BeforeTool,compact:before", "--json"}, 120, "command 0", "command 119"},
		{"two filters", []string{"log", "--event", "!tool:*", "--decision", "none", "--json"}, 57, "command 1", "command 119"},
		{"text", []string{"log", "--grep", "COMMAND 11", "--json"}, 11, "command 11", "command 119"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			code, out, stderr := runIn(t, home, tt.args...)
			lines := strings.Split(strings.TrimSpace(out), "\n")
			if code != 0 || len(lines) != tt.rows {
				t.Fatalf("exit %d, %d rows, want %d\n%s%s", code, len(lines), tt.rows, out, stderr)
			}
			if !strings.Contains(lines[0], tt.first) || !strings.Contains(lines[len(lines)-1], tt.last) {
				t.Errorf("first %s\nlast %s", lines[0], lines[len(lines)-1])
			}
		})
	}
}

// A person is shown a page, and told that there is more.
func TestLogShowsATerminalAPage(t *testing.T) {
	home := t.TempDir()
	spoolEvents(t, home, 0, 60, nil)
	var out, errs bytes.Buffer
	env := testEnv(home)
	env.Stdout, env.Stderr, env.IsTerminal, env.Width = &out, &errs, true, 60
	if code := Run(t.Context(), env, []string{"log"}); code != 0 || strings.Count(out.String(), "command ") != pageful {
		t.Errorf("exit %d: %s", code, out.String())
	}
	if !strings.Contains(errs.String(), "these are the newest 50; -n 0 shows all") {
		t.Error(errs.String())
	}
}

func TestLogNoDrainLeavesTheSpool(t *testing.T) {
	home := t.TempDir()
	spoolEvents(t, home, 0, 3, nil)
	_, out, stderr := runIn(t, home, "log", "--no-drain")
	if out != "" || !strings.Contains(stderr, "No event is recorded yet") || !strings.Contains(stderr, "not shown yet: 3 events") {
		t.Errorf("stdout %q, stderr %q", out, stderr)
	}
}

func TestLogTellsOfRecordsOfALaterVersion(t *testing.T) {
	home := t.TempDir()
	spoolEvents(t, home, 0, 1, nil)
	runIn(t, home, "log")
	var out bytes.Buffer
	env := testEnv(home)
	env.Stdout = &out
	p := &logPrinter{env: env}
	if err := p.print([]byte(`{"v":2,"id":"x"}`)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "version 2") {
		t.Error(out.String())
	}
}

// syncBuffer may be read while a command writes.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func TestLogFollows(t *testing.T) {
	home := t.TempDir()
	var out, errs syncBuffer
	env := testEnv(home)
	env.Stdout, env.Stderr = &out, &errs
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan int)
	go func() { done <- Run(ctx, env, []string{"log", "-f", "--json", "--grep", "command"}) }()
	for i := range 2 { // the first makes the store, the second is found in it
		spoolEvents(t, home, i, 1, nil)
		if code, _, stderr := runIn(t, home, "worker", "--once"); code != 0 {
			t.Fatal(stderr)
		}
		waitFor(t, func() bool { return strings.Contains(out.String(), fmt.Sprintf("command %d", i)) })
	}
	cancel()
	if code := <-done; code != 0 {
		t.Errorf("exit %d: %s", code, errs.String())
	}
	if n := strings.Count(out.String(), "\n"); n != 2 {
		t.Errorf("%d lines: %s", n, out.String())
	}
}

func TestLogFollowsAReplacedStore(t *testing.T) {
	home := t.TempDir()
	spoolEvents(t, home, 0, 1, nil)
	runIn(t, home, "worker", "--once")
	var out syncBuffer
	env := testEnv(home)
	env.Stdout, env.Stderr = &out, io.Discard
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan int)
	go func() { done <- Run(ctx, env, []string{"log", "-f"}) }()
	waitFor(t, func() bool { return strings.Contains(out.String(), "command 0") })
	if err := os.RemoveAll(filepath.Join(home, ".local")); err != nil {
		t.Fatal(err)
	}
	spoolEvents(t, home, 1, 1, nil)
	runIn(t, home, "worker", "--once")
	waitFor(t, func() bool { return strings.Contains(out.String(), "command 1") })
	cancel()
	<-done
}

// waitFor waits for what happens within a second where nothing else runs.
func waitFor(t *testing.T, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(25 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatal("waited in vain")
}

func TestWorkerMakesNoDirectory(t *testing.T) {
	home := t.TempDir()
	code, _, stderr := runIn(t, home, "worker", "--data", filepath.Join(home, "gone"), "--config", filepath.Join(home, "gone.toml"))
	if _, err := os.Stat(filepath.Join(home, "gone")); code != 0 || !os.IsNotExist(err) {
		t.Errorf("exit %d, %v: %s", code, err, stderr)
	}
}

func TestLogOfAnEventOfNoKind(t *testing.T) {
	home := t.TempDir()
	spoolEvents(t, home, 0, 1, func(_ int, r *record.Record) {
		r.Event.Event, r.HostEvent, r.Tool = canon.Other, "BrandNew", nil
	})
	if _, out, _ := runIn(t, home, "log"); !strings.Contains(out, "BrandNew") {
		t.Error(out)
	}
}

// The ids that a collector shows find the events again.
func TestLogFindsATraceAndATurn(t *testing.T) {
	home := t.TempDir()
	spoolEvents(t, home, 0, 6, func(i int, r *record.Record) {
		r.SessionID = "s1"
		if i%3 == 0 {
			r.Event.Event, r.HostEvent = canon.PromptSubmit, "BeforeAgent"
		}
	})
	if code, _, errs := runIn(t, home, "worker", "--once"); code != exitOK {
		t.Fatal(errs)
	}
	turn := fmt.Sprintf("01JN%022d", 3)
	id, err := ulid.ParseStrict(turn)
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--turn", turn}, {"--trace", fmt.Sprintf("%x", id[:])}, {"--trace", fmt.Sprintf("%X", id[:])}} {
		_, out, errs := runIn(t, home, append([]string{"log", "--json"}, args...)...)
		if strings.Count(out, "\n") != 3 || !strings.Contains(out, "command 3") || !strings.Contains(out, "command 5") {
			t.Errorf("%v: %s%s", args, out, errs)
		}
	}
}
