package worker

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/wake"
)

func TestRunDrainsAndExits(t *testing.T) {
	o := options(t)
	spoolEvents(t, o, 0, 2*batchRows+50) // more than two batches
	must(t, os.WriteFile(filepath.Join(o.DataDir, wake.StampFile), nil, 0o600))
	must(t, Run(t.Context(), o))
	if diff := cmp.Diff(ids(0, 2*batchRows+50), stored(t, o.DataDir)); diff != "" {
		t.Fatal(diff)
	}
	wantPending(t, o.Spool, 0)
	if lock.Held(o.lockPath()) {
		t.Fatal("lock is still held")
	}
	if _, err := os.Stat(filepath.Join(o.DataDir, wake.StampFile)); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("the next start would be delayed: %v", err)
	}
}

func TestRunOnAnEmptySpoolMakesNoStore(t *testing.T) {
	o := options(t)
	must(t, Run(t.Context(), o))
	if _, err := os.Stat(StorePath(o.DataDir)); !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
}

func TestOneWorker(t *testing.T) {
	o := options(t)
	spoolEvents(t, o, 0, 1)
	l, err := lock.TryLock(o.lockPath())
	must(t, err)
	must(t, Run(t.Context(), o))
	if _, err := Drain(t.Context(), o); !errors.Is(err, lock.ErrHeld) {
		t.Fatalf("drain beside a worker: %v", err)
	}
	wantPending(t, o.Spool, 1)
	must(t, l.Unlock())
	s, err := Drain(t.Context(), o)
	must(t, err)
	if s != (Stats{Stored: 1}) {
		t.Fatalf("drained %+v", s)
	}
}

// The crash between commit and unlink: the event is in the store and in the spool.
func TestStoredTwiceIsStoredOnce(t *testing.T) {
	o := options(t)
	spoolEvents(t, o, 0, 3)
	_, err := Drain(t.Context(), o)
	must(t, err)
	spoolEvents(t, o, 1, 5)
	s, err := Drain(t.Context(), o)
	must(t, err)
	if s != (Stats{Stored: 2, Known: 2}) {
		t.Fatalf("drained %+v", s)
	}
	if diff := cmp.Diff(ids(0, 5), stored(t, o.DataDir)); diff != "" {
		t.Fatal(diff)
	}
}

// Ids that fall, as from a clock that was set back, are stored in the order in which they come.
func TestClockBackwards(t *testing.T) {
	o := options(t)
	back := time.Now()
	o.Now = func() time.Time { back = back.Add(-time.Hour); return back }
	for n := 5; n > 0; n-- {
		spoolEvents(t, o, n, n+1)
		must(t, Run(t.Context(), o))
	}
	if diff := cmp.Diff([]string{id(5), id(4), id(3), id(2), id(1)}, stored(t, o.DataDir)); diff != "" {
		t.Fatal(diff)
	}
}

func TestPoisonIsPutAside(t *testing.T) {
	o := options(t)
	spoolEvents(t, o, 0, 2)
	poison := map[string]string{
		"not JSON":        "{",
		"unknown version": `{"v":2,"id":"` + id(11) + `"}`,
		"no id":           `{"v":1}`,
		"other id":        string(event(id(0), "s")),
		"empty":           "",
		"wrong type":      `{"v":1,"id":"` + id(14) + `","tool":7}`,
	}
	n := 10
	for _, b := range poison {
		must(t, o.Spool.Append(id(n), []byte(b)))
		n++
	}
	spoolEvents(t, o, 20, 22)
	must(t, os.Mkdir(filepath.Join(o.Spool.Dir, "new", id(30)+".json"), 0o700))
	must(t, Run(t.Context(), o))
	if diff := cmp.Diff(append(ids(0, 2), ids(20, 22)...), stored(t, o.DataDir)); diff != "" {
		t.Fatal(diff)
	}
	wantPending(t, o.Spool, 0)
	bad, err := o.Spool.Quarantined()
	must(t, err)
	if len(bad) != len(poison)+1 {
		t.Fatalf("quarantined %v", bad)
	}
	for _, b := range bad {
		if b.Reason == "" {
			t.Errorf("%s has no reason", b.Name)
		}
	}
	if got := counters(t, o.DataDir)[CounterQuarantined]; got != int64(len(bad)) {
		t.Fatalf("counted %d", got)
	}
}

func TestLargeRecords(t *testing.T) {
	o := options(t)
	big := bytes.Replace(event(id(1), "s"), []byte(`"v":1`), []byte(`"v":1,"pad":"`+strings.Repeat("x", 20<<20)+`"`), 1)
	must(t, o.Spool.Append(id(1), big))
	spoolEvents(t, o, 2, 4)
	must(t, Run(t.Context(), o))
	if diff := cmp.Diff(ids(1, 4), stored(t, o.DataDir)); diff != "" {
		t.Fatal(diff)
	}
}

func TestDroppedIsCounted(t *testing.T) {
	o := options(t)
	spoolEvents(t, o, 0, 10)
	o.Spool.MaxBytes = 1
	n, err := o.Spool.Enforce()
	must(t, err)
	o.Spool.MaxBytes = 0
	spoolEvents(t, o, 10, 12)
	s, err := Drain(t.Context(), o)
	must(t, err)
	if n != 10 || s != (Stats{Stored: 2, Dropped: 10}) {
		t.Fatalf("dropped %d, drained %+v", n, s)
	}
	must(t, Run(t.Context(), o))
	if got := counters(t, o.DataDir); got[CounterDropped] != 10 || got[CounterDroppedBytes] == 0 {
		t.Fatalf("counted %v", got)
	}
}

func TestCancelFinishesTheBatch(t *testing.T) {
	o := options(t)
	o.Idle = time.Hour
	const events = 3 * batchRows
	spoolEvents(t, o, 0, events)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- Run(ctx, o) }()
	waitFor(t, func() bool { names, _ := o.Spool.Pending(); return len(names) < events })
	cancel()
	must(t, <-done)
	names, err := o.Spool.Pending()
	must(t, err)
	if got := stored(t, o.DataDir); len(got)+len(names) != events || len(got)%batchRows != 0 {
		t.Fatalf("%d stored, %d wait", len(got), len(names))
	}
}

func TestCancelledDrainLeavesTheRest(t *testing.T) {
	o := options(t)
	spoolEvents(t, o, 0, 3)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if s, err := Drain(ctx, o); err != nil || s != (Stats{}) {
		t.Fatalf("drained %+v, %v", s, err)
	}
	wantPending(t, o.Spool, 3)
}

// The cap is for a spool that can't be emptied: a worker that can drain drops nothing.
func TestCapWaitsForTheWorker(t *testing.T) {
	o := options(t)
	o.Spool.MaxBytes = 1
	spoolEvents(t, o, 0, 250)
	must(t, Run(t.Context(), o))
	if diff := cmp.Diff(ids(0, 250), stored(t, o.DataDir)); diff != "" {
		t.Fatal(diff)
	}
	spoolEvents(t, o, 250, 260)
	version := setVersion(t, StorePath(o.DataDir), 99)
	if err := Run(t.Context(), o); err == nil {
		t.Fatal("stored in a newer store")
	}
	wantPending(t, o.Spool, 0)
	setVersion(t, StorePath(o.DataDir), version)
	must(t, Run(t.Context(), o))
	if got := counters(t, o.DataDir)[CounterDropped]; got != 10 {
		t.Fatalf("counted %d", got)
	}
}

// Workers that exit the moment they are idle, against hooks that start one only when the lock is free: an event that is
// spooled while a worker is on its way out must not stay behind.
func TestIdleRace(t *testing.T) {
	o := options(t)
	o.Idle, o.Poll = time.Nanosecond, time.Nanosecond
	var workers sync.WaitGroup
	const events = 300
	for n := range events {
		spoolEvents(t, o, n, n+1)
		if !lock.Held(o.lockPath()) {
			workers.Go(func() {
				if err := Run(t.Context(), o); err != nil {
					t.Error(err)
				}
			})
		}
		if n%3 == 0 {
			time.Sleep(time.Duration(n%7) * 100 * time.Microsecond)
		}
	}
	workers.Wait()
	wantPending(t, o.Spool, 0)
	if got := stored(t, o.DataDir); len(got) != events {
		t.Fatalf("%d stored", len(got))
	}
}

func waitFor(t testing.TB, cond func() bool) {
	t.Helper()
	for !cond() {
		if t.Context().Err() != nil {
			t.Fatal("test ended")
		}
		time.Sleep(time.Millisecond)
	}
}
