package worker

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/store"
)

// TestRetentionRuns: a worker that has nothing else to do removes what is too old, once an hour by its clock.
func TestRetentionRuns(t *testing.T) {
	o := options(t)
	now := time.Unix(1_700_000_000, 0).Add(48 * time.Hour)
	o.Now = func() time.Time { return now }
	o.Retention = Retention{Body: 24 * time.Hour, Metadata: 72 * time.Hour}
	spoolEvents(t, o, 0, 3)
	must(t, o.Spool.Append(id(9), []byte("poison")))
	runUntil(t, o, func() bool { return expiredIn(t, o.DataDir) == 3 })
	if got := expiredIn(t, o.DataDir); got != 3 {
		t.Fatalf("%d of 3 have no contents", got)
	}
	now = now.Add(48 * time.Hour)
	must(t, os.Chtimes(filepath.Join(o.Spool.Dir, "bad", id(9)+".json"), now.Add(-96*time.Hour), now.Add(-96*time.Hour)))
	runUntil(t, o, func() bool { return counters(t, o.DataDir)[CounterBadRemoved] == 1 })
	if got := stored(t, o.DataDir); len(got) != 0 {
		t.Fatalf("%v are left", got)
	}
	bad, err := o.Spool.Quarantined()
	must(t, err)
	if got := counters(t, o.DataDir)[CounterBadRemoved]; got != 1 || len(bad) != 0 {
		t.Fatalf("counted %d, left %v", got, bad)
	}
	spoolEvents(t, o, 3, 4)
	must(t, Run(t.Context(), o)) // within the hour
	if diff := cmp.Diff(ids(3, 4), stored(t, o.DataDir)); diff != "" {
		t.Fatal(diff)
	}
}

// runUntil runs workers until that is so, or far too many: one does a part in each look, and ends when it is idle.
func runUntil(t *testing.T, o Options, ok func() bool) {
	t.Helper()
	for n := 0; n == 0 || n < 50 && !ok(); n++ {
		must(t, Run(t.Context(), o))
	}
}

func expiredIn(t *testing.T, dir string) (n int) {
	t.Helper()
	s, err := store.OpenReadOnly(t.Context(), StorePath(dir))
	must(t, err)
	defer s.Close()
	events, err := s.After(t.Context(), 0, 1000, 1<<20)
	must(t, err)
	for _, p := range events {
		if p.Record.Hook.Privacy == store.PrivacyExpired {
			n++
		}
	}
	return n
}

func TestPurgeTakesTheSpoolToo(t *testing.T) {
	o := options(t)
	must(t, o.Spool.Append(id(1), event(id(1), "a")))
	must(t, o.Spool.Append(id(2), event(id(2), "b")))
	done, err := Purge(t.Context(), o, store.PurgeFilter{Session: "a"})
	must(t, err)
	if diff := cmp.Diff(store.Purged{Spooled: 1}, done); diff != "" {
		t.Fatal(diff)
	}
	must(t, Run(t.Context(), o))
	must(t, o.Spool.Append(id(3), event(id(3), "b")))
	done, err = Purge(t.Context(), o, store.PurgeFilter{Session: "b"})
	must(t, err)
	if diff := cmp.Diff(store.Purged{Events: 1, Sessions: 1, Spooled: 1}, done); diff != "" {
		t.Fatal(diff)
	}
	if got := stored(t, o.DataDir); len(got) != 0 {
		t.Fatal(got)
	}
}

// TestPurgeBesideAWorker: what is spooled is stored first, and then removed.
func TestPurgeBesideAWorker(t *testing.T) {
	o := options(t)
	spoolEvents(t, o, 0, 5)
	l, err := lock.TryLock(o.lockPath())
	must(t, err)
	done := make(chan error)
	go func() {
		purged, err := Purge(t.Context(), o, store.PurgeFilter{})
		if err == nil && purged.Events+purged.Spooled != 5 {
			t.Errorf("%+v", purged)
		}
		done <- err
	}()
	must(t, l.Unlock())
	must(t, Run(t.Context(), o))
	must(t, <-done)
}

// TestPurgeUnderASteadyLoad: a worker runs and hooks go on to write. What waited at the start is waited for, no more.
func TestPurgeUnderASteadyLoad(t *testing.T) {
	o := options(t)
	add := func(n int) string {
		if err := o.Spool.Append(id(n), []byte("{}")); err != nil {
			t.Error(err)
		}
		return id(n) + ".json"
	}
	l, err := lock.TryLock(o.lockPath()) // the worker, which takes one event for each that comes
	must(t, err)
	defer func() { _ = l.Unlock() }()
	waits := add(1)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for n := 2; ; n++ {
			next := add(n)
			_ = o.Spool.Done(waits)
			waits = next
			select {
			case <-stop:
				return
			default:
			}
		}
	}()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	_, err = Purge(ctx, o, store.PurgeFilter{})
	close(stop)
	<-stopped
	if err != nil {
		t.Error(err)
	}
}
