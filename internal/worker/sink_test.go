package worker

import (
	"context"
	"errors"
	"os"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/store"
)

func TestSinksTakeAllBeforeTheWorkerLeaves(t *testing.T) {
	broken := 7
	for name, sink := range map[string]*testSink{
		"plain":         {name: "a"},
		"panics":        {name: "a", panics: 3},
		"held back":     {name: "a", hold: true},
		"refused a few": {name: "a", refuse: func() bool { broken--; return broken > 0 }},
	} {
		t.Run(name, func(t *testing.T) {
			o := options(t)
			o.Sinks = []Sink{sink}
			spoolEvents(t, o, 0, 250)
			must(t, Run(t.Context(), o))
			if diff := cmp.Diff(ids(0, 250), sink.taken()); diff != "" {
				t.Fatal(diff)
			}
			if left, err := Look(t.Context(), o); err != nil || left.Any() {
				t.Fatalf("left %+v, %v", left, err)
			}
		})
	}
}

func TestDrainSends(t *testing.T) {
	o := options(t)
	sink, rests := &testSink{name: "a", hold: true}, &testSink{name: "b"}
	spoolEvents(t, o, 0, 3)
	o.Sinks, o.NoSend = []Sink{sink, rests}, true
	_, err := Drain(t.Context(), o)
	must(t, err)
	if left, err := Look(t.Context(), o); err != nil || left.Behind["a"] != 3 || sink.passes != 0 {
		t.Fatalf("left %+v, %v", left, err)
	}
	o.NoSend = false
	_, err = Drain(t.Context(), o)
	must(t, err)
	for _, s := range o.Sinks {
		if diff := cmp.Diff(ids(0, 3), s.(*testSink).taken()); diff != "" {
			t.Fatal(diff)
		}
	}
}

// TestDrainDoesNotWaitForASink: while one hangs, everything is stored, and another sink gets it.
func TestDrainDoesNotWaitForASink(t *testing.T) {
	o := options(t)
	o.Idle = time.Hour
	hangs, works := &testSink{name: "hangs", hang: true}, &testSink{name: "works"}
	o.Sinks = []Sink{hangs, works}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- Run(ctx, o) }()
	spoolEvents(t, o, 0, 300)
	waitFor(t, func() bool { names, _ := o.Spool.Pending(); return len(names) == 0 && len(works.taken()) == 300 })
	cancel()
	must(t, <-done)
	if left, err := Look(t.Context(), o); err != nil || left.Behind["hangs"] != 300 || left.Behind["works"] != 0 {
		t.Fatalf("left %+v, %v", left, err)
	}
}

func TestLeavesASinkThatIsRefusedForTooLong(t *testing.T) {
	o := options(t)
	o.GiveUp = 50 * time.Millisecond
	refused := true
	sink := &testSink{name: "a", refuse: func() bool { return refused }}
	o.Sinks = []Sink{sink}
	spoolEvents(t, o, 0, 3)
	must(t, Run(t.Context(), o))
	wantPending(t, o.Spool, 0)
	if sink.taken() != nil || lock.Held(o.lockPath()) {
		t.Fatalf("took %v", sink.taken())
	}
	refused, o.GiveUp = false, time.Minute
	must(t, Run(t.Context(), o)) // as the next hook starts it
	if diff := cmp.Diff(ids(0, 3), sink.taken()); diff != "" {
		t.Fatal(diff)
	}
}

// TestRestsAsItsCursorSays: a destination that asked for quiet gets it from the next worker, too.
func TestRestsAsItsCursorSays(t *testing.T) {
	o := options(t)
	sink := &testSink{name: "a"}
	o.Sinks, o.GiveUp, o.NoSend = []Sink{sink}, 50*time.Millisecond, true
	spoolEvents(t, o, 0, 1)
	must(t, Run(t.Context(), o))
	setCursor := func(next time.Time) {
		s, err := store.Open(t.Context(), StorePath(o.DataDir))
		must(t, err)
		c, _, err := s.Cursor(t.Context(), "a")
		must(t, err)
		c.Tries, c.Next = 1, next
		must(t, errors.Join(s.SetCursor(t.Context(), nil, c), s.Close()))
	}
	setCursor(time.Now().Add(maxRest))
	o.NoSend = false
	must(t, Run(t.Context(), o))
	if sink.passes != 0 {
		t.Fatalf("%d passes", sink.passes)
	}
	o.GiveUp = time.Minute
	setCursor(time.Now().Add(-time.Hour))
	must(t, Run(t.Context(), o))
	if diff := cmp.Diff(ids(0, 1), sink.taken()); diff != "" {
		t.Fatal(diff)
	}
	setCursor(time.Now().Add(365 * 24 * time.Hour)) // the clock was set back since
	spoolEvents(t, o, 1, 2)
	must(t, Run(t.Context(), o))
	if diff := cmp.Diff(ids(0, 2), sink.taken()); diff != "" {
		t.Fatal(diff)
	}
}

// TestWhereACursorBegins: with a new store at its first event, else at what comes from now on; and anew after a time
// without configuration.
func TestWhereACursorBegins(t *testing.T) {
	o := options(t)
	now := time.Now()
	o.Now = func() time.Time { return now }
	first, later := &testSink{name: "first"}, &testSink{name: "later"}
	o.Sinks, o.Absent = []Sink{first}, []string{"later"}
	spoolEvents(t, o, 0, 2)
	must(t, Run(t.Context(), o))
	o.Sinks, o.Absent = []Sink{later}, []string{"first"}
	spoolEvents(t, o, 2, 4)
	must(t, Run(t.Context(), o))
	now = now.Add(store.AbsentFor)
	o.Sinks, o.Absent = []Sink{first, later}, nil
	spoolEvents(t, o, 4, 6)
	must(t, Run(t.Context(), o))
	want := [][]string{slices.Concat(ids(0, 2), ids(4, 6)), ids(2, 6)}
	if diff := cmp.Diff(want, [][]string{first.taken(), later.taken()}); diff != "" {
		t.Fatal(diff)
	}
}

// TestAbsentForAMoment: a sink that seems to be gone, since its settings are just being written, goes on where it was.
func TestAbsentForAMoment(t *testing.T) {
	o := options(t)
	now := time.Now()
	o.Now, o.GiveUp = func() time.Time { return now }, 20*time.Millisecond
	refused := true
	sink := &testSink{name: "a", refuse: func() bool { return refused }}
	o.Sinks = []Sink{sink}
	spoolEvents(t, o, 0, 2)
	must(t, Run(t.Context(), o))
	o.Sinks, o.Absent = nil, []string{"a"}
	spoolEvents(t, o, 2, 3)
	must(t, Run(t.Context(), o))
	now = now.Add(store.AbsentFor - time.Second)
	must(t, Run(t.Context(), o))
	refused, o.Sinks, o.Absent, o.GiveUp = false, []Sink{sink}, nil, time.Minute
	spoolEvents(t, o, 3, 4)
	must(t, Run(t.Context(), o))
	if diff := cmp.Diff(ids(0, 4), sink.taken()); diff != "" {
		t.Fatal(diff)
	}
}

// TestAbsentSinkIsForgottenByARunningWorker: it need not begin anew for that.
func TestAbsentSinkIsForgottenByARunningWorker(t *testing.T) {
	o := options(t)
	o.Sinks, o.Idle = []Sink{&testSink{name: "a"}}, time.Hour
	spoolEvents(t, o, 0, 1)
	_, err := Drain(t.Context(), o)
	must(t, err)
	var ahead atomic.Int64
	o.Now = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	o.Sinks, o.Absent = nil, []string{"a"}
	w := &worker{Options: o.withDefaults()}
	w.lock, err = lock.TryLock(o.lockPath())
	must(t, err)
	must(t, w.openExisting(t.Context()))
	has := func() bool {
		_, ok, err := w.store.Cursor(t.Context(), "a")
		must(t, err)
		return ok
	}
	w.lookAfter(t.Context())
	if !has() {
		t.Error("forgotten at once")
	}
	ahead.Store(int64(store.AbsentFor))
	w.absentAt = time.Time{}
	w.lookAfter(t.Context())
	if has() {
		t.Error("never forgotten")
	}
	must(t, errors.Join(w.closeStore(), w.lock.Unlock()))
}

// TestStoreIsReplacedUnderASink: what comes after is stored and sent, and the sink's old store does no harm to the new.
func TestStoreIsReplacedUnderASink(t *testing.T) {
	o := options(t)
	sink := &testSink{name: "a"}
	o.Sinks, o.Idle = []Sink{sink}, time.Hour
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- Run(ctx, o) }()
	for n := range 20 {
		spoolEvents(t, o, n, n+1)
		waitFor(t, func() bool { return slices.Contains(sink.taken(), id(n)) })
		for _, suffix := range []string{"", "-wal", "-shm"} {
			_ = os.Remove(StorePath(o.DataDir) + suffix)
		}
	}
	cancel()
	must(t, <-done)
}

func TestSilentTurnsAreEnded(t *testing.T) {
	o := options(t)
	sink := &testSink{name: "a"}
	o.Sinks, o.Abandon = []Sink{sink}, time.Hour
	must(t, o.Spool.Append(id(1), promptEvent(id(1), "killed")))
	must(t, Run(t.Context(), o))
	if sink.turns != 1 {
		t.Fatalf("%d turns", sink.turns)
	}
}

// TestFlushThroughARunningWorker: another process waits for what a sink would hold back for an hour.
func TestFlushThroughARunningWorker(t *testing.T) {
	o := options(t)
	sink := &testSink{name: "a", hold: true}
	o.Sinks, o.Idle = []Sink{sink}, time.Hour
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- Run(ctx, o) }()
	spoolEvents(t, o, 0, 3)
	waitFor(t, func() bool { left, _ := Look(t.Context(), o); return left.Behind["a"] == 3 })
	if left, err := Flush(t.Context(), o); err != nil || left.Any() {
		t.Fatalf("left %+v, %v", left, err)
	}
	if diff := cmp.Diff(ids(0, 3), sink.taken()); diff != "" {
		t.Fatal(diff)
	}
	cancel()
	must(t, <-done)
}

// TestFlushEndsWithItsContext: and says what is left.
func TestFlushEndsWithItsContext(t *testing.T) {
	o := options(t)
	sink := &testSink{name: "a", hang: true}
	o.Sinks = []Sink{sink}
	spoolEvents(t, o, 0, 3)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for ; ctx.Err() == nil; time.Sleep(time.Millisecond) {
			if names, err := o.Spool.Pending(); err == nil && len(names) == 0 && sink.begun() {
				cancel()
			}
		}
	}()
	left, err := Flush(ctx, o)
	if diff := cmp.Diff(Left{Behind: map[string]int64{"a": 3}}, left); diff != "" || err != nil {
		t.Fatal(diff, err)
	}
}

// TestPurgedIsNotLeft: what is gone keeps nobody waiting, whatever the cursors say.
func TestPurgedIsNotLeft(t *testing.T) {
	o := options(t)
	o.Sinks = []Sink{&testSink{name: "a", refuse: func() bool { return true }}}
	o.GiveUp = 20 * time.Millisecond
	spoolEvents(t, o, 0, 3)
	_, err := Drain(t.Context(), o)
	must(t, err)
	if left, err := Look(t.Context(), o); err != nil || left.Behind["a"] != 3 {
		t.Fatalf("left %+v, %v", left, err)
	}
	_, err = Purge(t.Context(), o, store.PurgeFilter{})
	must(t, err)
	if left, err := Look(t.Context(), o); err != nil || left.Any() {
		t.Fatalf("left %+v, %v", left, err)
	}
}
