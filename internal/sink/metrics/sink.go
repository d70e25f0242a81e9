package metrics

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/boathook/boathook/internal/otlp"
	"github.com/boathook/boathook/internal/sink/owed"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/worker"
)

// Name is the name of the sink's cursor.
const Name = "metrics"

const (
	// eventsAtOnce and bytesAtOnce bound what is read, and counted in one write.
	eventsAtOnce = 1000
	bytesAtOnce  = 8 << 20
	// retries is how many failures the worker waits out before it leaves with counts that weren't taken: the next one sends
	// them all the same.
	retries = 3
)

// Sender sends one request and says what became of it.
type Sender interface {
	SendMetrics(context.Context, otlp.Metrics) otlp.Result
}

// Config says what is sent, how often and through whom.
type Config struct {
	Client Sender
	// Usage looks at the spool: how many events wait, their bytes, and when the oldest was written.
	Usage func() (files int, bytes int64, oldest time.Time, err error)
	// Interval is the least time between two requests but the last one of a worker; zero is a minute.
	Interval time.Duration
	// Version is the product's; Resource are extra attributes of the resource.
	Version  string
	Resource map[string]string
	Log      *slog.Logger
	Now      func() time.Time
}

// Sink counts and sends. It isn't used concurrently.
type Sink struct {
	Config
	// warned is the last thing logged that an endpoint said with a success.
	warned string
	// owed writes the cursor, and remembers what could not be written.
	owed owed.Cursor
}

// New makes a sink.
func New(c Config) *Sink {
	if c.Interval <= 0 {
		c.Interval = time.Minute
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Sink{Config: c}
}

// Name implements worker.Sink.
func (s *Sink) Name() string { return Name }

// Pass implements worker.Sink. It counts all there is. Then it sends, when the last request is long enough ago, or when
// the worker is about to leave.
func (s *Sink) Pass(ctx context.Context, st *store.Store) (passed worker.Passed, err error) {
	began := s.Now()
	for {
		c, counts, more, err := s.fold(ctx, st, &passed)
		if long := s.Now().Sub(began) >= s.Interval; err == nil && c != nil && (!more || long) {
			began = s.Now()
			err = s.export(ctx, st, *c, counts, &passed)
		}
		switch {
		case errors.Is(err, store.ErrCursorMoved) && ctx.Err() == nil:
			continue // somebody began anew
		case err != nil && ctx.Err() != nil: // SQLite has a word of its own for what ctx broke off
			passed.Behind = true
			return passed, nil
		case err != nil || !more:
			return passed, err
		}
	}
}

// fold counts what is behind the cursor, a bounded number of events at once. The cursor is nil where there is none.
func (s *Sink) fold(ctx context.Context, st *store.Store, passed *worker.Passed) (c *store.Cursor, counts *state, more bool, err error) {
	if err := s.owed.Settle(ctx, st); err != nil {
		return nil, nil, false, err
	}
	before, ok, err := st.Cursor(ctx, Name)
	if err != nil || !ok {
		return nil, nil, false, err
	}
	counts, err = s.state(ctx, st, before)
	if err != nil {
		return nil, nil, false, err
	}
	events, err := st.After(ctx, before.Event, eventsAtOnce, bytesAtOnce)
	if err != nil {
		return nil, nil, false, err
	}
	ended, err := st.Turns(ctx, before.Turn, eventsAtOnce)
	if err != nil {
		return nil, nil, false, err
	}
	if len(events)+len(ended) == 0 {
		return &before, counts, false, nil
	}
	next := before
	for i := range events {
		if !events[i].Damaged {
			counts.foldEvent(&events[i])
		}
		next.Event = events[i].Seq
	}
	for i := range ended {
		if !ended[i].Damaged {
			counts.foldTurn(&ended[i])
		}
		next.Turn = ended[i].Seq
	}
	if err := s.write(ctx, st, before, &next, counts, nil); err != nil {
		return nil, nil, false, err
	}
	passed.Events += len(events)
	passed.Turns += len(ended)
	return &next, counts, true, nil
}

// state is what the cursor has, or a new one.
func (s *Sink) state(ctx context.Context, st *store.Store, c store.Cursor) (*state, error) {
	if counts := readState(c.State); counts != nil {
		return counts, nil
	}
	base := map[string]int64{}
	if c.Event > 0 { // else the store is as new as the counts
		var err error
		if base, err = st.Counters(ctx); err != nil {
			return nil, err
		}
	}
	if len(c.State) > 0 {
		s.Log.Warn("metrics begin anew: what was counted before can't be read")
	}
	return newState(s.Now(), base), nil
}

func (s *Sink) write(ctx context.Context, st *store.Store, before store.Cursor, next *store.Cursor, counts *state, add map[string]int64) (err error) {
	if next.State, err = counts.encode(); err != nil {
		return err
	}
	return s.owed.Write(ctx, st, before, *next, add)
}

// due tells whether it is time to send: the next time, or again after a failure. A clock that was set back must not end
// the sending.
func (s *Sink) due(counts *state) bool {
	now := s.Now().UnixNano()
	since := now - counts.Sent
	return !s.resting(counts) && (counts.Wait > 0 || since >= int64(s.Interval) || since < 0)
}

// resting tells whether the endpoint is to be left alone.
func (s *Sink) resting(counts *state) bool {
	left := time.Duration(counts.Wait - s.Now().UnixNano())
	return left > 0 && left <= maxWait
}
