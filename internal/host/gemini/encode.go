package gemini

import (
	"encoding/json"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
)

// answer is a decision in Gemini's words. Of a denied tool the user sees systemMessage, the model "Tool execution blocked:
// <reason>".
type answer struct {
	Decision      string    `json:"decision,omitempty"`
	Reason        string    `json:"reason,omitempty"`
	SystemMessage string    `json:"systemMessage,omitempty"`
	Specific      *specific `json:"hookSpecificOutput,omitempty"`
}

type specific struct {
	Event   string          `json:"hookEventName"`
	Input   json.RawMessage `json:"tool_input,omitempty"`
	Context string          `json:"additionalContext,omitempty"`
}

// encode gives {} for no objection: with empty output Gemini would show what stands on stderr. Only BeforeToolSelection
// gets no output, since any, even {}, changes the request there (0.61.0).
func encode(ev host.Event, d canon.Decision) host.Reply {
	if ev.Silent {
		return host.Reply{}
	}
	var a answer
	if d.Action.Strictness() > 0 && ev.Can.Deny {
		a.Decision, a.Reason = "deny", d.Reason
		if d.Action == canon.Ask && ev.Can.Ask {
			a.Decision = "ask" // which overrides every approval mode
		}
		if ev.Gate {
			a.SystemMessage = d.Reason // a prompt's reason is shown as it is
		}
	}
	more := specific{Event: ev.Name}
	if ev.Can.Rewrite && a.Decision == "" {
		more.Input = d.Input
	}
	if ev.Can.Context {
		more.Context = d.Context
	}
	if more.Input != nil || more.Context != "" {
		a.Specific = &more
	}
	if a == (answer{}) {
		return host.Reply{Stdout: []byte("{}\n")} // as nearly always; encoding/json would look at the types first
	}
	return host.JSON(a)
}
