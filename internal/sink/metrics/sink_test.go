package metrics

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/otlp"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/worker"
)

func attr(pairs ...string) (out []otlp.Attr) {
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, otlp.Attr{Key: pairs[i], Value: pairs[i+1]})
	}
	return out
}

// TestRequest is everything that one request has.
func TestRequest(t *testing.T) {
	l := newLab(t)
	denied := func(r *record.Record) {
		r.Decision = record.Decision{Action: canon.Deny, Expressed: canon.Deny, Source: "remote_guard", Reason: "canary", Rule: "canary"}
		r.Guard = &record.Guard{Outcome: "deny", Reason: "canary", Rule: "canary", DurationMS: 7}
		r.Hook.LatencyMS, r.Hook.Redactions = 9, map[string]int{"aws_key": 2, "jwt": 1}
	}
	ended := func(r *record.Record) { r.Event.Event, r.HostEvent = canon.SessionStop, "SessionEnd" }
	prompt := func(r *record.Record) { r.Event.Event, r.HostEvent = canon.PromptSubmit, "BeforeAgent" }
	l.insert(made(0, prompt), made(1), made(2, denied), made(3, ended))
	must(t, l.store.AddCounter(t.Context(), worker.CounterDropped, 3))
	must(t, l.store.SetCursor(t.Context(), nil, store.Cursor{Name: "otlp", Event: 1, Tries: 2}))
	l.files = 2
	l.now = begin.Add(time.Minute)
	passed := l.pass()
	if passed.Events != 4 || passed.Turns != 1 {
		t.Errorf("passed %+v", passed)
	}

	start, at := uint64(l.now.UnixNano()), uint64(l.now.UnixNano())+1
	number := func(value any, pairs ...string) otlp.Number {
		return otlp.Number{Attrs: attr(pairs...), Start: start, Time: at, Value: value}
	}
	gauge := func(value any, pairs ...string) otlp.Number {
		return otlp.Number{Attrs: attr(pairs...), Time: at, Value: value}
	}
	took := func(sum float64, count uint64, bucket int, name string, pairs ...string) otlp.Histogram {
		h := otlp.Histogram{Attrs: attr(pairs...), Start: start, Time: at, Count: count, Sum: sum, Bounds: boundsOf(name)}
		h.Counts = make([]uint64, len(h.Bounds)+1)
		h.Counts[bucket] = count
		return h
	}
	both := took(0.002+0.009, 1, 1, hookDuration, attrAgent, "gemini", "boathook.event.kind", "tool:before")
	both.Count, both.Counts[3] = 2, 1
	want := map[string]otlp.Metric{
		hookDuration: {Unit: "s", Histogram: []otlp.Histogram{
			took(0.002, 1, 1, hookDuration, attrAgent, "gemini", "boathook.event.kind", "prompt:submit"),
			took(0.002, 1, 1, hookDuration, attrAgent, "gemini", "boathook.event.kind", "session:stop"), both,
		}},
		payloadSize: {Unit: "By", Histogram: []otlp.Histogram{took(1200, 4, 1, payloadSize, attrAgent, "gemini")}},
		decisions: {Unit: "{decision}", Sum: []otlp.Number{
			number(int64(3), attrAgent, "gemini", "boathook.decision.action", "allow", "boathook.decision.expressed", "allow", "boathook.decision.source", "default"),
			number(int64(1), attrAgent, "gemini", "boathook.decision.action", "deny", "boathook.decision.expressed", "deny", "boathook.decision.source", "remote_guard"),
		}},
		guardAsked: {Unit: "{request}", Sum: []otlp.Number{number(int64(1), "boathook.guard.outcome", "deny")}},
		guardTook:  {Unit: "s", Histogram: []otlp.Histogram{took(0.007, 1, 3, guardTook, "boathook.guard.outcome", "deny")}},
		redactions: {Unit: "{redaction}", Sum: []otlp.Number{
			number(int64(2), "boathook.redaction.type", "aws_key"), number(int64(1), "boathook.redaction.type", "jwt"),
		}},
		turns:                         {Unit: "{turn}", Sum: []otlp.Number{number(int64(1), attrAgent, "gemini", "boathook.turn.outcome", "interrupted")}},
		"boathook.events.dropped":     {Unit: "{event}", Sum: []otlp.Number{number(int64(3))}},
		"boathook.events.quarantined": {Unit: "{event}", Sum: []otlp.Number{number(int64(0))}},
		"boathook.events.not_kept":    {Unit: "{event}", Sum: []otlp.Number{number(int64(0))}},
		"boathook.stores.corrupt":     {Unit: "{store}", Sum: []otlp.Number{number(int64(0))}},
		"boathook.spans.rejected":     {Unit: "{span}", Sum: []otlp.Number{number(int64(0))}},
		"boathook.spans.refused":      {Unit: "{span}", Sum: []otlp.Number{number(int64(0))}},
		"boathook.points.rejected":    {Unit: "{point}", Sum: []otlp.Number{number(int64(0))}},
		"boathook.spool.depth":        {Unit: "{event}", Gauge: []otlp.Number{gauge(int64(2))}},
		"boathook.spool.size":         {Unit: "By", Gauge: []otlp.Number{gauge(int64(200))}},
		"boathook.spool.age":          {Unit: "s", Gauge: []otlp.Number{gauge(60.0)}},
		"boathook.sink.lag":           {Unit: "{event}", Gauge: []otlp.Number{gauge(int64(0), "boathook.sink", "metrics"), gauge(int64(3), "boathook.sink", "traces")}},
		"boathook.sink.tries":         {Unit: "{try}", Gauge: []otlp.Number{gauge(int64(0), "boathook.sink", "metrics"), gauge(int64(2), "boathook.sink", "traces")}},
	}
	got := l.last()
	for name, m := range got {
		if m.Description == "" || !strings.HasPrefix(name, "boathook.") {
			t.Errorf("%s has no description", name)
		}
		m.Name, m.Description = "", ""
		got[name] = m
	}
	near := cmp.Comparer(func(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 })
	if diff := cmp.Diff(want, got, near); diff != "" {
		t.Error(diff)
	}
	if text := string(otlp.AppendMetrics(nil, otlp.JSON, l.got[0])); strings.Contains(text, "canary") {
		t.Error("a request has content")
	}
}

func TestResource(t *testing.T) {
	l := newLab(t)
	l.events(1)
	l.pass()
	rm := l.got[0][0]
	has := map[string]any{}
	for _, a := range rm.Resource.Attrs {
		has[a.Key] = a.Value
	}
	instance, _ := has["service.instance.id"].(string)
	if has["service.name"] != "boathook" || has["service.version"] != "v1" || has["team"] != "blue" || len(instance) != 36 || rm.Scope != (otlp.Scope{Name: "boathook", Version: "v1"}) {
		t.Errorf("%v %v", has, rm.Scope)
	}
	l.restart()
	l.now = l.now.Add(time.Hour)
	l.events(1)
	l.pass()
	if diff := cmp.Diff(rm.Resource, l.got[1][0].Resource); diff != "" {
		t.Errorf("another worker, another resource: %s", diff)
	}
}

// TestWhenItSends: at once, then at the interval, and before the worker leaves.
func TestWhenItSends(t *testing.T) {
	l := newLab(t)
	l.events(3)
	if got := l.pass(); got.Behind || len(l.got) != 1 || l.decided() != 3 {
		t.Fatalf("first: %+v, %d requests", got, len(l.got))
	}
	if got := l.pass(); got.Behind || got.Events != 0 || len(l.got) != 1 {
		t.Fatalf("nothing new: %+v, %d requests", got, len(l.got))
	}
	l.now = l.now.Add(10 * time.Second)
	l.events(2)
	got := l.pass()
	if want := (worker.Passed{Events: 2, Behind: true, Next: l.now.Add(foldEvery)}); got != want || len(l.got) != 1 {
		t.Fatalf("held back: %+v, %d requests", got, len(l.got))
	}
	l.now = l.now.Add(50 * time.Second)
	if got := l.pass(); got.Behind || len(l.got) != 2 || l.decided() != 5 {
		t.Fatalf("at the interval: %+v, %d requests", got, len(l.got))
	}
	l.now = l.now.Add(time.Hour)
	if l.pass(); len(l.got) != 2 {
		t.Fatalf("nothing new for an hour: %d requests", len(l.got))
	}
	l.events(1)
	l.pass()
	l.events(1)
	if got := l.pass(); !got.Behind || len(l.got) != 3 {
		t.Fatalf("held back again: %+v", got)
	}
	passed, err := l.sink.Pass(flushingContext(t), l.store)
	must(t, err)
	if passed.Behind || len(l.got) != 4 || l.decided() != 7 {
		t.Fatalf("before it leaves: %+v, %d requests", passed, len(l.got))
	}
	l.now = l.now.Add(-24 * time.Hour)
	l.events(1)
	if l.pass(); len(l.got) != 5 {
		t.Fatalf("clock set back: %d requests", len(l.got))
	}
}

// TestGaugesThatMove: while events wait somewhere, what is sent is kept up to date without any new one.
func TestGaugesThatMove(t *testing.T) {
	l := newLab(t)
	must(t, l.store.SetCursor(t.Context(), nil, store.Cursor{Name: "otlp"}))
	l.events(2)
	if got := l.pass(); !got.Behind {
		t.Fatalf("%+v", got)
	}
	l.now = l.now.Add(time.Minute)
	if got := l.pass(); !got.Behind || len(l.got) != 2 {
		t.Fatalf("%+v, %d requests", got, len(l.got))
	}
	must(t, l.store.SetCursor(t.Context(), nil, store.Cursor{Name: "otlp", Event: 2}))
	l.now = l.now.Add(time.Minute)
	if got := l.pass(); got.Behind || len(l.got) != 3 || l.last()["boathook.sink.lag"].Gauge[1].Value != int64(0) {
		t.Fatalf("%+v, %v", got, l.last()["boathook.sink.lag"])
	}
	l.now = l.now.Add(time.Minute)
	if l.pass(); len(l.got) != 3 {
		t.Fatalf("%d requests", len(l.got))
	}
}

// TestNothingIsCountedTwice: over many workers, batches and a restart between any two of them.
func TestNothingIsCountedTwice(t *testing.T) {
	l := newLab(t)
	const all = 2*eventsAtOnce + 500
	l.events(all)
	if got := l.pass(); got.Events != all || l.decided() != all {
		t.Fatalf("%+v, %d decisions", got, l.decided())
	}
	began := l.counts().Start
	for range 20 {
		l.restart()
		l.now = l.now.Add(time.Minute)
		l.events(7)
		l.pass()
	}
	if l.decided() != all+140 || l.counts().Start != began {
		t.Fatalf("%d decisions since %d", l.decided(), l.counts().Start)
	}
	for _, m := range l.last() {
		for _, p := range m.Sum {
			if int64(p.Start) != began || p.Time <= p.Start {
				t.Errorf("%s from %d to %d", m.Name, p.Start, p.Time)
			}
		}
	}
}

// TestLongPass: a backlog that takes longer than the interval doesn't keep the numbers back.
func TestLongPass(t *testing.T) {
	l := newLab(t)
	l.events(3 * eventsAtOnce)
	now := l.sink.Now
	l.sink.Now = func() time.Time { l.now = l.now.Add(time.Minute); return now() }
	l.pass()
	if len(l.got) < 3 || l.decided() != 3*eventsAtOnce {
		t.Errorf("%d requests, %d decisions", len(l.got), l.decided())
	}
}

// TestLostStateBeginsAnew: another start, another instance, and counters of the store from there on.
func TestLostStateBeginsAnew(t *testing.T) {
	for name, broken := range map[string][]byte{
		"none": nil, "rubbish": []byte("rubbish"), "another version": []byte(`{"v":99,"start":1,"instance":"i"}`),
		"other bounds": []byte(`{"v":1,"start":1,"instance":"i","histograms":{"boathook.hook.duration":{"a|b":{"sum":1,"counts":[1]}}}}`),
		"null":         []byte(`{"v":1,"start":1,"instance":"i","histograms":{"boathook.hook.duration":{"a|b":null}}}`),
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			l.events(3)
			must(t, l.store.AddCounter(t.Context(), worker.CounterDropped, 5))
			l.pass()
			first := l.counts()
			c := l.cursor()
			c.State = broken
			must(t, l.store.SetCursor(t.Context(), nil, c))
			l.now = l.now.Add(time.Minute)
			l.events(2)
			must(t, l.store.AddCounter(t.Context(), worker.CounterDropped, 1))
			l.pass()
			second := l.counts()
			if second.Start <= first.Start || second.Instance == first.Instance || l.decided() != 2 {
				t.Errorf("%+v after %+v", second, first)
			}
			// All six were counted before the first look at the new state.
			if got := l.last()["boathook.events.dropped"].Sum[0].Value; got != int64(0) {
				t.Errorf("dropped %v", got)
			}
			must(t, l.store.AddCounter(t.Context(), worker.CounterDropped, 4))
			l.now = l.now.Add(time.Minute)
			l.events(1)
			l.pass()
			if got := l.last()["boathook.events.dropped"].Sum[0].Value; got != int64(4) {
				t.Errorf("dropped %v", got)
			}
		})
	}
}

func TestCardinality(t *testing.T) {
	l := newLab(t)
	var records []record.Record
	for n := range maxSets + 200 {
		records = append(records, made(n, func(r *record.Record) { r.Hook.Redactions = map[string]int{fmt.Sprint("type", n): 1} }))
	}
	l.insert(records...)
	l.pass()
	var total, beyond int64
	points := l.last()[redactions].Sum
	for _, p := range points {
		total += p.Value.(int64)
		if p.Attrs[0].Key == "otel.metric.overflow" {
			beyond = p.Value.(int64)
		}
	}
	if total != maxSets+200 || beyond < 200 || len(points) > maxSets {
		t.Errorf("%d in %d sets, %d of them beyond", total, len(points), beyond)
	}
	l.restart()
	l.insert(made(5000, func(r *record.Record) { r.Agent = "late" }))
	l.now = l.now.Add(time.Hour)
	l.pass()
	if l.counts().sets > maxSets {
		t.Errorf("%d sets", l.counts().sets)
	}
}

func TestValuesAreWords(t *testing.T) {
	for in, want := range map[string]string{
		"tool:before": "tool:before", "status_503": "status_503", "": other, "two words": other, "a|b": other, "비밀": other,
		strings.Repeat("x", maxWord): strings.Repeat("x", maxWord), strings.Repeat("x", maxWord+1): other, "line\nbreak": other,
	} {
		if got := word(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestFailures: counting goes on, the endpoint is left alone for a while, and nothing is lost.
func TestFailures(t *testing.T) {
	for name, tc := range map[string]struct {
		answer otlp.Result
		waits  bool // the worker stays for it
		atMost time.Duration
	}{
		"retry":         {otlp.Result{Outcome: otlp.Retry, Message: "busy"}, true, retryBase},
		"retry after":   {otlp.Result{Outcome: otlp.Retry, Message: "busy", RetryAfter: 10 * time.Minute}, true, 10 * time.Minute},
		"misconfigured": {otlp.Result{Outcome: otlp.Misconfigured, Status: 404, Message: "not found"}, false, brokenBase},
		"refused":       {otlp.Result{Outcome: otlp.Refused, Status: 400, Message: "bad"}, false, brokenBase},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			l.answer = tc.answer
			l.events(2)
			if got := l.pass(); got.Behind != tc.waits || got.Events != 2 {
				t.Fatalf("%+v", got)
			}
			c := l.cursor()
			if c.Tries != 1 || c.Error != tc.answer.Message || !c.Next.IsZero() || c.Event != 2 {
				t.Fatalf("%+v", c)
			}
			wait := time.Duration(l.counts().Wait - l.now.UnixNano())
			if wait < max(retryBase/2, tc.answer.RetryAfter) || wait > tc.atMost {
				t.Fatalf("waits %v", wait)
			}
			l.restart() // another worker keeps the peace, and counts
			l.answer.Outcome = otlp.Accepted
			l.events(3)
			if got := l.pass(); got.Events != 3 || len(l.got) != 0 {
				t.Fatalf("%+v, %d requests", got, len(l.got))
			}
			if _, err := l.sink.Pass(flushingContext(t), l.store); err != nil || len(l.got) != 0 {
				t.Fatalf("flushed: %d requests, %v", len(l.got), err)
			}
			l.now = l.now.Add(wait)
			if got := l.pass(); got.Behind || len(l.got) != 1 || l.decided() != 5 {
				t.Fatalf("%+v, %d requests", got, len(l.got))
			}
			if c := l.cursor(); c.Tries != 0 || c.Error != "" || l.counts().Wait != 0 {
				t.Fatalf("%+v", c)
			}
		})
	}
}

// TestWaitsGrow and end, each failure logged once for each change; after a few the worker doesn't stay for another.
func TestWaitsGrow(t *testing.T) {
	l := newLab(t)
	l.answer = otlp.Result{Outcome: otlp.Retry, Message: "busy"}
	l.events(1)
	for try := 1; try <= 20; try++ {
		got := l.pass()
		if want := try < retries; got.Behind != want {
			t.Errorf("try %d: %+v", try, got)
		}
		wait := time.Duration(l.counts().Wait - l.now.UnixNano())
		bound := maxBackoff
		if try < 9 {
			bound = min(retryBase<<(try-1), maxBackoff)
		}
		if l.cursor().Tries != try || wait < bound/2 || wait > bound {
			t.Errorf("try %d waits %v of %v", try, wait, bound)
		}
		l.now = l.now.Add(wait)
	}
	l.answer.Message = "still busy"
	l.pass()
	l.now = l.now.Add(maxBackoff)
	l.answer = otlp.Result{Outcome: otlp.Accepted}
	l.pass()
	if n := strings.Count(l.log.String(), "metrics are not taken"); n != 2 || !strings.Contains(l.log.String(), "taken again") {
		t.Errorf("logged %d times: %s", n, l.log.String())
	}
}

// TestAClockThatWasWrong must not keep the peace for years.
func TestAClockThatWasWrong(t *testing.T) {
	l := newLab(t)
	l.now = begin.AddDate(10, 0, 0)
	l.answer = otlp.Result{Outcome: otlp.Misconfigured, Message: "no"}
	l.events(1)
	l.pass()
	l.now, l.answer.Outcome = begin, otlp.Accepted
	if l.pass(); len(l.got) != 1 {
		t.Errorf("%d requests", len(l.got))
	}
}

func TestPartialSuccess(t *testing.T) {
	l := newLab(t)
	l.answer = otlp.Result{Outcome: otlp.Accepted, Rejected: 2, Message: "too old"}
	for range 2 {
		l.events(1)
		l.pass()
		l.now = l.now.Add(time.Minute)
	}
	l.answer = otlp.Result{Outcome: otlp.Accepted}
	l.events(1)
	l.pass()
	if got := l.last()["boathook.points.rejected"].Sum[0].Value; got != int64(4) {
		t.Errorf("rejected %v", got)
	}
	if n := strings.Count(l.log.String(), "too old"); n != 1 {
		t.Errorf("logged %d times", n)
	}
}

func TestNoCursor(t *testing.T) {
	l := newLab(t)
	l.events(1)
	must(t, l.store.DropCursor(t.Context(), Name))
	if got := l.pass(); got != (worker.Passed{}) || len(l.got) != 0 {
		t.Errorf("%+v, %d requests", got, len(l.got))
	}
}

func TestStopped(t *testing.T) {
	l := newLab(t)
	l.events(1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if passed, err := l.sink.Pass(ctx, l.store); err != nil && !errors.Is(err, context.Canceled) || passed.Events != 0 && !passed.Behind {
		t.Errorf("%+v, %v", passed, err)
	}
	if l.restart(); l.pass().Events != 1 || l.decided() != 1 {
		t.Errorf("%d decisions", l.decided())
	}
}

// TestSpoolThatCannotBeRead has no gauges, and the rest is sent.
func TestSpoolThatCannotBeRead(t *testing.T) {
	l := newLab(t)
	l.sink.Usage = func() (int, int64, time.Time, error) { return 0, 0, time.Time{}, errGone }
	l.events(1)
	l.pass()
	if _, ok := l.last()["boathook.spool.depth"]; ok || l.decided() != 1 {
		t.Errorf("%v", l.last())
	}
}

// TestCursorThatMoves: somebody begins anew in between.
func TestCursorThatMoves(t *testing.T) {
	l := newLab(t)
	l.events(2)
	l.sink.Usage = func() (int, int64, time.Time, error) {
		l.sink.Usage = nil
		l.events(1)
		must(t, l.store.SetCursor(t.Context(), nil, store.Cursor{Name: Name, Event: 3}))
		return 0, 0, time.Time{}, nil
	}
	l.pass()
	l.now = l.now.Add(time.Minute)
	l.events(4)
	l.pass()
	if l.decided() != 4 {
		t.Errorf("%d decisions", l.decided())
	}
}

// TestSentAndNotWritten: counts that were taken don't go again while that can't be noted, nor is an endpoint asked again
// that wants to be left alone.
func TestSentAndNotWritten(t *testing.T) {
	for _, answer := range []otlp.Result{
		{Outcome: otlp.Accepted, Rejected: 2}, {Outcome: otlp.Retry, Message: "busy", RetryAfter: 30 * time.Minute},
	} {
		l := newLab(t)
		asked := 0
		l.sink.Client = sender(func() otlp.Result { asked++; return answer })
		l.events(1)
		l.sink.Usage = func() (int, int64, time.Time, error) { // counted, and not sent yet
			l.exec("CREATE TRIGGER broken BEFORE UPDATE ON cursors BEGIN SELECT RAISE(FAIL, 'disk is full'); END")
			return 0, 0, time.Time{}, nil
		}
		for range 3 {
			if _, err := l.sink.Pass(t.Context(), l.store); err == nil {
				t.Error("no error")
			}
			l.sink.Usage = nil
			l.now = l.now.Add(time.Minute)
		}
		l.exec("DROP TRIGGER broken")
		l.now = begin.Add(5 * time.Second)
		l.pass()
		counts, err := l.store.Counters(t.Context())
		must(t, err)
		if c := l.cursor(); asked != 1 || counts[countRejected] != answer.Rejected || c.Error != answer.Message {
			t.Errorf("asked %d times, counted %d, cursor %+v", asked, counts[countRejected], c)
		}
	}
}

// TestACursorThatDoesNotMove: a pass ends.
func TestACursorThatDoesNotMove(t *testing.T) {
	l := newLab(t)
	l.events(1)
	l.exec("CREATE TRIGGER broken BEFORE UPDATE ON cursors BEGIN SELECT RAISE(IGNORE); END")
	for range 2 {
		if _, err := l.sink.Pass(t.Context(), l.store); err == nil {
			t.Error("no error")
		}
	}
	l.exec("DROP TRIGGER broken")
	l.pass()
	if l.decided() != 1 {
		t.Errorf("%d decisions", l.decided())
	}
}
