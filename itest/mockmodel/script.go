// Package mockmodel is what the mock model servers have in common, whatever protocol they speak: what the model says, as a
// script, and what it was asked, for the test to look at. The integration tests use it; it imports only the standard
// library.
package mockmodel

import (
	"regexp"
	"strings"
	"sync"
)

// Script is what the model says in one conversation, one turn per call of the model. When a conversation has more turns
// than the script, the last one repeats.
type Script []Turn

// Turn is one answer of the model.
type Turn []Part

// Part is one piece of an answer: text, or a call of a tool where Call is set.
type Part struct {
	Text string
	Call *Call
}

// Call asks the agent to run a tool.
type Call struct {
	// ID names the call, where the protocol lets the model do so.
	ID string
	// Name is the tool's. Namespace is set where the protocol keeps one apart from it.
	Name, Namespace string
	// Input are the arguments. Text is the whole input of a tool that takes free text instead.
	Input map[string]any
	Text  string
}

// Say is a turn of text alone.
func Say(text string) Turn { return Turn{{Text: text}} }

// Use is a turn that calls tools, all at once.
func Use(calls ...Call) Turn {
	var t Turn
	for _, c := range calls {
		t = append(t, Part{Call: &c})
	}
	return t
}

// Calls tells whether the turn calls a tool.
func (t Turn) Calls() bool {
	for _, p := range t {
		if p.Call != nil {
			return true
		}
	}
	return false
}

// Plays are scripts by name. A conversation is told which one is its own by "SCN:name" in what the user says; so a
// subagent, which has a conversation of its own, can have a script of its own.
type Plays map[string]Script

// Prompt is a user's prompt for a play.
func Prompt(play, words string) string { return "SCN:" + play + " " + words }

var mention = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`SCN:([\w-]+)`) })

// Turn is what the model says after so many turns of a conversation that begins with what the user said. What names no play
// (a title to be found, a summary) gets a word that is good for anything.
func (p Plays) Turn(said []string, turns int) Turn {
	m := mention().FindStringSubmatch(strings.Join(said, "\n"))
	if m == nil || len(p[m[1]]) == 0 {
		return Say("ok")
	}
	script := p[m[1]]
	return script[min(turns, len(script)-1)]
}
