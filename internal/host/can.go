package host

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/lenient"
)

// Can says what an answer to an event does on the agent's side.
type Can struct {
	// Deny: the call, the prompt or the turn does not happen.
	Deny bool
	// Ask: a person is asked, or where there is none the call is refused. It never hangs the agent.
	Ask bool
	// Rewrite: the tool runs with another input, and what the user would be asked is asked all the same.
	Rewrite bool
	// Context: text reaches the model.
	Context bool
}

// Fail says what the agent does where a hook does not do its part.
type Fail string

// The ways to fail. An open failure lets the call go on, a closed one stops it.
const (
	Open   Fail = "open"
	Closed Fail = "closed"
)

// Fails says how a hook's faults end. An empty one is not known.
type Fails struct {
	// Crash is an exit code that means nothing to the agent, or a program that is not there; Garbage is output that is no
	// answer, with exit code 0; Timeout is a hook that did not end in time.
	Crash, Garbage, Timeout Fail
}

// Express turns a decision into one that the agent can be told at an event: what it has no word for becomes the stricter
// one that it has, and the reason says so; nothing in a reason acts on a terminal. lost names what had to be dropped all the
// same, empty where nothing was.
func (h *Host) Express(ev Event, d canon.Decision) (said canon.Decision, lost string) {
	d.Reason = lenient.Shown(d.Reason)
	said = d
	switch said.Action {
	case "":
		said.Action = canon.Allow
	case canon.Allow, canon.Ask, canon.Deny:
	default:
		said.Action = canon.Deny // what is no action counts as the strictest
	}
	switch {
	case said.Action == canon.Allow && said.Input != nil && !isObject(said.Input):
		said = canon.Decision{Action: canon.Deny, Reason: spaced(d.Reason) + "(the call has to have another input, and the one that was given is no JSON object)", Context: d.Context}
	case said.Action == canon.Ask && said.Input != nil:
		said = canon.Decision{Action: canon.Deny, Reason: d.Reason + " (needs a person's approval with another input, which " + h.Title + " hooks cannot ask for)", Context: d.Context}
	case said.Action == canon.Ask && !ev.Can.Ask:
		said = canon.Decision{Action: canon.Deny, Reason: d.Reason + " (needs a person's approval, which " + h.Title + " hooks cannot ask for" + h.Approve + ")", Context: d.Context}
	case said.Action == canon.Allow && said.Input != nil && !ev.Can.Rewrite:
		said = canon.Decision{Action: canon.Deny, Reason: rewriteReason(h, d), Context: d.Context}
	}
	if said.Action == canon.Deny {
		said.Input = nil
		if !visible(said.Reason) {
			said.Reason = "denied by boathook"
		}
		if !ev.Can.Deny {
			said.Action, lost = canon.Allow, "the deny"
		}
	}
	if said.Context != "" && !ev.Can.Context {
		said.Context = ""
		if lost != "" {
			lost += " and "
		}
		lost += "the context"
	}
	return said, lost
}

// visible tells whether a person would see anything of a text. Some agents take an objection without a reason for none.
func visible(text string) bool {
	return strings.ContainsFunc(text, func(c rune) bool { return c != utf8.RuneError && unicode.IsGraphic(c) && !unicode.IsSpace(c) })
}

// rewriteReason tells the model how to make the call itself.
func rewriteReason(h *Host, d canon.Decision) string {
	return spaced(d.Reason) + "(the call has to have another input, which " + h.Title + " hooks cannot set; make it with this one: " + string(d.Input) + ")"
}

// spaced is a text that something follows.
func spaced(text string) string {
	if text == "" {
		return ""
	}
	return text + " "
}

func isObject(text json.RawMessage) bool {
	return bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{")) && json.Valid(text)
}
