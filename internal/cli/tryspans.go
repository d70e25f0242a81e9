package cli

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/collector"
	"github.com/boathook/boathook/internal/otlp"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/sink/progress"
)

// trySpans is the collector of a trial and what it received.
type trySpans struct {
	server *collector.Server

	mu     sync.Mutex
	forest *collector.Forest
	now    func() time.Time
}

func startTrySpans(ctx context.Context, env *Env) (*trySpans, error) {
	s := &trySpans{forest: collector.NewForest(collector.MaxSpans, collector.MaxBytes), now: env.Now}
	var err error
	s.server, err = collector.Start(ctx, collector.Options{Listen: "127.0.0.1:0", Traces: s.take})
	return s, err
}

func (s *trySpans) take(t otlp.Traces) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, span := range collector.Spans(t) {
		s.forest.Add(s.now(), span)
	}
}

// traces are all that came, in the order of their times.
func (s *trySpans) traces() []*collector.Trace {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.forest.Settled(s.now().Add(time.Hour), 0)
}

// all are the spans by their ids.
func (s *trySpans) all() map[string]*collector.Span {
	out := map[string]*collector.Span{}
	for _, t := range s.traces() {
		for _, span := range t.Spans() {
			out[hex.EncodeToString(span.SpanID[:])] = span
		}
	}
	return out
}

// close ends the collector. A worker that still sends finds nobody, which is no harm.
func (s *trySpans) close() {
	over, cancel := context.WithCancel(context.Background())
	cancel()
	_ = s.server.Close(over) // all that was wanted is here
}

// arrive waits until the worker has sent all that is stored.
func (t *tryRun) arrive(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, collectTime)
	defer cancel()
	env, _ := t.inner()
	settings, err := env.settings("")
	if err != nil {
		return err
	}
	for {
		left, err := backlogOf(ctx, t.data, settings)
		if err != nil {
			return err
		}
		if !left.behind(progress.Traces) {
			return nil
		}
		if pause(ctx, 20*time.Millisecond) != nil {
			t.faults = append(t.faults, "the collector did not get all spans in time: "+left.String())
			return nil
		}
	}
}

// checkSpans compares what the collector got with what is stored.
func (t *tryRun) checkSpans() {
	spans := t.spans.all()
	missing := 0
	turns := map[string]int{}
	for _, s := range spans {
		if s.Text("gen_ai.operation.name") == "invoke_agent" {
			turns[s.Text("gen_ai.agent.name")]++
		}
		if line, err := json.Marshal(s); err != nil || bytes.Contains(line, []byte(t.secret)) {
			t.faults = append(t.faults, "the token in a command was sent to the collector in clear, in "+s.Name)
		}
	}
	for _, r := range t.records {
		s := spans[r.SpanID]
		if s == nil {
			missing++
			continue
		}
		t.checkDenied(r, s)
	}
	if missing > 0 {
		t.faults = append(t.faults, fmt.Sprintf("%s reached the collector, of %s no span did", count(len(spans), "span"), count(missing, "event")))
	}
	for _, agent := range tryAgents() {
		if turns[agent] == 0 {
			t.faults = append(t.faults, agent+": no span of a turn reached the collector")
		}
	}
}

// checkDenied looks whether a call that was denied is seen as such.
func (t *tryRun) checkDenied(r record.Record, s *collector.Span) {
	if r.Decision.Expressed == canon.Deny && !denied(s) {
		t.faults = append(t.faults, fmt.Sprintf("%s %s: denied, and its span does not say so", r.Agent, r.HostEvent))
	}
}

// shownTraces is how many a terminal gets: all would push what was denied off the screen.
const shownTraces = 2

// printSpans shows the traces, all where a program reads them.
func (t *tryRun) printSpans() error {
	env := t.env
	if err := env.sentence("What an OpenTelemetry collector received of it:", 0); err != nil {
		return err
	}
	p := newTreePrinter(env)
	traces := t.spans.traces()
	shown := traces
	if env.IsTerminal {
		shown = traces[:min(len(traces), shownTraces)]
	}
	for _, trace := range shown {
		if err := p.print(trace, true); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(env.Stdout); err != nil {
			return err
		}
	}
	if left := len(traces) - len(shown); left > 0 {
		return env.sentence(fmt.Sprintf("And %s more, of the other agents: 'boathook try | less' shows them.\n", count(left, "trace")), 0)
	}
	return nil
}
