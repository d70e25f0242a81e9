package metrics

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/otlp"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/spool"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/worker"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var begin = time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)

// id makes the n-th of a row of ids that sort like n.
func id(n int) string {
	var u ulid.ULID
	_ = u.SetTime(uint64(begin.UnixMilli() + int64(n)))
	u[14], u[15] = byte(n>>8), byte(n)
	return u.String()
}

// made is the n-th record: a call that nobody was asked about.
func made(n int, change ...func(*record.Record)) record.Record {
	r := record.Record{
		V: record.Version,
		Event: canon.Event{
			ID: id(n), Time: begin.Add(time.Duration(n) * time.Millisecond), Agent: "gemini", Event: canon.ToolBefore, HostEvent: "BeforeTool",
			SessionID: "s", SpanID: "0102030405060708",
		},
		Decision: record.Decision{Action: canon.Allow, Expressed: canon.Allow, Source: "default"},
		Hook:     record.Hook{Version: "v1", LatencyMS: 2, PayloadBytes: 300},
	}
	for _, f := range change {
		f(&r)
	}
	return r
}

// lab is a store with a sink, a clock, and an endpoint that answers as answer says and keeps what it got.
type lab struct {
	t      testing.TB
	store  *store.Store
	path   string
	sink   *Sink
	now    time.Time
	answer otlp.Result
	got    []otlp.Metrics
	log    strings.Builder
	n      int
	files  int
}

func newLab(t testing.TB) *lab {
	l := &lab{t: t, now: begin, answer: otlp.Result{Outcome: otlp.Accepted, Status: 200}}
	var err error
	l.path = filepath.Join(t.TempDir(), store.FileName)
	l.store, err = store.Open(t.Context(), l.path)
	must(t, err)
	t.Cleanup(func() { must(t, l.store.Close()) })
	must(t, l.store.SetCursor(t.Context(), nil, store.Cursor{Name: Name}))
	l.restart()
	return l
}

// restart is another worker.
func (l *lab) restart() {
	l.sink = New(Config{
		Client: l, Version: "v1", Resource: map[string]string{"team": "blue"}, Log: slog.New(slog.NewTextHandler(&l.log, nil)),
		Now:   func() time.Time { return l.now },
		Usage: func() (int, int64, time.Time, error) { return l.files, int64(100 * l.files), begin, nil },
	})
}

func (l *lab) SendMetrics(_ context.Context, m otlp.Metrics) otlp.Result {
	if l.answer.Outcome == otlp.Accepted {
		l.got = append(l.got, m)
	}
	return l.answer
}

// sender answers all alike.
type sender func() otlp.Result

func (f sender) SendMetrics(context.Context, otlp.Metrics) otlp.Result { return f() }

// exec changes the store's file as another process could.
func (l *lab) exec(query string) {
	l.t.Helper()
	db, err := sql.Open("sqlite3", "file:"+l.path)
	must(l.t, err)
	_, err = db.ExecContext(l.t.Context(), query)
	must(l.t, errors.Join(err, db.Close()))
}

func (l *lab) insert(records ...record.Record) {
	l.t.Helper()
	rows := make([]store.Row, 0, len(records))
	for _, r := range records {
		text, err := json.Marshal(r)
		must(l.t, err)
		rows = append(rows, store.Row{Record: r, JSON: text})
	}
	n, err := l.store.Insert(l.t.Context(), rows)
	must(l.t, err)
	if n != len(rows) {
		l.t.Fatalf("inserted %d of %d", n, len(rows))
	}
}

// events inserts so many.
func (l *lab) events(n int) {
	l.t.Helper()
	records := make([]record.Record, 0, n)
	for range n {
		records = append(records, made(l.n))
		l.n++
	}
	l.insert(records...)
}

func (l *lab) pass() worker.Passed {
	l.t.Helper()
	passed, err := l.sink.Pass(l.t.Context(), l.store)
	must(l.t, err)
	return passed
}

func (l *lab) cursor() store.Cursor {
	l.t.Helper()
	c, ok, err := l.store.Cursor(l.t.Context(), Name)
	must(l.t, err)
	if !ok {
		l.t.Fatal("no cursor")
	}
	return c
}

func (l *lab) counts() *state {
	l.t.Helper()
	s := readState(l.cursor().State)
	if s == nil {
		l.t.Fatal("no state")
	}
	return s
}

// last is the last request, by the names of the metrics.
func (l *lab) last() map[string]otlp.Metric {
	l.t.Helper()
	if len(l.got) == 0 {
		l.t.Fatal("nothing was sent")
	}
	out := map[string]otlp.Metric{}
	for _, m := range l.got[len(l.got)-1][0].Metrics {
		out[m.Name] = m
	}
	return out
}

// decided is how many decisions the last request counts.
func (l *lab) decided() (n int64) {
	l.t.Helper()
	for _, p := range l.last()[decisions].Sum {
		n += p.Value.(int64)
	}
	return n
}

var errGone = errors.New("gone")

// flushProbe holds something back until the worker is about to leave, and keeps the context of that pass.
type flushProbe struct{ got context.Context }

func (f *flushProbe) Name() string { return Name }

func (f *flushProbe) Pass(ctx context.Context, _ *store.Store) (worker.Passed, error) {
	if worker.Flushing(ctx) {
		f.got = context.WithoutCancel(ctx)
		return worker.Passed{}, nil
	}
	return worker.Passed{Behind: true, Next: time.Now().Add(time.Hour)}, nil
}

// flushingContext is a context as only a worker makes it, for the last pass.
func flushingContext(t testing.TB) context.Context {
	t.Helper()
	dir := t.TempDir()
	s, err := store.Open(t.Context(), worker.StorePath(dir))
	must(t, err)
	must(t, s.Close())
	probe := &flushProbe{}
	o := worker.Options{DataDir: dir, Spool: spool.Spool{Dir: filepath.Join(dir, "spool")}, Idle: time.Millisecond, Poll: time.Millisecond, Sinks: []worker.Sink{probe}}
	must(t, worker.Run(t.Context(), o))
	if probe.got == nil {
		t.Fatal("the worker left without a last pass")
	}
	return probe.got
}
