package delivery_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/boathook/boathook/itest/faults"
)

// TestCollectorDown: the collector is not there when the events come, and comes later.
func TestCollectorDown(t *testing.T) {
	for _, direct := range []bool{false, true} {
		t.Run(map[bool]string{false: "behind a proxy", true: "no connection"}[direct], func(t *testing.T) {
			w := newWorld(t)
			if direct {
				w.Configure(settings(w.collector.Traces()))
			}
			w.Turns(30)
			w.Worker()
			w.failing(t)
			w.Turns(20)
			w.collector.Start()
			w.drain()
			w.check(t)
			if !direct {
				w.checkSent(t)
			}
		})
	}
}

// TestDrainAfterOutage: after a long outage the worker would wait for minutes; somebody who drains does not.
func TestDrainAfterOutage(t *testing.T) {
	w := newWorld(t)
	w.proxy.Always(faults.Fault{Status: http.StatusUnauthorized}) // of the faults that are tried again rarely
	w.Turns(5)
	worker := w.Worker()
	w.failing(t)
	w.collector.Start()
	w.proxy.Always(faults.Pass())
	if err := worker.Stop(); err != nil {
		t.Error(err)
	}
	w.Must("worker", "drain", "--wait", "20s")
	w.check(t)
	w.checkSent(t)
}

// TestAnswers: whatever the destination says but "accepted", what it was sent stays, and goes again when it may.
func TestAnswers(t *testing.T) {
	for _, row := range []struct {
		name  string
		fault faults.Fault
		// wait is how long the destination asked the sender to wait.
		wait time.Duration
	}{
		{"503 with Retry-After", faults.Fault{Status: 503, RetryAfter: "3"}, 3 * time.Second},
		{"429 with Retry-After", faults.Fault{Status: 429, RetryAfter: "3"}, 3 * time.Second},
		{"429", faults.Fault{Status: 429}, 0},
		{"502", faults.Fault{Status: 502}, 0},
		{"504", faults.Fault{Status: 504}, 0},
		{"connection cut before it arrived", faults.Fault{Cut: true}, 0},
		{"connection cut after it arrived", faults.Fault{Forward: true, Cut: true}, 0},
		{"slow-loris answer", faults.Fault{Forward: true, Trickle: true}, 0},
		{"no answer", faults.Fault{Silent: true}, 0},
		{"no answer, though it arrived", faults.Fault{Forward: true, Silent: true}, 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := newWorld(t)
			if row.fault.Silent || row.fault.Trickle {
				w.Configure(settings(w.proxy.Traces(), impatient))
			}
			w.collector.Start()
			w.proxy.Plan(func(n int, _ faults.Request) faults.Fault {
				if n < 2 {
					return row.fault
				}
				return faults.Pass()
			})
			w.Turns(30)
			w.Worker()
			w.arrived(len(w.Spans))
			w.drain()
			w.check(t)
			most := 0
			for _, n := range w.checkSent(t) {
				most = max(most, n)
			}
			if most != 3 {
				t.Errorf("a span was sent %d times, want twice in vain and once more", most)
			}
			requests := w.proxy.Requests()
			for i := 1; i < min(len(requests), 3); i++ {
				if gap := requests[i].At.Sub(requests[i-1].At); gap < row.wait {
					t.Errorf("asked to wait for %v, the sender came back after %v", row.wait, gap)
				}
			}
		})
	}
}

// TestPartialSuccess: what the destination refuses is counted, and not sent again.
func TestPartialSuccess(t *testing.T) {
	w := newWorld(t)
	w.collector.Start()
	w.proxy.Plan(func(n int, _ faults.Request) faults.Fault {
		if n == 0 {
			return faults.Fault{Forward: true, Reject: 7}
		}
		return faults.Pass()
	})
	w.Turns(10)
	w.Worker()
	w.arrived(len(w.Spans))
	w.drain()
	w.Turns(5)
	w.drain()
	w.check(t)
	for id, n := range w.checkSent(t) {
		if n != 1 {
			t.Errorf("span %s was sent %d times", id, n)
		}
	}
	if n := w.state(t).Counters["spans_rejected"]; n != 7 {
		t.Errorf("counters %v, want 7 spans rejected", w.state(t).Counters)
	}
}

// TestRefusedAlone: one span that the destination will never take does not keep the others.
func TestRefusedAlone(t *testing.T) {
	w := newWorld(t)
	w.collector.Start()
	w.Turns(20)
	var poison string
	for id := range w.Spans {
		poison = id
		break
	}
	w.proxy.Plan(func(_ int, r faults.Request) faults.Fault {
		sent, err := r.Sent()
		if err != nil {
			t.Error(err)
		}
		for _, s := range sent {
			if s.SpanID == poison {
				return faults.Fault{Status: http.StatusBadRequest}
			}
		}
		return faults.Pass()
	})
	w.Worker()
	w.arrived(len(w.Spans) - 1)
	w.drain()
	delete(w.Spans, poison)
	w.check(t)
	if n := w.state(t).Counters["spans_refused"]; n != 1 {
		t.Errorf("counters %v, want 1 span refused", w.state(t).Counters)
	}
}
