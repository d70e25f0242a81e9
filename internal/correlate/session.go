package correlate

import (
	"slices"
	"strings"
	"time"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/record"
)

// Session is what has to be remembered of one session of one agent. The zero value has seen nothing. It is kept as JSON.
type Session struct {
	TraceID  string `json:"trace_id,omitempty"`
	ParentID string `json:"parent_id,omitempty"`
	// TurnID is the turn that is open, or the last that was.
	TurnID string `json:"turn_id,omitempty"`
	// Turn is the open turn.
	Turn  *Turn     `json:"turn,omitempty"`
	Calls []call    `json:"calls,omitempty"`
	Last  time.Time `json:"last"`
}

// Valid tells whether a session that was read from JSON is one that was written.
func (s *Session) Valid() bool {
	return s.Turn == nil || s.Turn.ID != "" && s.Turn.ID == s.TurnID
}

// Key names the session of an event among all; it is empty for an event that says none, and such an event belongs to
// nothing else.
func Key(r *record.Record) string {
	if r.SessionID == "" {
		return ""
	}
	return r.Agent + "\x00" + r.SessionID
}

// promptless are agents without an event for the user's prompt: the first call of the model begins a turn, and a session
// has one trace (SPEC §10).
var promptless = map[string]bool{"antigravity": true}

// tasks are agents whose sessions start with a task, which is a turn: the Cline CLI tells hooks of no prompt (3.0.65), and where
// the task's own prompt comes, it comes first.
var tasks = map[string]bool{"cline": true}

// Next places the session's next event. It returns the turn that ended with it, or before it, if one did.
func (s *Session) Next(r *record.Record) (p Place, closed *Turn) {
	prompt := r.Event.Event == canon.PromptSubmit && r.SubagentID == ""
	if tasks[r.Agent] {
		fresh := s.Turn != nil && s.Turn.Events == 1
		prompt = prompt && !fresh || r.Event.Event == canon.SessionStart
	}
	switch {
	case r.Event.Event == canon.SessionStart && r.Source != "compact":
		// A session that starts has no agent that still works on a turn or a call.
		if s.Turn != nil {
			closed = s.end(Abandoned)
		}
		s.Calls = nil
	case prompt && s.Turn != nil:
		closed = s.end(Interrupted)
	}
	if s.TraceID == "" || prompt {
		s.TraceID, s.ParentID = begin(r)
	}
	if prompt || s.Turn == nil && goesOn(r) {
		s.open(r)
	}
	p = Place{TraceID: s.TraceID, ParentID: s.ParentID, TurnID: s.TurnID}
	s.pair(r, &p)
	s.count(r, p)
	s.Last = r.Time
	switch {
	case s.Turn == nil:
	case r.Event.Event == canon.AgentStop && r.SubagentID == "":
		closed = s.end(outcome(r))
	case r.Event.Event == canon.SessionStop:
		closed = s.end(Interrupted)
	}
	return p, closed
}

// goesOn tells whether an agent that was done begins again without a prompt: at the first call of the model, where there are no
// prompts, or when a task that ran in the background comes back. It is a new turn of the same trace.
func goesOn(r *record.Record) bool {
	return promptless[r.Agent] && r.Event.Event == canon.ModelBefore ||
		r.Event.Event == canon.Notified && r.Source == "continuation" && r.SubagentID == ""
}

// outcome of a turn that the agent ended. These events stand for a stop that was none of its own: the user broke it off, or
// the model could not be reached.
func outcome(r *record.Record) Outcome {
	if r.HostEvent == "Interrupt" || r.HostEvent == "StopFailure" {
		return Interrupted
	}
	return Completed
}

// Sweep ends a turn of which nothing was heard since before limit.
func (s *Session) Sweep(limit time.Time) (closed *Turn) {
	if s.Turn == nil || !s.Last.Before(limit) {
		return nil
	}
	return s.end(Abandoned)
}

func (s *Session) open(r *record.Record) {
	// What still seems to run was cancelled before the next prompt could come; but for a subagent's calls, which go on while
	// the agent waits for a prompt.
	s.Calls = slices.DeleteFunc(s.Calls, func(c call) bool { return c.Subagent == "" })
	s.TurnID = r.ID
	s.Turn = &Turn{
		ID: r.ID, Agent: r.Agent, Product: r.Product, SessionID: r.SessionID, TraceID: s.TraceID, ParentID: s.ParentID,
		TraceState: r.TraceState, Start: r.Time, First: r.ID, HookVersion: r.Hook.Version,
	}
}

// count adds an event to the open turn.
func (s *Session) count(r *record.Record, p Place) {
	t := s.Turn
	if t == nil {
		return
	}
	t.Events++
	t.Last = r.ID
	if r.Time.After(t.End) {
		t.End = r.Time
	}
	if p.Pairing != "" && p.Pairing != Open {
		t.add(p.Pairing, 1)
	}
	if p.Pairing.Proven() && r.Tool != nil && r.Tool.Status == "error" {
		t.Failed++
	}
	if r.Model != "" && r.SubagentID == "" {
		t.Model = r.Model
	}
	if r.Reason != "" && r.Event.Event == canon.AgentStop {
		t.Reason = r.Reason
	}
	if u := r.Usage; u != nil {
		t.InputTokens += u.InputTokens
		t.OutputTokens += u.OutputTokens
	}
}

func (t *Turn) add(p Pairing, n int) {
	if t.Calls == nil {
		t.Calls = map[Pairing]int{}
	}
	t.Calls[p] += n
}

// end closes the open turn. Its calls stay open: a tool may outlive the turn, and its After is proven all the same.
func (s *Session) end(o Outcome) *Turn {
	t := s.Turn
	s.Turn = nil
	t.Outcome = o
	if t.End.Before(t.Start) {
		t.End = t.Start // the clock was set back
	}
	for i := range s.Calls {
		if !s.Calls[i].Counted {
			s.Calls[i].Counted = true
			t.add(Unmatched, 1)
		}
	}
	return t
}

// begin gives the trace that an event begins, and the remote parent where its environment named one.
func begin(r *record.Record) (traceID, parentID string) {
	if parts := strings.Split(r.TraceParent, "-"); len(parts) >= 4 && len(parts[1]) == 32 && len(parts[2]) == 16 {
		return parts[1], parts[2]
	}
	return TraceID(r.ID), ""
}

// Alone places an event that belongs to no session.
func Alone(r *record.Record) Place {
	var p Place
	p.TraceID, p.ParentID = begin(r)
	switch {
	case r.Tool == nil:
	case r.Event.Event == canon.ToolBefore && r.Decision.Expressed == canon.Deny:
		p.Pairing = Blocked
	case r.Event.Event == canon.ToolBefore:
		p.Pairing = Open
	case isAfter(r):
		p.Pairing = Unmatched
	}
	return p
}
