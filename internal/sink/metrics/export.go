package metrics

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/boathook/boathook/internal/otlp"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/worker"
)

// countRejected is the store's counter of points that a partial success refused.
const countRejected = "points_rejected"

const (
	retryBase  = 5 * time.Second
	brokenBase = time.Minute
	maxBackoff = 15 * time.Minute
	// maxWait bounds what a destination may ask for. One that would be left alone for longer met a clock that was wrong.
	maxWait = time.Hour
)

// foldEvery is how often the sink asks to be called while it holds counts back: it would else have to read all the events
// of an interval at once, when they are in nobody's memory any more.
const foldEvery = time.Second

// export sends the counts if it is time, and says in passed when it will be.
func (s *Sink) export(ctx context.Context, st *store.Store, c store.Cursor, counts *state, passed *worker.Passed) error {
	passed.Behind, passed.Next = false, time.Time{}
	leaving := worker.Flushing(ctx)
	if s.resting(counts) {
		s.hold(passed, counts.Dirty && counts.Retry && c.Tries < retries)
		return nil
	}
	if !s.due(counts) && (!leaving || !counts.Dirty) {
		s.hold(passed, counts.Dirty)
		return nil
	}
	seen, err := s.look(ctx, st)
	if err != nil {
		return err
	}
	if !counts.Dirty && !seen.busy() && counts.Sent > 0 {
		return nil // nothing that wasn't said
	}
	now := s.Now()
	result := s.Client.SendMetrics(ctx, s.request(counts, seen, now))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if result.Outcome == otlp.Accepted {
		counts.Ingest = seen.ingest()
	}
	if err := s.settle(ctx, st, c, counts, result, seen.busy(), now); err != nil {
		return err
	}
	if counts.Wait > 0 {
		s.hold(passed, counts.Retry && c.Tries+1 < retries)
		return nil
	}
	// What waits somewhere is worth another look, even if no event comes.
	s.hold(passed, counts.Dirty && !leaving)
	return nil
}

// hold has the sink called again soon, if it holds something back that it can expect to get rid of.
func (s *Sink) hold(passed *worker.Passed, back bool) {
	if back {
		passed.Behind, passed.Next = true, s.Now().Add(foldEvery)
	}
}

// settle notes what became of a request. The cursor's Next stays zero, since the worker would else not call the sink that
// long, and nothing would be counted: the sink waits by itself.
func (s *Sink) settle(ctx context.Context, st *store.Store, c store.Cursor, counts *state, r otlp.Result, busy bool, now time.Time) error {
	next, add := c, map[string]int64{}
	if r.Outcome == otlp.Accepted {
		if r.Rejected > 0 {
			add[countRejected] = r.Rejected
		}
		counts.Sent, counts.Wait, counts.Retry, counts.Dirty = now.UnixNano(), 0, false, busy
		next.Tries, next.Error, next.Moved = 0, "", now
		s.heed(c, r)
	} else {
		next.Tries++
		next.Error = r.Message
		counts.Wait, counts.Retry = now.Add(wait(next.Tries, r)).UnixNano(), r.Outcome == otlp.Retry
		if c.Error != r.Message {
			s.Log.Warn("metrics are not taken", "outcome", r.Outcome, "error", r.Message)
		}
	}
	return s.write(ctx, st, c, &next, counts, add)
}

// heed looks at what a success came with.
func (s *Sink) heed(c store.Cursor, r otlp.Result) {
	if c.Tries > 0 {
		s.Log.Info("metrics are taken again")
	}
	if r.Message != "" && r.Message != s.warned {
		s.Log.Warn("metrics were taken with a remark", "rejected", r.Rejected, "remark", r.Message)
	}
	s.warned = r.Message
}

// wait is how long to leave the endpoint alone after so many failures: between a half and the whole of a bound that
// doubles, so that many machines don't come back in step, and no less than it asked for.
func wait(tries int, r otlp.Result) time.Duration {
	base := brokenBase
	if r.Outcome == otlp.Retry {
		base = retryBase
	}
	bound := maxBackoff
	if shift := max(tries-1, 0); shift < 16 {
		bound = min(base<<shift, maxBackoff)
	}
	return min(max(bound/2+rand.N(bound/2), r.RetryAfter), maxWait)
}
