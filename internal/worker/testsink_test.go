package worker

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/boathook/boathook/internal/store"
)

// testSink takes events in order, moves its cursor, and behaves as its fields say.
type testSink struct {
	name string
	// refuse says that the destination takes nothing; hold that it takes nothing until somebody waits for it; hang that it
	// takes until ctx ends.
	refuse func() bool
	hold   bool
	hang   bool
	panics int

	mu     sync.Mutex
	inside int
	passes int
	got    []string
	turns  int
}

func (s *testSink) Name() string { return s.name }

func (s *testSink) Pass(ctx context.Context, st *store.Store) (Passed, error) {
	s.mu.Lock()
	s.inside++
	s.passes++
	inside, passes := s.inside, s.passes
	s.mu.Unlock()
	defer func() { s.mu.Lock(); s.inside--; s.mu.Unlock() }()
	switch {
	case inside > 1:
		return Passed{}, errors.New("called concurrently with itself")
	case passes <= s.panics:
		panic("the sink's own words")
	case s.hang:
		<-ctx.Done()
		return Passed{Behind: true}, nil
	case s.refuse != nil && s.refuse():
		return Passed{Behind: true, Next: time.Now().Add(5 * time.Millisecond)}, nil
	}
	return s.take(ctx, st)
}

func (s *testSink) take(ctx context.Context, st *store.Store) (p Passed, err error) {
	c, ok, err := st.Cursor(ctx, s.name)
	if err != nil || !ok {
		return p, errors.Join(err, map[bool]error{false: errors.New("no cursor")}[ok])
	}
	events, err := st.After(ctx, c.Event, 1000, 1<<20)
	if err != nil {
		return p, err
	}
	turns, err := st.Turns(ctx, c.Turn, 100)
	if err != nil || len(events)+len(turns) == 0 {
		return p, err
	}
	if s.hold && !Flushing(ctx) {
		return Passed{Behind: true, Next: time.Now().Add(time.Hour)}, nil
	}
	next := c
	for _, e := range events {
		next.Event = e.Seq
	}
	for _, e := range turns {
		next.Turn = e.Seq
	}
	if err := st.SetCursor(context.WithoutCancel(ctx), &c, next); err != nil {
		return p, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range events {
		s.got = append(s.got, e.Record.ID)
	}
	s.turns += len(turns)
	return Passed{Events: len(events), Turns: len(turns), Behind: true}, nil
}

func (s *testSink) taken() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.got)
}

// begun tells whether it was asked for anything.
func (s *testSink) begun() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.passes > 0
}
