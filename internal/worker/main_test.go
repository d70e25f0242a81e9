package worker

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/spool"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/wake"
)

// TestMain lets the test binary play the other processes: "worker --data DIR" is a worker as wake starts it,
// "sending-worker --data DIR" one that has a sink and ends when that has all, "hook DIR
// SESSION ID" a hook that spools one event and wakes the worker.
func TestMain(m *testing.M) {
	var err error
	switch {
	case len(os.Args) == 4 && os.Args[1] == "worker":
		err = Run(context.Background(), processOptions(os.Args[3]))
	case len(os.Args) == 4 && os.Args[1] == "sending-worker":
		o := processOptions(os.Args[3])
		o.Sinks = []Sink{&testSink{name: "a"}}
		debug.SetMemoryLimit(memoryLimit)
		_, err = Drain(context.Background(), o)
	case len(os.Args) == 5 && os.Args[1] == "hook":
		err = playHook(os.Args[2], os.Args[3], os.Args[4])
	default:
		os.Exit(m.Run())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func processOptions(dir string) Options {
	return Options{DataDir: dir, Spool: spoolOf(dir), Poll: 5 * time.Millisecond, Idle: 150 * time.Millisecond}
}

func playHook(dir, session, id string) error {
	if err := spoolOf(dir).Append(id, event(id, session)); err != nil {
		return err
	}
	return wake.Start(wake.Options{Exe: os.Args[0], DataDir: dir})
}

func spoolOf(dir string) spool.Spool { return spool.Spool{Dir: filepath.Join(dir, "spool")} }

// id makes the n-th of a row of ids that sort like n.
func id(n int) string {
	var u ulid.ULID
	_ = u.SetTime(uint64(1_700_000_000_000 + n))
	return u.String()
}

func event(id, session string) []byte { return eventOf(id, session, canon.ToolBefore, "BeforeTool") }

func promptEvent(id, session string) []byte {
	return eventOf(id, session, canon.PromptSubmit, "BeforeAgent")
}

func eventOf(id, session string, kind canon.Kind, name string) []byte {
	b, err := json.Marshal(record.Record{
		V: record.Version,
		Event: canon.Event{
			ID: id, Time: time.Unix(1_700_000_000, 0).UTC(), Agent: "gemini", Event: kind, HostEvent: name,
			SessionID: session,
		},
		Decision: record.Decision{Action: canon.Allow, Expressed: canon.Allow, Source: "default"},
	})
	if err != nil {
		panic(err) // plain data can always be encoded
	}
	return b
}

// options are for a worker in this process that does its work and exits.
func options(t testing.TB) Options {
	t.Helper()
	dir := t.TempDir()
	return Options{
		DataDir: dir, Spool: spoolOf(dir), Poll: time.Millisecond, Idle: 20 * time.Millisecond, GiveUp: time.Minute,
		Log: slog.New(slog.NewTextHandler(testLog{t}, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
}

type testLog struct{ t testing.TB }

func (l testLog) Write(b []byte) (int, error) {
	l.t.Logf("%s", b)
	return len(b), nil
}

func spoolEvents(t testing.TB, o Options, from, to int) {
	t.Helper()
	for n := from; n < to; n++ {
		must(t, o.Spool.Append(id(n), event(id(n), "s")))
	}
}

// stored returns the ids in the store, in the order of insertion.
func stored(t testing.TB, dir string) []string {
	t.Helper()
	s, err := store.OpenReadOnly(t.Context(), StorePath(dir))
	must(t, err)
	defer s.Close()
	must(t, s.Integrity(t.Context()))
	var ids []string
	must(t, s.Each(t.Context(), store.Filter{}, func(_ int64, b []byte) error {
		r, err := record.Parse(b)
		ids = append(ids, r.ID)
		return err
	}))
	return ids
}

func counters(t testing.TB, dir string) map[string]int64 {
	t.Helper()
	s, err := store.OpenReadOnly(t.Context(), StorePath(dir))
	must(t, err)
	defer s.Close()
	c, err := s.Counters(t.Context())
	must(t, err)
	return c
}

func ids(from, to int) []string {
	out := []string{}
	for n := from; n < to; n++ {
		out = append(out, id(n))
	}
	return out
}

func wantPending(t testing.TB, s spool.Spool, want int) {
	t.Helper()
	names, err := s.Pending()
	must(t, err)
	if len(names) != want {
		t.Fatalf("%d events wait, want %d", len(names), want)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
