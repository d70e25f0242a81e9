package delivery_test

import (
	"strings"
	"testing"

	"github.com/boathook/boathook/itest/procs"
)

// TestBacklog: what came in while no worker ran is stored and sent in one go, in the order of its insertion. How fast that is
// the bench says.
func TestBacklog(t *testing.T) {
	turns := longer(1250) // 5,000 events
	w := newWorld(t)
	w.collector.Start()
	w.Feed = w.NewFeed(strings.Repeat("the quick brown fox. ", 80))
	w.Turns(turns)
	worker := w.Worker()
	peak := procs.Watch(worker.PID())
	w.arrived(len(w.Spans))
	w.drain()
	t.Logf("the worker held %d MiB at most", peak()>>20)
	w.check(t)
	for id, n := range w.checkSent(t) {
		if n != 1 {
			t.Fatalf("span %s was sent %d times", id, n)
		}
	}
	if n := len(w.Records()); n != 4*turns {
		t.Errorf("%d events in the store, want %d", n, 4*turns)
	}
	for _, r := range w.proxy.Requests() {
		if len(r.Body) > 8<<20 {
			t.Errorf("a request has %d bytes", len(r.Body))
		}
	}
}
