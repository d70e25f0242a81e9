package worker

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/lock"
)

// TestChangedSettingsEndTheWorker: it sends nothing more, whatever it is at, and leaves the rest to the one that follows.
func TestChangedSettingsEndTheWorker(t *testing.T) {
	for name, sink := range map[string]*testSink{"works": {name: "a"}, "is at a request": {name: "a", hang: true}, "refused": {name: "a", refuse: func() bool { return true }}} {
		t.Run(name, func(t *testing.T) {
			o := options(t)
			o.Idle, o.Sinks = time.Hour, []Sink{sink}
			var changed atomic.Bool
			o.Changed = changed.Load
			done := make(chan error)
			go func() { done <- Run(t.Context(), o) }()
			spoolEvents(t, o, 0, 3)
			waitFor(t, func() bool { names, _ := o.Spool.Pending(); return len(names) == 0 })
			changed.Store(true)
			if err := <-done; !errors.Is(err, ErrChanged) || lock.Held(o.lockPath()) {
				t.Fatal(err)
			}
			passes := sink.passes
			spoolEvents(t, o, 3, 6)
			if err := Run(t.Context(), o); !errors.Is(err, ErrChanged) || sink.passes != passes {
				t.Fatalf("%v; %d passes by old settings", err, sink.passes-passes)
			}
			changed.Store(false)
			o.Sinks, o.Idle = []Sink{&testSink{name: "a"}}, 10*time.Millisecond
			must(t, Run(t.Context(), o))
			if left, err := Look(t.Context(), o); err != nil || left.Any() {
				t.Fatalf("left %+v, %v", left, err)
			}
			if diff := cmp.Diff(ids(0, 6), stored(t, o.DataDir)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestChangedSettingsEndADrain(t *testing.T) {
	o := options(t)
	sink := &testSink{name: "a", hang: true}
	o.Sinks, o.Changed = []Sink{sink}, func() bool { // once all is stored and it sends
		names, err := o.Spool.Pending()
		return err == nil && len(names) == 0 && sink.begun()
	}
	spoolEvents(t, o, 0, 3)
	if _, err := Flush(t.Context(), o); !errors.Is(err, ErrChanged) {
		t.Fatal(err)
	}
	wantPending(t, o.Spool, 0)
}

func TestFresh(t *testing.T) {
	looks := 0
	for _, c := range []struct {
		name    string
		changed func() bool
		want    bool
	}{
		{"nobody asks", nil, true},
		{"as they were", func() bool { return false }, true},
		{"as they were again", func() bool { looks++; return looks < 3 }, true},
		{"others", func() bool { return true }, false},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		if !c.want {
			time.AfterFunc(10*time.Millisecond, cancel)
		}
		if got := Fresh(ctx, c.changed); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
		cancel()
	}
}
