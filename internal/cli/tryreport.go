package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/collector"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/trial"
)

// check compares what came of the trial with what must.
func (t *tryRun) check() {
	denied := map[string]int{}
	for _, s := range t.steps {
		t.faults = append(t.faults, s.Faults()...)
		if _, ok := s.Denied(); ok && !bytes.Contains(s.Payload, []byte("git push")) {
			denied[s.Agent]++
		}
	}
	for _, agent := range tryAgents() {
		if denied[agent] != 1 {
			t.faults = append(t.faults, fmt.Sprintf("%s: one deletion was to be denied, %d calls were", agent, denied[agent]))
		}
	}
	if len(t.records) != len(t.steps) {
		t.faults = append(t.faults, fmt.Sprintf("%d events were played, %d are stored", len(t.steps), len(t.records)))
	}
	for i := 0; i < min(len(t.records), len(t.steps)); i++ {
		r, s := t.records[i], t.steps[i]
		if r.Agent != s.Agent || r.HostEvent != s.Event {
			t.faults = append(t.faults, fmt.Sprintf("event %d is stored as %s %s, played was %s %s", i+1, r.Agent, r.HostEvent, s.Agent, s.Event))
		}
		if g := r.Guard; g != nil && g.Fail != "" {
			t.faults = append(t.faults, fmt.Sprintf("%s %s: the guard gave no verdict: %s", r.Agent, r.HostEvent, g.Outcome))
		}
	}
	if path := t.leak(); path != "" {
		t.faults = append(t.faults, "the token in a command was written to "+path+" in clear")
	}
}

// leak looks for the planted secret in everything that was kept.
func (t *tryRun) leak() (found string) {
	_ = filepath.WalkDir(t.data, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil
		}
		if b, err := os.ReadFile(path); err == nil && bytes.Contains(b, []byte(t.secret)) {
			found = path
		}
		return nil
	})
	return found
}

func (t *tryRun) print(ctx context.Context) error {
	env := t.env
	err := env.sentence(fmt.Sprintf("Played %d hook events of %d agents through the hooks installed in a throw-away home:", len(t.steps), len(tryAgents())), 0)
	if err != nil {
		return err
	}
	if err := t.printAgents(); err != nil {
		return err
	}
	if err := env.sentence("What the guard objected to:", 0); err != nil {
		return err
	}
	p := &logPrinter{env: env}
	for i, line := range t.lines {
		if i >= len(t.records) || !objected(t.records[i]) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := p.print(line); err != nil {
			return err
		}
	}
	fmt.Fprintln(env.Stdout)
	if err := env.sentence("What the agents were told instead of running it:", 0); err != nil {
		return err
	}
	for _, s := range t.steps {
		if _, ok := s.Denied(); !ok {
			continue
		}
		label := "  " + fill(s.Agent, 11) + " "
		if err := env.hanging(label, plain(s.Answer()), len(label), env.columns()); err != nil {
			return err
		}
	}
	fmt.Fprintln(env.Stdout)
	if err := t.printSpans(); err != nil {
		return err
	}
	if len(t.faults) > 0 {
		return t.printFaults()
	}
	return t.printNext()
}

// printAgents prints a line for each agent.
func (t *tryRun) printAgents() error {
	for _, agent := range tryAgents() {
		events, denied, slowest := 0, 0, 0.0
		for _, s := range t.steps {
			if s.Agent != agent {
				continue
			}
			events++
			slowest = max(slowest, s.Result.Took.Seconds()*1000)
			if _, ok := s.Denied(); ok {
				denied++
			}
		}
		text := fmt.Sprintf("%s, %d denied, the slowest took %.0f ms", count(events, "event"), denied, slowest)
		label := "  " + fill(agent, 11) + " "
		if err := t.env.hanging(label, text, len(label), t.env.columns()); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(t.env.Stdout)
	return err
}

// objected tells a call that the guard denied, or wants reviewed.
func objected(r record.Record) bool {
	return r.Decision.Expressed != canon.Allow || r.Guard != nil && r.Guard.Outcome == "review"
}

func (t *tryRun) printFaults() error {
	fmt.Fprintln(t.env.Stdout, "Not as it should be:")
	for _, f := range t.faults {
		if err := t.env.sentence("  "+plain(f), 4); err != nil {
			return err
		}
	}
	return nil
}

func (t *tryRun) printNext() error {
	err := t.env.sentence(fmt.Sprintf("The guard was asked %d times. The slowest hook took %.0f ms of the agent's time. The access token in the push is nowhere on the disk and in no span. All of it took %.1f s.", t.guard.Asked(), t.slowest(), t.took.Seconds()), 0)
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(t.env.Stdout, layout(`
Next:
  boathook install           shows what it would change, and asks
  boathook log -f            then start the agent and watch
  boathook memory enable     have it remembered, and told to the next session`, t.env.helpWidth()))
	return err
}

func (t *tryRun) slowest() float64 {
	slowest := 0.0
	for _, s := range t.steps {
		slowest = max(slowest, s.Result.Took.Seconds()*1000)
	}
	return slowest
}

// playedStep is one hook in try's JSON.
type playedStep struct {
	Agent  string  `json:"agent"`
	Event  string  `json:"event"`
	Answer string  `json:"answer"`
	Stderr string  `json:"stderr"`
	Exit   int     `json:"exit"`
	TookMS float64 `json:"took_ms"`
	Denied bool    `json:"denied"`
}

func (t *tryRun) printJSON() error {
	out := struct {
		OK      bool              `json:"ok"`
		Faults  []string          `json:"faults"`
		Seconds float64           `json:"seconds"`
		Played  []playedStep      `json:"played"`
		Records []json.RawMessage `json:"records"`
		Spans   []*collector.Span `json:"spans"`
	}{OK: len(t.faults) == 0, Faults: append([]string{}, t.faults...), Seconds: t.took.Seconds()}
	for _, s := range t.steps {
		out.Played = append(out.Played, played(s))
	}
	for _, line := range t.lines {
		out.Records = append(out.Records, plainJSON(line))
	}
	for _, trace := range t.spans.traces() {
		out.Spans = append(out.Spans, trace.Spans()...)
	}
	doc, err := json.Marshal(out)
	if err != nil {
		return fmt.Errorf("print trial: %w", err)
	}
	_, err = fmt.Fprintf(t.env.Stdout, "%s\n", plainJSON(doc))
	return err
}

func played(s trial.Step) playedStep {
	_, denied := s.Denied()
	return playedStep{
		Agent: s.Agent, Event: s.Event, Answer: s.Result.Stdout, Stderr: s.Result.Stderr, Exit: s.Result.Exit,
		TookMS: s.Result.Took.Seconds() * 1000, Denied: denied,
	}
}
