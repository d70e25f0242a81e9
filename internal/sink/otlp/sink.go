package otlp

import (
	"context"
	"errors"
	"log/slog"
	"time"

	wire "github.com/boathook/boathook/internal/otlp"
	"github.com/boathook/boathook/internal/sink/owed"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/worker"
)

// Name is the name of the sink's cursor.
const Name = "otlp"

// The counters that the sink adds to in the store.
const (
	countRejected  = "spans_rejected"  // by a partial success
	countRefused   = "spans_refused"   // each alone, also without their attributes
	countReduced   = "spans_reduced"   // refused as they were, and taken without their attributes
	countUnmapped  = "spans_unmapped"  // an event of which no span could be made
	countCallsLost = "calls_unmatched" // the Before of a proven call is no longer stored
)

// Sender sends one request and says what became of it.
type Sender interface {
	SendTraces(context.Context, wire.Traces) wire.Result
}

// Config says what is sent, and through whom.
type Config struct {
	Client Sender
	// EventSpans and GenAISpans switch the families on; Content says that masked contents are sent, too.
	EventSpans, GenAISpans, Content bool
	// Resource are extra attributes of the resource.
	Resource map[string]string
	Log      *slog.Logger
	// Now is for the cursor's times alone.
	Now func() time.Time
}

// Sink sends spans. It isn't used concurrently.
type Sink struct {
	Config
	recent    recent
	resources map[source]wire.Resource
	// limit bounds one request, in bytes before its compression. A destination that finds requests too large lowers it.
	limit int
	// owed writes the cursor, and remembers what could not be written.
	owed owed.Cursor
	// warned is the last thing logged that a destination said with a success.
	warned string
}

// requestBytes is below what collectors take by default.
const (
	requestBytes = 4 << 20
	leastBytes   = 64 << 10
)

// New makes a sink.
func New(c Config) *Sink {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Sink{Config: c, resources: map[source]wire.Resource{}, limit: requestBytes}
}

// Name implements worker.Sink.
func (s *Sink) Name() string { return Name }

func (s *Sink) mapper() mapper { return mapper{content: s.Content, genai: s.GenAISpans} }

// Pass implements worker.Sink.
func (s *Sink) Pass(ctx context.Context, st *store.Store) (worker.Passed, error) {
	var all worker.Passed
	for {
		err := s.pass(ctx, st, &all)
		switch {
		case err != nil && ctx.Err() != nil: // SQLite has a word of its own for what ctx broke off
			all.Behind = true
			return all, nil
		case errors.Is(err, store.ErrCursorMoved):
			continue // somebody sends again from another point, or began anew
		}
		return all, err
	}
}

func (s *Sink) pass(ctx context.Context, st *store.Store, all *worker.Passed) error {
	if err := s.owed.Settle(ctx, st); err != nil {
		return err
	}
	c, ok, err := st.Cursor(ctx, Name)
	if err != nil || !ok {
		return err
	}
	all.Behind, all.Next = false, time.Time{}
	behind, err := st.Behind(ctx, c)
	if err != nil {
		return err
	}
	if !behind {
		return s.forgive(ctx, st, c)
	}
	if now := s.Now(); c.Next.After(now) && c.Next.Sub(now) <= maxWait {
		all.Behind, all.Next = true, c.Next
		return nil
	}
	if !s.EventSpans && !s.GenAISpans {
		return s.toHead(ctx, st, c)
	}
	d := &delivery{sink: s, store: st, cursor: c, taken: c.Moved, passed: all}
	return d.run(ctx)
}

// toHead moves the cursor over everything: nothing is wanted.
func (s *Sink) toHead(ctx context.Context, st *store.Store, before store.Cursor) error {
	event, turn, err := st.Head(ctx)
	if err != nil || event == before.Event && turn == before.Turn {
		return err
	}
	c := store.Cursor{Name: Name, Event: event, Turn: turn, Moved: before.Moved}
	return s.owed.Write(ctx, st, before, c, nil)
}

// forgive forgets failures where what could not be sent is gone.
func (s *Sink) forgive(ctx context.Context, st *store.Store, before store.Cursor) error {
	if before.Tries == 0 && before.Error == "" && before.Next.IsZero() {
		return nil
	}
	c := before
	c.Tries, c.Next, c.Error = 0, time.Time{}, ""
	return s.owed.Write(ctx, st, before, c, nil)
}

// heed logs what a success came with, once until it is something else.
func (s *Sink) heed(r wire.Result) {
	remark := r.Message
	if remark == "" && r.Rejected > 0 {
		remark = "some were rejected, without a reason"
	}
	if remark != "" && remark != s.warned {
		s.Log.Warn("spans were taken with a remark", "rejected", r.Rejected, "remark", remark)
	}
	s.warned = remark
}
