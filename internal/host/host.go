// Package host describes what boathook knows of one agent: its events, how a payload becomes a canon.Event, how a decision
// becomes the bytes that the agent expects. Each agent is a package below this one with the same files; package
// registry lists them. It must not import anything that the hook path could not afford.
package host

import (
	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/lenient"
)

// Event is one row of an agent's event table.
type Event struct {
	// Name is the host's name, Kind the canonical one.
	Name string
	Kind canon.Kind
	// Default says that install registers it; Tool that it concerns a tool call (hosts register those with a matcher).
	Default bool
	Tool    bool
	// Gate says that the guard is asked: what this event is about has not happened yet, and a deny is possible.
	Gate bool
	// CallID says that the payload names the call.
	CallID bool
	// Can is what an answer does, Fails what becomes of a hook that gives none.
	Can   Can
	Fails Fails
	// AskHangs says that an ask would do all that Can.Ask says but for one thing: where nobody is there it hangs the agent.
	AskHangs bool
	// Silent says that any output, even {}, changes what the host does: the answer is no bytes at all.
	Silent bool
}

// Tool is one row of an agent's tool table.
type Tool struct {
	HostName string
	Name     string
	Kind     string
}

// Host is one agent's protocol as data and pure functions. All of it may be used concurrently.
type Host struct {
	ID     string
	Title  string
	Events []Event
	Tools  []Tool
	// Calls gives what the payload holds of a tool call, for the guard: every input (more than one only where a broken
	// payload repeats keys) and the MCP context.
	Calls func(payload lenient.Value) (inputs []lenient.Value, mcp lenient.Value)
	// Commands names the arguments that hold a command line.
	Commands []string
	// Dirs names the payload's member that says where the session works: a text or a list of them. Never one that the model
	// chose, since it decides what is not judged.
	Dirs string
	// Idle names the member that is true where nothing more will come of a session; empty where another event says so.
	Idle string
	// Approve goes on where a deny that stands for an ask says that nobody could be asked: how a person can approve all the
	// same. Empty says nothing.
	Approve string
	// Decode fills an event from a payload. It never fails: what is not there stays zero.
	Decode func(ev Event, payload lenient.Value, env Env) canon.Event
	// Encode gives what the agent is told of a decision that Express made sayable; the zero Reply is silence.
	Encode func(ev Event, d canon.Decision) Reply
}

// Env is what a decoder may take from the hook's process where the payload is silent.
type Env struct {
	// Dir is the process's working directory, possibly empty.
	Dir string
}

// Event finds an event by the host's name. An unknown one is an advisory event of kind other.
func (h *Host) Event(name string) (Event, bool) {
	for _, e := range h.Events {
		if e.Name == name {
			return e, true
		}
	}
	return Event{Name: name, Kind: canon.Other}, false
}

// ToolRow finds a tool by the host's name. An unknown tool keeps its name and is of kind other.
func (h *Host) ToolRow(hostName string) Tool {
	for _, t := range h.Tools {
		if t.HostName == hostName {
			return t
		}
	}
	return Tool{HostName: hostName, Name: hostName, Kind: "other"}
}
