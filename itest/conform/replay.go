package conform

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/boathook/boathook/itest/agentlab"
	"github.com/boathook/boathook/itest/mockmodel"
)

// contract is what the documents of an agent say of its hooks, for agents that cannot be driven here: closed ones, and those that
// want a login. A replay plays the agent: it reads the installed hooks, starts them, and does what their answers mean by
// the contract. It shows what boathook does, and nothing of the agent.
type contract struct {
	// hooks reads the installed file as strictly as the agent does: command lines by event.
	hooks func(tb testing.TB, l *Lab) map[string][]string
	// wrap is the command line that the agent has its shell run, and what it writes to its standard input. Nil is the line as
	// it stands, and the payload.
	wrap func(command, payload string) (line, stdin string)
	// start is there instead of hooks, wrap and verdict where something other than hooks is told of events, and answers: it may
	// be gone with stop.
	start func(tb testing.TB, l *Lab) (tell func(event string, payload map[string]any) verdict, stop func())
	// events are the events of each moment, in the order in which they fire.
	events map[moment][]string
	// payload is what an event's hooks are told.
	payload func(l *Lab, event string, h happening) map[string]any
	// verdict is what an answer means.
	verdict func(event string, r agentlab.Result) verdict
	// command is the command line in a tool's input, result the text of a call that a hook denied.
	command func(input map[string]any) string
	denied  func(reason string) string
}

type moment string

const (
	atStart, atPrompt, atModel   moment = "start", "prompt", "model"
	atBefore, atAfter, atFailure moment = "before", "after", "failure"
	atAnswered, atStop, atEnd    moment = "answered", "stop", "end"
	maxTurns                            = 20
	nobody                              = "nobody is there to give permission"
)

// happening is what an event is about.
type happening struct {
	Prompt, Answer string
	Turn, Step     int
	Call           *mockmodel.Call
	Output         string
	Failed         bool
}

type verdict struct {
	deny, ask       bool
	reason, context string
	input           map[string]any
}

// replay is one session of a contract's agent.
type replay struct {
	contract
	l     *Lab
	model *replayModel
	hooks map[string][]string
	tell  func(event string, payload map[string]any) verdict
	out   Outcome
	steps int
}

func (c contract) run(tb testing.TB, l *Lab, s Session) Outcome {
	tb.Helper()
	r := &replay{contract: c, l: l, model: l.Model.(*replayModel)}
	if c.start != nil {
		tell, stop := c.start(tb, l)
		defer stop()
		r.tell = tell
	} else {
		r.hooks = c.hooks(tb, l)
	}
	r.fire(tb, atStart, happening{})
	if v := r.fire(tb, atPrompt, happening{Prompt: s.Prompt}); v.deny {
		r.out.Stdout += v.reason + "\n"
	} else {
		r.model.hear(s.Prompt)
		r.turns(tb, s)
	}
	r.fire(tb, atEnd, happening{})
	return r.out
}

func (r *replay) turns(tb testing.TB, s Session) {
	tb.Helper()
	for turn := range maxTurns {
		r.fire(tb, atModel, happening{Turn: turn})
		said := r.model.turn(s.Prompt, turn)
		r.fire(tb, atAnswered, happening{Turn: turn})
		for _, p := range said {
			if p.Call != nil {
				r.model.result(p.Call.ID, r.call(tb, *p.Call, s.Permit))
			}
		}
		if said.Calls() {
			continue
		}
		r.out.Stdout += said[0].Text + "\n"
		v := r.fire(tb, atStop, happening{Answer: said[0].Text, Turn: turn})
		if !v.deny {
			return
		}
		r.model.hear(v.reason)
	}
	tb.Fatalf("the replay of %s does not end", r.l.Agent.ID)
}

// call is one call of a tool: what the model is told of it.
func (r *replay) call(tb testing.TB, call mockmodel.Call, permit bool) string {
	tb.Helper()
	r.steps++
	v := r.fire(tb, atBefore, happening{Call: &call, Step: r.steps})
	if v.input != nil {
		call.Input = v.input
	}
	command := r.command(call.Input)
	switch {
	case v.deny:
		return r.denied(v.reason)
	case v.ask || !permit:
		r.out.Asked = append(r.out.Asked, command)
		return nobody
	}
	done := r.l.Lab.Run(tb, r.l.Work, nil, "/bin/sh", "-c", command)
	h := happening{Call: &call, Step: r.steps, Output: done.Stdout + done.Stderr, Failed: done.Code != 0}
	if h.Failed && len(r.events[atFailure]) > 0 {
		r.fire(tb, atFailure, h)
	} else {
		r.fire(tb, atAfter, h)
	}
	return fmt.Sprintf("exit code %d\n%s", done.Code, h.Output)
}

// fire runs the hooks of a moment. The strictest verdict counts; context is heard by the model.
func (r *replay) fire(tb testing.TB, m moment, h happening) verdict {
	tb.Helper()
	var all verdict
	for _, event := range r.events[m] {
		if r.tell != nil {
			r.take(&all, r.tell(event, r.payload(r.l, event, h)))
			continue
		}
		var payload bytes.Buffer
		out := json.NewEncoder(&payload) // a line
		out.SetEscapeHTML(false)
		agentlab.Must(tb, out.Encode(r.payload(r.l, event, h)))
		for _, command := range r.hooks[event] {
			line, stdin := command, payload.String()
			if r.wrap != nil {
				line, stdin = r.wrap(command, stdin)
			}
			r.take(&all, r.verdict(event, r.l.RunInput(tb, r.l.Work, nil, stdin, "/bin/sh", "-c", line)))
		}
	}
	return all
}

func (r *replay) take(all *verdict, v verdict) {
	all.deny, all.ask = all.deny || v.deny, all.ask || v.ask
	if v.reason != "" {
		all.reason = v.reason
	}
	if v.input != nil {
		all.input = v.input
	}
	if v.context != "" {
		r.model.hear(v.context)
	}
}

// replayModel is a model without a server: the replay asks it.
type replayModel struct {
	plays    mockmodel.Plays
	requests []mockmodel.Request
	heard    []string
	results  map[string]string
}

func startReplay(_ testing.TB, plays mockmodel.Plays) Model {
	return &replayModel{plays: plays, results: map[string]string{}}
}

func (m *replayModel) URL() string                   { return "" }
func (m *replayModel) Requests() []mockmodel.Request { return m.requests }
func (m *replayModel) Results() map[string]string    { return m.results }
func (m *replayModel) Reset()                        { m.requests, m.heard, m.results = nil, nil, map[string]string{} }
func (m *replayModel) Heard(text string) bool {
	return strings.Contains(strings.Join(m.heard, "\n"), text)
}
func (m *replayModel) hear(text string) { m.heard = append(m.heard, text) }

func (m *replayModel) result(id, text string) {
	m.results[id] = text
	m.hear(text)
}

func (m *replayModel) turn(prompt string, turns int) mockmodel.Turn {
	m.requests = append(m.requests, mockmodel.Request{Path: "replay", Body: strings.Join(m.heard, "\n")})
	return m.plays.Turn([]string{prompt}, turns)
}
