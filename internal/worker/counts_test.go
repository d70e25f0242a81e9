package worker

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/store"
)

// TestNotKeptIsCountedOnce: over workers that come and go, and a spool that was removed in between.
func TestNotKeptIsCountedOnce(t *testing.T) {
	o := options(t)
	spoolEvents(t, o, 0, 1)
	want := int64(0)
	for _, fails := range []int{2, 0, 3} {
		for range fails {
			must(t, o.Spool.CountFailed())
			want++
		}
		must(t, Run(t.Context(), o))
		if got := counters(t, o.DataDir)[CounterNotKept]; got != want {
			t.Fatalf("counted %d, want %d", got, want)
		}
	}
	must(t, os.RemoveAll(o.Spool.Dir))
	must(t, o.Spool.CountFailed())
	must(t, Run(t.Context(), o))
	if got := counters(t, o.DataDir)[CounterNotKept]; got != want+1 {
		t.Fatalf("counted %d, want %d", got, want+1)
	}
}

// TestQuarantinedIsCountedAfterAKill: what a killed worker put aside is counted by the next one.
func TestQuarantinedIsCountedAfterAKill(t *testing.T) {
	o := options(t)
	must(t, o.Spool.Append(id(1), []byte("rubbish")))
	must(t, o.Spool.Quarantine(id(1)+".json", "by one that was killed"))
	must(t, o.Spool.Append(id(2), []byte("rubbish")))
	for range 2 {
		must(t, Run(t.Context(), o))
		if got := counters(t, o.DataDir)[CounterQuarantined]; got != 2 {
			t.Fatalf("counted %d", got)
		}
	}
}

// TestDroppedAfterItWasStored: the cap may remove a file that the worker has just stored. That event is not lost.
func TestDroppedAfterItWasStored(t *testing.T) {
	o := options(t)
	spoolEvents(t, o, 0, 2)
	s, err := store.Open(t.Context(), StorePath(o.DataDir))
	must(t, err)
	w := &worker{Options: o, store: s}
	b, _ := w.load([]string{id(0) + ".json"})
	_, err = s.Insert(t.Context(), b.rows)
	must(t, err)
	must(t, s.Close())
	capped := o.Spool
	capped.MaxBytes = 1
	dropped, err := capped.Enforce()
	must(t, err)
	must(t, Run(t.Context(), o))
	got := counters(t, o.DataDir)
	want := map[string]int64{CounterDropped: 1, CounterDroppedBytes: int64(len(event(id(1), "s")))}
	if diff := cmp.Diff(want, got); diff != "" || dropped != 2 {
		t.Fatalf("%d dropped: %s", dropped, diff)
	}
}

func TestTheLogIsNoLink(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "precious")
	must(t, os.WriteFile(target, []byte("mine"), 0o600))
	link(t, target, filepath.Join(dir, LogFile))
	f := &logFile{path: filepath.Join(dir, LogFile)}
	defer f.close()
	slog.New(slog.NewTextHandler(f, nil)).Warn(strings.Repeat("x", maxLog))
	if b, err := os.ReadFile(target); err != nil || !bytes.Equal(b, []byte("mine")) {
		t.Errorf("the target is %d bytes, %v", len(b), err)
	}
}
