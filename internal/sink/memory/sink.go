package memory

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	rows "github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/intake"
	"github.com/boathook/boathook/internal/redact"
	"github.com/boathook/boathook/internal/sink/owed"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/worker"
)

// Name is the name of the sink's cursor.
const Name = "memory"

// The counters that the sink adds to in the store: rows that were taken, rows that were refused for good, rows of tries that failed,
// and records of agents that were read.
const (
	CountTaken       = "memory_rows"
	CountRefused     = "memory_refused"
	CountFailed      = "memory_failed"
	CountTranscripts = "memory_transcripts"
)

// begun is under which name the store notes that memory has begun.
const begun = "memory_begun"

// Config says what is remembered, and where.
type Config struct {
	// Open opens the store of memory. It is asked again after a while when it fails.
	Open   func(context.Context) (rows.Store, error)
	Intake *intake.Intake
	// Summarize writes a session's summary; nil extracts one.
	Summarize Summarizer
	// Forgotten filters out what a person had memory forget; nil filters nothing.
	Forgotten Filter
	// Home is where agents' records are looked for; empty reads none.
	Home string
	// DataDir is where refused rows are put, and where what recall keeps is removed when it is old.
	DataDir string
	// Mask masks what is put aside, whatever the intake does; nil has the built-in patterns.
	Mask *redact.Redactor
	// Retention is how long rows are kept.
	Retention rows.Retention
	// Changed is when the settings were last written: what failed before that is tried at once.
	Changed time.Time
	// Idle is after what silence a session is finished that has not ended; zero is ten minutes.
	Idle time.Duration
	Log  *slog.Logger
	Now  func() time.Time
}

// Filter takes rows out of a batch that are not to be stored again.
type Filter interface {
	Filter(rows.Batch) (left rows.Batch, dropped int, err error)
}

// usualIdle is that of a session which nobody calls open any more.
const usualIdle = 10 * time.Minute

// Sink remembers. Its passes aren't made concurrently; Close may be called at any time.
type Sink struct {
	Config
	mu    sync.Mutex
	store rows.Store
	// proven says that the store has taken something since it was opened.
	proven bool
	// owed writes the cursor, and remembers what could not be written.
	owed owed.Cursor
}

// New makes a sink.
func New(c Config) *Sink {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Idle <= 0 {
		c.Idle = usualIdle
	}
	return &Sink{Config: c}
}

// Name implements worker.Sink.
func (s *Sink) Name() string { return Name }

// Due implements worker.Eager.
func (s *Sink) Due(c store.Cursor) bool { return readState(c.State).failed().Before(s.Changed) }

// Pass implements worker.Sink.
func (s *Sink) Pass(ctx context.Context, st *store.Store) (worker.Passed, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all worker.Passed
	for {
		err := s.pass(ctx, st, &all)
		switch {
		case err != nil && ctx.Err() != nil: // SQLite has a word of its own for what ctx broke off
			all.Behind = true
			return all, nil
		case errors.Is(err, store.ErrCursorMoved):
			continue // somebody began anew
		}
		return all, err
	}
}

func (s *Sink) pass(ctx context.Context, st *store.Store, all *worker.Passed) error {
	if err := s.owed.Settle(ctx, st); err != nil {
		return err
	}
	c, ok, err := s.begin(ctx, st)
	if err != nil || !ok {
		return err
	}
	all.Behind, all.Next = false, time.Time{}
	t := &taking{sink: s, events: st, cursor: c, state: readState(c.State), passed: all}
	if now := s.Now(); c.Next.After(now) && c.Next.Sub(now) <= maxWait && !s.Due(c) {
		all.Behind, all.Next = true, c.Next
		return nil
	}
	return t.run(ctx)
}

// begin reads the cursor. The first time that there is memory it is put before the oldest event.
func (s *Sink) begin(ctx context.Context, st *store.Store) (c store.Cursor, ok bool, err error) {
	c, ok, err = st.Cursor(ctx, Name)
	if err != nil || !ok || len(c.State) > 0 {
		return c, ok, err
	}
	at, err := st.DoneAt(ctx, begun)
	if err != nil || !at.IsZero() {
		return c, ok, err
	}
	if c.Event > 0 {
		first := c
		first.Event = 0
		first.State = (&state{}).encode()
		if err := st.SetCursor(ctx, &c, first); err != nil {
			return c, false, err
		}
		c = first
	}
	return c, ok, st.Done(ctx, begun, s.Now())
}

// open gives the store of memory, which stays open until the worker's context ends.
func (s *Sink) open(ctx context.Context) (rows.Store, error) {
	if s.store != nil {
		return s.store, nil
	}
	opened, err := s.Open(ctx)
	if err != nil {
		return nil, err
	}
	s.store, s.proven = opened, false
	context.AfterFunc(ctx, s.Close)
	return opened, nil
}

// Close closes the store of memory; a pass opens it again.
func (s *Sink) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop()
}

func (s *Sink) drop() {
	if s.store == nil {
		return
	}
	if err := s.store.Close(); err != nil {
		s.Log.Warn("memory can't be closed", "error", err)
	}
	s.store = nil
}
