package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/store"
)

// holding is a worker that holds the lock, and has its store open.
func holding(t *testing.T, o Options) *worker {
	t.Helper()
	w := &worker{Options: o.withDefaults()}
	var err error
	w.lock, err = lock.TryLock(o.lockPath())
	must(t, err)
	t.Cleanup(func() {
		must(t, w.closeStore())
		must(t, w.lock.Unlock())
	})
	must(t, w.openStore(t.Context()))
	return w
}

// TestLogOfTheStoreIsRemoved: what was stored is in the file before the next event comes, so that a kill costs nothing.
func TestLogOfTheStoreIsRemoved(t *testing.T) {
	for name, files := range map[string][]string{"the log": {"-wal"}, "and its index": {"-wal", "-shm"}} {
		t.Run(name, func(t *testing.T) {
			o := options(t)
			w := holding(t, o)
			spoolEvents(t, o, 0, 3)
			_, err := w.pass(t.Context())
			must(t, err)
			for _, suffix := range files {
				must(t, os.Remove(StorePath(o.DataDir)+suffix))
			}
			w.lookAfter(t.Context())
			if w.store == nil || !w.store.Current() {
				t.Fatal("not opened again")
			}
			// As after a kill: the file alone.
			b, err := os.ReadFile(StorePath(o.DataDir))
			must(t, err)
			copied := options(t)
			must(t, os.WriteFile(StorePath(copied.DataDir), b, 0o600))
			if diff := cmp.Diff(ids(0, 3), stored(t, copied.DataDir)); diff != "" {
				t.Error(diff)
			}
			spoolEvents(t, o, 3, 4)
			_, err = w.pass(t.Context())
			must(t, err)
			if diff := cmp.Diff(ids(0, 4), stored(t, o.DataDir)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestCapIsKept: by a worker that stores more than the store may take, and by the one that finds it so.
func TestCapIsKept(t *testing.T) {
	o := options(t)
	o.Sinks, o.NoSend = []Sink{&testSink{name: "a"}}, true
	const events = 300
	for n := range events {
		must(t, o.Spool.Append(id(n), padded(t, n, 20_000)))
	}
	must(t, Run(t.Context(), o))
	o.StoreMax = 2 << 20
	small := func() bool { fi, err := os.Stat(StorePath(o.DataDir)); return err == nil && fi.Size() <= o.StoreMax }
	runUntil(t, o, small)
	got := stored(t, o.DataDir)
	if len(got) == 0 || len(got) > 105 || got[len(got)-1] != id(events-1) {
		t.Errorf("%d are left", len(got))
	}
	c := counters(t, o.DataDir)
	if want := int64(events - len(got)); c[store.CounterUnsent] != want || c[store.CounterCapped] != want {
		t.Errorf("%v", c)
	}
	if !small() {
		t.Error("the store is still larger than its cap")
	}
}

func padded(t *testing.T, n, size int) []byte {
	t.Helper()
	r, err := record.Parse(event(id(n), "s"))
	must(t, err)
	r.Prompt = strings.Repeat("x", size)
	b, err := json.Marshal(r)
	must(t, err)
	return b
}

// TestLargeEvents: they are stored whole, and nothing is read ahead of one that isn't stored yet.
func TestLargeEvents(t *testing.T) {
	o := options(t)
	sink := &testSink{name: "a"}
	o.Sinks = []Sink{sink}
	for n := range 4 {
		must(t, o.Spool.Append(id(n), padded(t, n, 6<<20)))
	}
	w := holding(t, o)
	names, err := o.Spool.Pending()
	must(t, err)
	batches := w.loadAll(t.Context(), names)
	for range names {
		b := <-batches
		if len(b.rows) != 1 || len(b.rows[0].Record.Prompt) != 0 {
			t.Fatalf("%d rows at once", len(b.rows))
		}
		select {
		case <-batches:
			t.Fatal("read ahead")
		default:
		}
		close(b.stored)
	}
	_, err = w.pass(t.Context())
	must(t, err)
	if !w.store.Current() {
		t.Error("another store")
	}
	events, err := w.store.After(t.Context(), 0, 10, 1<<30)
	must(t, err)
	for n, p := range events {
		if p.Record.ID != id(n) || len(p.Record.Prompt) != 6<<20 {
			t.Errorf("event %d: %d bytes", n, len(p.Record.Prompt))
		}
	}
	if len(events) != 4 || !w.store.Shed() || w.store.Shed() {
		t.Errorf("%d events", len(events))
	}
	wantPending(t, o.Spool, 0)
}

// TestLogQuotesNothing: what a file that is no event says may be anything.
func TestLogQuotesNothing(t *testing.T) {
	o := options(t)
	var log bytes.Buffer
	o.Log = slog.New(slog.NewTextHandler(&log, nil))
	const canary = "CANARY"
	for n, text := range []string{
		`{"v":1,"id":"` + id(0) + `","time":"` + canary + `"}`,
		`{"v":1,"id":"` + canary + `"}`,
		`{"v":1,"id":"` + canary + strings.Repeat("X", 20) + `"}`,
		`{"v":"` + canary + `"}`,
		`{"v":` + canary + `}`,
		`{"v":1,"hook":{"latency_ms":1e99999}}`,
		`{"v":1,"event":["` + canary + `"]}`,
		canary,
	} {
		must(t, o.Spool.Append(id(n), []byte(text)))
	}
	must(t, Run(t.Context(), o))
	bad, err := o.Spool.Quarantined()
	must(t, err)
	for _, b := range bad {
		log.WriteString(b.Reason)
	}
	if text := log.String(); len(bad) != 8 || strings.Contains(text, canary) || strings.Contains(text, "1e99999") {
		t.Errorf("%d files: %s", len(bad), text)
	}
}

// TestStoppedWorkerComplainsOfNothing: that it was stopped is no failure.
func TestStoppedWorkerComplainsOfNothing(t *testing.T) {
	o := options(t)
	var log bytes.Buffer
	o.Log, o.Abandon = slog.New(slog.NewTextHandler(&log, nil)), time.Hour
	w := holding(t, o)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w.sweep(ctx, true)
	if log.Len() > 0 {
		t.Error(log.String())
	}
}
