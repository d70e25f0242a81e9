package delivery_test

import (
	"fmt"
	"syscall"
	"testing"
	"time"
)

// TestCollectorKilled: the collector is killed in the middle of a request, twice: when it has handed the spans on but not said
// so, and it comes back.
func TestCollectorKilled(t *testing.T) {
	w := newWorld(t)
	w.collector.Start()
	killed := make(chan struct{}, 2)
	w.recorder.OnReceived(func(n int) {
		if n == 1 || n == 3 {
			_ = syscall.Kill(w.collector.PID(), syscall.SIGKILL)
			killed <- struct{}{}
			time.Sleep(100 * time.Millisecond) // until it is gone: what is answered then reaches nobody
		}
	})
	w.Turns(400) // several requests
	w.Worker()
	for range 2 {
		select {
		case <-killed:
		case <-time.After(time.Minute):
			t.Fatalf("no request came; worker.log:\n%s", w.WorkerLog())
		}
		w.collector.Kill() // waits until it is gone
		w.collector.Start()
	}
	w.arrived(len(w.Spans))
	w.drain()
	w.check(t)
	w.checkSent(t)
	if twice := len(w.spans()) - len(w.Spans); twice <= 0 {
		t.Error("no span came twice, so that no acknowledgement was lost")
	}
}

// TestWorkerKilled: workers are killed one after the other, while they store and while they send.
func TestWorkerKilled(t *testing.T) {
	w := newWorld(t)
	w.collector.Start()
	received := make(chan struct{}, 1)
	w.recorder.OnReceived(func(int) {
		select {
		case received <- struct{}{}:
		default:
		}
	})
	w.Turns(1000)
	kills := longer(12)
	for i := range kills {
		w.Turns(50) // there is always something to do
		worker := w.Worker()
		if i%3 == 0 {
			time.Sleep(time.Duration(20+i%12*15) * time.Millisecond) // somewhere in the work
		} else {
			select {
			case <-received: // while it waits for this answer, or has just got it
			case <-time.After(time.Minute):
				t.Fatalf("worker %d sends nothing; worker.log:\n%s", i, w.WorkerLog())
			}
		}
		worker.Kill()
	}
	w.Worker()
	w.arrived(len(w.Spans))
	w.drain()
	w.check(t)
	w.checkTwice(t, kills)
}

// TestAllKilled: hooks come in, and again and again everything is killed: the worker, whoever started it, and the collector.
func TestAllKilled(t *testing.T) {
	const hooks = 12
	rounds := longer(4)
	w := newWorld(t)
	w.Turns(100)
	for round := range rounds {
		w.collector.Start()
		w.Worker()
		for i := range hooks {
			w.Hook("gemini", "BeforeTool", fmt.Sprintf(`{"session_id":"live-%d","tool_name":"x","tool_input":{"n":%d}}`, round, i))
		}
		if round%2 == 1 {
			w.Until("something in the collector", func() bool { return len(w.spans()) > 0 })
		}
		w.KillAll()
		w.collector.Kill()
	}
	w.collector.Start()
	w.Worker()
	w.drain()
	live := 0
	for _, r := range w.Records() {
		if r.HostEvent == "BeforeTool" && len(r.SessionID) > 4 && r.SessionID[:5] == "live-" {
			live++
			w.Spans[r.SpanID] = true
		}
	}
	if live != rounds*hooks {
		t.Errorf("%d events of %d hooks", live, rounds*hooks)
	}
	w.check(t)
	w.checkTwice(t, rounds)
}
