package otlp

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/hook/canon"
	wire "github.com/boathook/boathook/internal/otlp"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/worker"
)

// turns is n turns of one session, each of a prompt, a call that ran, one that was denied, and an end: eight spans.
func turns(t testing.TB, n int) []record.Record {
	t.Helper()
	var out []record.Record
	for i := range n {
		in := fmt.Sprintf(`{"session_id":"s","tool_name":"run_shell_command","tool_input":{"command":"echo %d"}`, i)
		out = append(out,
			made(t, 5*i, "gemini", "BeforeAgent", `{"session_id":"s","prompt":"hi"}`), made(t, 5*i+1, "gemini", "BeforeTool", in+"}"),
			made(t, 5*i+2, "gemini", "AfterTool", in+`,"tool_response":{"llmContent":"x"}}`), made(t, 5*i+3, "gemini", "BeforeTool", in+"}", denied),
			made(t, 5*i+4, "gemini", "AfterAgent", `{"session_id":"s","prompt_response":"done"}`),
		)
	}
	return out
}

const spansOfTurn = 8

func TestSinkIsAWorkersSink(t *testing.T) {
	var sink worker.Sink = New(Config{})
	if sink.Name() != "otlp" {
		t.Error(sink.Name())
	}
}

func TestAccepted(t *testing.T) {
	r := newRig(t, inStore(t, turns(t, 100)...))
	want := worker.Passed{Events: 500, Turns: 100}
	if diff := cmp.Diff(want, r.pass()); diff != "" {
		t.Error(diff)
	}
	r.atHead()
	if _, spans := r.to.count(); spans != 100*spansOfTurn || len(r.to.taken) != spans {
		t.Errorf("%d spans, %d of them different", spans, len(r.to.taken))
	}
	// There is nothing more, and then only what is new.
	if diff := cmp.Diff(worker.Passed{}, r.pass()); diff != "" {
		t.Error(diff)
	}
	insert(t, r.store, made(t, 600, "gemini", "SessionEnd", `{"session_id":"s"}`))
	if diff := cmp.Diff(worker.Passed{Events: 1}, r.pass()); diff != "" {
		t.Error(diff)
	}
	if got := r.to.order[len(r.to.order)-1]; got != "gemini.session_end" || r.cursor().Moved != begin {
		t.Errorf("%s, cursor %+v", got, r.cursor())
	}
}

// TestRetryAfter: what the destination asks for holds for other processes, too.
func TestRetryAfter(t *testing.T) {
	r := newRig(t, inStore(t, turns(t, 2)...))
	r.to.answer = func(n int, _ []wire.Span) reply {
		if n == 1 {
			return reply{status: http.StatusServiceUnavailable, retryAfter: 70}
		}
		return reply{}
	}
	p := r.pass()
	c := r.cursor()
	if !p.Behind || p.Events != 0 || !p.Next.Equal(c.Next) || c.Next.Before(begin.Add(70*time.Second)) || c.Tries != 1 || c.Event != 0 || c.Error == "" {
		t.Errorf("%+v, cursor %+v", p, c)
	}
	r.now = begin.Add(69 * time.Second)
	r.fresh(ample)
	if p := r.pass(); !p.Behind || !p.Next.Equal(c.Next) {
		t.Errorf("%+v", p)
	}
	if n, _ := r.to.count(); n != 1 {
		t.Errorf("%d requests before it was due", n)
	}
	r.now = c.Next
	if diff := cmp.Diff(worker.Passed{Events: 10, Turns: 2}, r.pass()); diff != "" {
		t.Error(diff)
	}
	r.atHead()
}

// TestBackoff: each failure doubles the bound; a cursor that a wrong clock wrote isn't waited for.
func TestBackoff(t *testing.T) {
	r := newRig(t, inStore(t, turns(t, 1)...))
	r.to.answer = func(int, []wire.Span) reply { return reply{status: http.StatusTooManyRequests} }
	bound := time.Second
	for try := 1; try <= 12; try++ {
		r.pass()
		c := r.cursor()
		if d := c.Next.Sub(r.now); d < bound/10 || d > bound || c.Tries != try {
			t.Errorf("try %d waits %v of %v: %+v", try, d, bound, c)
		}
		r.now = c.Next
		bound = min(2*bound, 5*time.Minute)
	}
	r.to.answer = nil
	r.now = begin.AddDate(-1, 0, 0)
	r.pass()
	r.atHead()
}

func TestWaitOfBrokenSettings(t *testing.T) {
	for tries, bound := range map[int]time.Duration{1: 30 * time.Second, 3: 2 * time.Minute, 9: 5 * time.Minute, 1000: 5 * time.Minute} {
		if d := wait(tries, wire.Result{Outcome: wire.Misconfigured}); d < bound/10 || d > bound {
			t.Errorf("%d: %v", tries, d)
		}
	}
	if d := wait(1, wire.Result{Outcome: wire.Retry, RetryAfter: 9000 * time.Hour}); d != maxWait {
		t.Errorf("%v", d)
	}
}

// TestMisconfigured: everything is kept.
func TestMisconfigured(t *testing.T) {
	r := newRig(t, inStore(t, turns(t, 1)...))
	r.to.answer = func(int, []wire.Span) reply { return reply{status: http.StatusUnauthorized} }
	p := r.pass()
	if c := r.cursor(); !p.Behind || c.Event != 0 || c.Next.Sub(begin) < 3*time.Second {
		t.Errorf("%+v, cursor %+v", p, c)
	}
	if n, _ := r.to.count(); n != 1 {
		t.Errorf("%d requests", n)
	}
}

func TestPartialSuccessIsCountedAndNotSentAgain(t *testing.T) {
	r := newRig(t, inStore(t, turns(t, 2)...))
	r.to.answer = func(int, []wire.Span) reply { return reply{rejected: 3} }
	r.pass()
	r.atHead()
	if n := r.counter("spans_rejected"); n != 3 {
		t.Errorf("counted %d", n)
	}
	r.pass()
	if n, spans := r.to.count(); n != 1 || spans != 2*spansOfTurn-3 {
		t.Errorf("%d requests, %d spans", n, spans)
	}
}

func TestHang(t *testing.T) {
	r := newRig(t, inStore(t, turns(t, 1)...))
	r.fresh(30 * time.Millisecond)
	var again atomic.Bool
	r.to.answer = func(int, []wire.Span) reply { return reply{hang: !again.Load()} }
	if p := r.pass(); !p.Behind || p.Next.IsZero() || r.cursor().Event != 0 {
		t.Errorf("%+v, cursor %+v", p, r.cursor())
	}
	r.now = r.cursor().Next
	again.Store(true)
	r.fresh(ample)
	r.pass()
	r.atHead()
}

// TestCanceled: that this process breaks off is no failure of the destination.
func TestCanceled(t *testing.T) {
	r := newRig(t, inStore(t, turns(t, 1)...))
	ctx, cancel := context.WithCancel(t.Context())
	r.to.answer = func(int, []wire.Span) reply { cancel(); return reply{hang: true} }
	p, err := r.sink.Pass(ctx, r.store)
	must(t, err)
	if c := r.cursor(); !p.Behind || c.Tries != 0 || !c.Next.IsZero() {
		t.Errorf("%+v, cursor %+v", p, c)
	}
}

// sameEachTime fails unless every span that came more than once came with the same bytes.
func (c *collector) sameEachTime(t testing.TB) {
	t.Helper()
	for id, all := range c.taken {
		for _, text := range all {
			if text != all[0] {
				t.Errorf("span %x came with other bytes:\n%q\n%q", id, all[0], text)
			}
		}
	}
}

func TestLostAcknowledgement(t *testing.T) {
	r := newRig(t, inStore(t, turns(t, 50)...))
	r.to.answer = func(n int, _ []wire.Span) reply { return reply{lost: n == 1} }
	if p := r.pass(); !p.Behind || r.cursor().Event != 0 {
		t.Errorf("%+v, cursor %+v", p, r.cursor())
	}
	r.now = r.cursor().Next
	r.fresh(ample)
	r.pass()
	r.atHead()
	if _, spans := r.to.count(); spans != 2*50*spansOfTurn || len(r.to.taken) != 50*spansOfTurn {
		t.Errorf("%d spans, %d of them different", spans, len(r.to.taken))
	}
	r.to.sameEachTime(t)
}

// TestKilledBeforeTheCursorMoved: another process sends the same again, in other batches.
func TestKilledBeforeTheCursorMoved(t *testing.T) {
	r := newRig(t, inStore(t, turns(t, 50)...))
	r.pass()
	was := r.cursor()
	must(t, r.store.SetCursor(t.Context(), &was, store.Cursor{Name: Name}))
	r.fresh(ample)
	r.sink.limit = 10_000
	r.pass()
	r.atHead()
	if _, spans := r.to.count(); spans != 2*50*spansOfTurn || len(r.to.taken) != 50*spansOfTurn {
		t.Errorf("%d spans, %d of them different", spans, len(r.to.taken))
	}
	r.to.sameEachTime(t)
}

// TestCursorMovedMeanwhile: somebody asks for everything again while it is sent.
func TestCursorMovedMeanwhile(t *testing.T) {
	r := newRig(t, inStore(t, turns(t, 3)...))
	r.sink.limit = 1 // a span a request
	moved := false
	r.to.answer = func(n int, _ []wire.Span) reply {
		if n == 9 && !moved {
			moved = true
			was := r.cursor()
			must(t, r.store.SetCursor(context.Background(), &was, store.Cursor{Name: Name}))
		}
		return reply{}
	}
	r.pass()
	r.atHead()
	for id, all := range r.to.taken {
		if len(all) < 1 || len(all) > 2 {
			t.Errorf("%x came %d times", id, len(all))
		}
	}
	if len(r.to.taken) != 3*spansOfTurn {
		t.Errorf("%d spans", len(r.to.taken))
	}
}

// poisoned answers 400 whenever a span of that name, and attributes, is in the request.
func poisoned(name string, onlyWhole bool) func(int, []wire.Span) reply {
	return func(_ int, spans []wire.Span) reply {
		for _, s := range spans {
			if s.Name == name && (!onlyWhole || len(s.Attrs) > 5) {
				return reply{status: http.StatusBadRequest}
			}
		}
		return reply{}
	}
}

func TestOnePoisonSpanOfMany(t *testing.T) {
	records := turns(t, 30)
	records[70] = made(t, 70, "gemini", "Poison", `{"session_id":"s"}`)
	r := newRig(t, inStore(t, records...))
	r.to.answer = poisoned("gemini.poison", false)
	if p := r.pass(); p.Events != 150 || p.Behind {
		t.Errorf("%+v", p)
	}
	r.atHead()
	if r.counter("spans_refused") != 1 || r.counter("spans_reduced") != 0 {
		t.Errorf("refused %d, reduced %d", r.counter("spans_refused"), r.counter("spans_reduced"))
	}
	for id, all := range r.to.taken {
		if len(all) != 1 {
			t.Errorf("%x came %d times", id, len(all))
		}
	}
	if requests, _ := r.to.count(); requests > 40 {
		t.Errorf("%d requests", requests)
	}
}

// TestReduced: a span that is refused for its attributes arrives without them.
func TestReduced(t *testing.T) {
	records := append(turns(t, 1), made(t, 70, "gemini", "Poison", `{"session_id":"s"}`))
	r := newRig(t, inStore(t, records...))
	r.to.answer = poisoned("gemini.poison", true)
	r.pass()
	r.atHead()
	if r.counter("spans_refused") != 0 || r.counter("spans_reduced") != 1 {
		t.Errorf("refused %d, reduced %d", r.counter("spans_refused"), r.counter("spans_reduced"))
	}
	if got := strings.Join(r.to.order, " "); !strings.Contains(got, "gemini.poison") {
		t.Error(got)
	}
}

// TestAWrongEndpointEatsNothing: one that refuses whatever it is sent.
func TestAWrongEndpointEatsNothing(t *testing.T) {
	for name, records := range map[string][]record.Record{"many": turns(t, 30), "one": turns(t, 1)[:1]} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, inStore(t, records...))
			r.to.answer = func(int, []wire.Span) reply { return reply{status: http.StatusBadRequest} }
			for range 3 {
				p := r.pass()
				if c := r.cursor(); !p.Behind || c.Event != 0 || c.Turn != 0 || c.Error == "" || c.Next.Sub(r.now) < 3*time.Second {
					t.Errorf("%+v, cursor %+v", p, c)
				}
				r.now = r.cursor().Next
			}
			if n := r.counter("spans_refused"); n != 0 {
				t.Errorf("%d dropped", n)
			}
			r.to.answer = nil
			r.pass()
			r.atHead()
			if _, spans := r.to.count(); spans < len(records) {
				t.Errorf("%d spans of %d events", spans, len(records))
			}
		})
	}
}

// TestEventsWithoutSpansProveNothing: that there was nothing to send of them is no sign of a destination that works.
func TestEventsWithoutSpansProveNothing(t *testing.T) {
	r := newRig(t, inStore(t, turns(t, 1)[:4]...)) // the last is a call that was denied, the one before it one that ended
	insert(t, r.store, made(t, 9, "gemini", "Notification", `{"session_id":"s"}`))
	r.sink.EventSpans = false
	r.to.answer = func(int, []wire.Span) reply { return reply{status: http.StatusBadRequest} }
	if p := r.pass(); !p.Behind || r.cursor().Event != 2 {
		t.Errorf("%+v, cursor %+v", p, r.cursor())
	}
}

// sender is a destination within this process.
type sender func() wire.Result

func (s sender) SendTraces(context.Context, wire.Traces) wire.Result { return s() }

// TestAcceptedWhileItEnds: what was accepted is noted, although the process is to end.
func TestAcceptedWhileItEnds(t *testing.T) {
	r := newRig(t, inStore(t, turns(t, 1)...))
	ctx, cancel := context.WithCancel(t.Context())
	r.sink.Client = sender(func() wire.Result { cancel(); return wire.Result{Outcome: wire.Accepted} })
	_, err := r.sink.Pass(ctx, r.store)
	must(t, err)
	r.atHead()
}

// TestTooLarge: the next requests are smaller from the start.
func TestTooLarge(t *testing.T) {
	r := newRig(t, inStore(t, turns(t, 200)...))
	refused := 0
	r.to.answer = func(_ int, spans []wire.Span) reply {
		if n := len(wire.AppendTraces(nil, wire.Protobuf, wire.Traces{{Spans: spans}})); n > 150_000 {
			refused++
			return reply{status: http.StatusRequestEntityTooLarge}
		}
		return reply{}
	}
	r.pass()
	r.atHead()
	if _, spans := r.to.count(); spans != 200*spansOfTurn || refused == 0 {
		t.Errorf("%d spans, %d requests too large", spans, refused)
	}
	was := r.cursor()
	must(t, r.store.SetCursor(t.Context(), &was, store.Cursor{Name: Name}))
	refused = 0
	r.pass()
	if refused > 0 {
		t.Errorf("%d more requests were too large", refused)
	}
}

// TestRequestsAreBounded: large events go in requests of their own.
func TestRequestsAreBounded(t *testing.T) {
	var records []record.Record
	for n := range 30 {
		records = append(records, made(t, n, "gemini", "AfterTool", `{"session_id":"s"`+strings.Repeat(fmt.Sprintf(`,"k%d":"%s"`, n, strings.Repeat("x", 90_000)), 1)+
			`,"a":"`+strings.Repeat("y", 100_000)+`","b":"`+strings.Repeat("z", 100_000)+`"}`))
	}
	r := newRig(t, inStore(t, records...))
	r.to.answer = func(_ int, spans []wire.Span) reply {
		if n := len(wire.AppendTraces(nil, wire.Protobuf, wire.Traces{{Spans: spans}})); n > requestBytes {
			t.Errorf("a request of %d bytes", n)
		}
		return reply{}
	}
	r.pass()
	r.atHead()
	if requests, spans := r.to.count(); spans != 30 || requests < 2 {
		t.Errorf("%d requests, %d spans", requests, spans)
	}
}

func TestSwitches(t *testing.T) {
	for _, c := range []struct {
		events, genai bool
		spans         int
	}{{true, true, 2 * spansOfTurn}, {true, false, 10}, {false, true, 6}, {false, false, 0}} {
		r := newRig(t, inStore(t, turns(t, 2)...))
		r.sink.EventSpans, r.sink.GenAISpans = c.events, c.genai
		r.pass()
		r.atHead()
		if requests, spans := r.to.count(); spans != c.spans || c.spans == 0 && requests > 0 {
			t.Errorf("%+v: %d requests, %d spans", c, requests, spans)
		}
	}
}

// TestNoCursor: the worker hasn't made one, so that nothing is to be sent.
func TestNoCursor(t *testing.T) {
	r := newRig(t, inStore(t, turns(t, 1)...))
	must(t, r.store.DropCursor(t.Context(), Name))
	if diff := cmp.Diff(worker.Passed{}, r.pass()); diff != "" {
		t.Error(diff)
	}
}

// TestAPanicIsOneEventLess: and it is counted once the cursor is behind it.
func TestAPanicIsOneEventLess(t *testing.T) {
	if New(Config{}).safely("id", func() { panic("odd") }) {
		t.Error("a panic is no success")
	}
	r := newRig(t, inStore(t, turns(t, 1)...))
	d := &delivery{sink: r.sink, store: r.store, cursor: r.cursor(), passed: &worker.Passed{}, counts: map[string]int64{}}
	b := batch{end: position{event: 1}}
	b.add(position{}, nil, source{}, countUnmapped)
	must(t, d.send(t.Context(), b.items))
	if r.counter("spans_unmapped") != 1 || r.cursor().Event != 1 || d.passed.Events != 1 {
		t.Errorf("counted %d, cursor %+v", r.counter("spans_unmapped"), r.cursor())
	}
}

// TestStateOfAnotherPlace: who moves the cursor by hand leaves no span out.
func TestStateOfAnotherPlace(t *testing.T) {
	r := newRig(t, inStore(t, turns(t, 1)...))
	must(t, r.store.SetCursor(t.Context(), nil, store.Cursor{Name: Name, Event: 2, State: position{1, 0, 1}.state()}))
	r.pass()
	if _, spans := r.to.count(); spans != 2+2+1+1 { // an After and its call, a denied Before and its call, the end, the turn
		t.Errorf("%d spans", spans)
	}
	must(t, r.store.SetCursor(t.Context(), nil, store.Cursor{Name: Name, Event: 2, Turn: 1, State: position{2, 1, 1}.state()}))
	r.pass()
	if _, spans := r.to.count(); spans != 6+4 { // the After's own span was done
		t.Errorf("%d spans", spans)
	}
}

// TestTurnsFollowTheirEvents: a backlog's traces are complete one after the other.
func TestTurnsFollowTheirEvents(t *testing.T) {
	r := newRig(t, inStore(t, turns(t, 300)...))
	r.pass()
	r.atHead()
	events, ended := 0, 0
	for _, name := range r.to.order {
		if name == "invoke_agent gemini" {
			ended++
		} else if strings.HasPrefix(name, "gemini.") {
			events++
		}
		if 5*ended > events {
			t.Fatalf("%d turns after %d events", ended, events)
		}
	}
	if ended != 300 || r.counter("calls_unmatched") != 0 {
		t.Errorf("%d turns, %d calls unmatched", ended, r.counter("calls_unmatched"))
	}
}

func TestRecentIsBounded(t *testing.T) {
	var c recent
	small := store.Placed{Bytes: 20_000}
	for n := range 3000 {
		small.Record.ID = fmt.Sprint(n)
		c.add(&small)
		c.add(&small)
	}
	if len(c.byID) != len(c.order) || c.bytes > recentBytes || len(c.byID) > recentEvents || c.byID["2999"] == nil || c.byID["0"] != nil {
		t.Errorf("%d events, %d bytes", len(c.byID), c.bytes)
	}
	was := len(c.order)
	c.add(&store.Placed{Record: record.Record{Event: canon.Event{ID: "large"}}, Bytes: 32 << 20})
	if len(c.order) != was {
		t.Error("a large one is remembered")
	}
}
