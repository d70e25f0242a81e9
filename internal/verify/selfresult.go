package verify

import (
	"errors"
	"io/fs"
	"slices"

	"github.com/boathook/boathook/internal/shellquote"
)

// Selftest is what came of one.
type Selftest struct {
	OK bool `json:"ok"`
	// Runs counts the hooks that were started.
	Runs   int            `json:"runs"`
	Agents []*AgentResult `json:"agents"`
	// Faults are those of no agent.
	Faults []Fault `json:"faults,omitempty"`
}

// Fault is something that is wrong, and what helps.
type Fault struct {
	Text string `json:"text"`
	Cure string `json:"cure,omitempty"`
}

// AgentResult is one agent's part.
type AgentResult struct {
	Agent     string `json:"agent"`
	Title     string `json:"title"`
	Installed bool   `json:"installed"`
	// File is where the agent reads its hooks; Program and Config are what they run and read.
	File    string         `json:"file"`
	Program string         `json:"program,omitempty"`
	Config  string         `json:"config,omitempty"`
	Events  []*EventResult `json:"events"`
	Faults  []Fault        `json:"faults,omitempty"`
	// Notes are no faults: usual events that are not registered, problems of the config.
	Notes []string `json:"notes,omitempty"`

	// project is the project that the hooks are in, empty where they are the user's own.
	project string
}

// EventResult is one event's part.
type EventResult struct {
	Event string `json:"event"`
	OK    bool   `json:"ok"`
	// Forms are the ways in which the command was started, Answers what the guard said and the agent was told.
	Forms     []string `json:"forms"`
	Answers   []string `json:"answers,omitempty"`
	Runs      int      `json:"runs"`
	SlowestMS float64  `json:"slowest_ms"`
	Faults    []Fault  `json:"faults,omitempty"`
}

func (t *tester) finish() *Selftest {
	t.out.OK = len(t.out.Faults) == 0
	tested := false
	for _, a := range t.out.Agents {
		t.out.OK = t.out.OK && len(a.Faults) == 0
		for _, e := range a.Events {
			e.OK = len(e.Faults) == 0
			t.out.OK = t.out.OK && e.OK
			t.out.Runs += e.Runs
			tested = true
		}
	}
	t.out.OK = t.out.OK && tested
	return t.out
}

func (a *AgentResult) fault(text, cure string) { a.Faults = append(a.Faults, Fault{text, cure}) }

func (a *AgentResult) reinstall() string {
	if a.project != "" {
		return "boathook install " + a.Agent + " --workspace " + shellquote.Word(a.project)
	}
	return "boathook install " + a.Agent
}

// cause is the innermost text of an error: the path stands elsewhere.
func cause(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err.Error()
	}
	for next := errors.Unwrap(err); next != nil; next = errors.Unwrap(err) {
		err = next
	}
	return err.Error()
}

func (e *EventResult) fault(text, cure string) {
	if f := (Fault{text, cure}); !slices.Contains(e.Faults, f) {
		e.Faults = append(e.Faults, f)
	}
}
