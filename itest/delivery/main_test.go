// Package delivery_test has the built worker send to a real OpenTelemetry Collector through everything that can go wrong
// on the way. At the end nothing that was recorded may be missing there, and what arrived twice must be the same twice.
package delivery_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/boathook/boathook/itest/build"
	"github.com/boathook/boathook/itest/faults"
	"github.com/boathook/boathook/itest/hooklab"
	"github.com/boathook/boathook/itest/otelcol"
)

var soak = flag.Bool("soak", false, "kill ten times as often, on ten times the events")

// longer is how much of something there is to be.
func longer(n int) int {
	if *soak {
		return 10 * n
	}
	return n
}

func TestMain(m *testing.M) {
	code := m.Run()
	build.Cleanup()
	os.Exit(code)
}

// secret is the value of a header for the endpoint. It may be in no log and no output.
const secret = "canary-5d41402abc4b2a76b9719d911017c592"

// world is a user's boathook, a collector, what it received, and a proxy before it.
type world struct {
	*hooklab.Lab
	*hooklab.Feed
	recorder  *otelcol.Recorder
	collector *otelcol.Collector
	proxy     *faults.Proxy
}

// newWorld has a collector that does not run yet. The worker sends through the proxy.
func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{recorder: otelcol.NewRecorder(t)}
	w.collector = otelcol.New(t, otelcol.Options{Recorder: w.recorder})
	w.proxy = faults.Start(t, w.collector.URL())
	w.Lab = hooklab.New(t, settings(w.proxy.Traces()))
	w.Feed = w.NewFeed("please do")
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("worker.log:\n%s\nthe collector:\n%s", w.WorkerLog(), w.collector.Log())
		}
	})
	return w
}

// impatient is for destinations that never answer; others have as long as a slow machine takes.
const impatient = "timeout_ms = 2000"

// settings send spans alone: metrics would come at times of their own.
func settings(endpoint string, more ...string) string {
	if !slices.Contains(more, impatient) {
		more = append([]string{"timeout_ms = 30000"}, more...)
	}
	lines := []string{"[telemetry]", fmt.Sprintf("endpoint = %q", endpoint), "metrics = false",
		fmt.Sprintf("headers = { Authorization = %q }", "Bearer "+secret)}
	return strings.Join(append(lines, more...), "\n")
}

// state is what `boathook telemetry status --json` says, as far as these tests look at it.
type state struct {
	NotStored int `json:"not_stored"`
	Sinks     []struct {
		Name     string
		Events   int64 `json:"behind_events"`
		Turns    int64 `json:"behind_turns"`
		Failures int   `json:"failed_tries"`
		Error    string
	}
	Counters map[string]int64
	Problems []string
}

func (w *world) state(t *testing.T) state {
	t.Helper()
	var s state
	if out := w.Must("telemetry", "status", "--json"); json.Unmarshal([]byte(out), &s) != nil {
		t.Fatalf("telemetry status --json: %s", out)
	}
	return s
}

// failing waits until the worker has noted that it could not send, and returns why.
func (w *world) failing(t *testing.T) string {
	t.Helper()
	var why string
	w.Until("a failure in telemetry status", func() bool {
		for _, s := range w.state(t).Sinks {
			why = s.Error
		}
		return why != ""
	})
	return why
}

// drain has everything stored and sent.
func (w *world) drain() { w.Must("worker", "drain", "--wait", "100s") }

// arrived waits until so many spans are there.
func (w *world) arrived(n int) {
	w.Until(fmt.Sprintf("%d spans in the collector", n), func() bool { return len(w.recorder.Spans()) >= n })
}

// spans are what arrived, but for those of `telemetry test`.
func (w *world) spans() []otelcol.Span {
	return slices.DeleteFunc(w.recorder.Spans(), func(s otelcol.Span) bool { return s.Name == "boathook.test" })
}

// check holds the promise: every span of what was recorded is there, and no other; the cursor is at the head; what was sent
// twice was the same twice; nothing said what the header holds.
func (w *world) check(t *testing.T) {
	t.Helper()
	if err := w.recorder.Err(); err != nil {
		t.Error(err)
	}
	got := map[string][]otelcol.Span{}
	for _, s := range w.spans() {
		got[s.SpanID] = append(got[s.SpanID], s)
		if s.JSON != got[s.SpanID][0].JSON {
			t.Errorf("span %s arrived in two forms:\n%s\n%s", s.SpanID, got[s.SpanID][0].JSON, s.JSON)
		}
	}
	missing, foreign := 0, 0
	for id := range w.Spans {
		if len(got[id]) == 0 {
			missing++
		}
	}
	for id := range got {
		if !w.Spans[id] {
			foreign++
		}
	}
	if missing > 0 || foreign > 0 {
		t.Errorf("of %d spans %d are missing, and %d others are there", len(w.Spans), missing, foreign)
	}
	for _, s := range w.state(t).Sinks {
		if s.Events != 0 || s.Turns != 0 || s.Error != "" {
			t.Errorf("sink %+v is not at the head", s)
		}
	}
	w.checkSilence(t)
}

// checkTwice bounds what arrived more than once: a kill costs no more than the one request that its acknowledgement was not
// noted of.
func (w *world) checkTwice(t *testing.T, kills int) {
	t.Helper()
	most, times, twice := 0, map[string]int{}, 0
	for _, r := range w.proxy.Requests() {
		sent, err := r.Sent()
		if err != nil {
			t.Error(err)
		}
		most = max(most, len(sent))
	}
	for _, s := range w.spans() {
		if times[s.SpanID]++; times[s.SpanID] > 1 {
			twice++
		}
	}
	if twice > kills*most {
		t.Errorf("%d spans came again; %d kills and requests of %d spans at most account for %d", twice, kills, most, kills*most)
	}
	t.Logf("%d of %d spans came again, after %d kills, with requests of %d at most", twice, len(times), kills, most)
}

// checkSilence looks for the header's value wherever boathook writes.
func (w *world) checkSilence(t *testing.T) {
	t.Helper()
	texts := map[string]string{"worker.log": w.WorkerLog()}
	for _, command := range []string{"telemetry status", "telemetry status --json", "status", "status --json", "doctor", "doctor --json", "log --json", "telemetry test"} {
		r := w.Run(strings.Fields(command)...)
		texts[command] = r.Stdout + r.Stderr
		if r.Stdout+r.Stderr == "" {
			t.Errorf("%s says nothing", command)
		}
	}
	for _, where := range slices.Sorted(maps.Keys(texts)) {
		if strings.Contains(texts[where], secret) {
			t.Errorf("%s has a header's value:\n%s", where, texts[where])
		}
	}
}

// checkSent holds what went over the wire: the same span has the same bytes each time, and was sent again only if the
// sender was not told that it had arrived. It returns how often each span was sent.
func (w *world) checkSent(t *testing.T) map[string]int {
	t.Helper()
	times, bytes, told := map[string]int{}, map[string]string{}, map[string]bool{}
	for _, r := range w.proxy.Requests() {
		sent, err := r.Sent()
		if err != nil {
			t.Error(err)
		}
		if got := r.Header.Get("Authorization"); len(sent) > 0 && got != "Bearer "+secret {
			t.Errorf("a request came with the header %q", got)
		}
		for _, s := range sent {
			if !w.Spans[s.SpanID] {
				continue // one of `telemetry test`
			}
			if times[s.SpanID] > 0 && bytes[s.SpanID] != s.Bytes {
				t.Errorf("span %s was sent in two forms:\n%q\n%q", s.SpanID, bytes[s.SpanID], s.Bytes)
			}
			if told[s.SpanID] {
				t.Errorf("span %s was sent again after it was acknowledged", s.SpanID)
			}
			times[s.SpanID]++
			bytes[s.SpanID] = s.Bytes
			told[s.SpanID] = told[s.SpanID] || r.Acknowledge
		}
	}
	for id := range w.Spans {
		if !told[id] {
			t.Errorf("span %s was never acknowledged", id)
		}
	}
	return times
}
