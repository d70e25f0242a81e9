package registry

import (
	"slices"

	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/lenient"
)

// Found is what a payload says about where it comes from.
type Found struct {
	// Host is the agent; nil where none or more than one fits.
	Host *host.Host
	// Event is the agent's own name of the event; empty where the payload leaves that open.
	Event string
	// Candidates are the ids of all agents that the payload fits, in the order of the documentation.
	Candidates []string
}

// Detect tells by which agent a payload was made, for hooks that a user wired without --agent.
//
// The payload decides. Variables can be set by a repository, through an agent that loads its .env, and are inherited where
// one agent starts another; several agents also set those of others (Copilot, Qwen Code and Cursor CLAUDE_PROJECT_DIR, Qwen
// Code GEMINI_PROJECT_DIR). So a variable counts only where it says the session's id, which the payload has too: it then
// picks one of several agents that the payload fits, and puts in doubt one that it contradicts.
func Detect(lookup func(string) (string, bool), payload lenient.Value) Found {
	p := parts{payload.Members()}
	var out Found
	events := map[string]string{}
	for _, s := range shapes() {
		if event, fits := s.fits(p); fits {
			out.Candidates = append(out.Candidates, s.id)
			events[s.id] = event
		}
	}
	if id := sessionOf(lookup, p); id != "" {
		switch {
		case slices.Contains(out.Candidates, id):
			out.Candidates = []string{id}
		case len(out.Candidates) > 0:
			out.Candidates = append(out.Candidates, id)
		}
	}
	if len(out.Candidates) == 1 {
		id := out.Candidates[0]
		out.Host, _ = Lookup(id)
		out.Event = events[id]
	}
	return out
}

// sessionOf names the agent whose variable has the payload's session id.
func sessionOf(lookup func(string) (string, bool), p parts) string {
	session := p.Text("session_id")
	if session == "" {
		return ""
	}
	for _, v := range []struct{ name, id string }{
		{"QWEN_CODE_SESSION_ID", "qwen"}, {"CLAUDE_CODE_SESSION_ID", "claude"}, {"GEMINI_SESSION_ID", "gemini"},
	} {
		if value, _ := lookup(v.name); value == session {
			return v.id
		}
	}
	return ""
}

// parts are the payload's members.
type parts struct{ lenient.Members }

// has tells whether all the members are there.
func (p parts) has(names ...string) bool {
	for _, name := range names {
		if p.Get(name).Kind() == lenient.Missing {
			return false
		}
	}
	return true
}

// any tells whether one of the members is there.
func (p parts) any(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return p.has(name) })
}
