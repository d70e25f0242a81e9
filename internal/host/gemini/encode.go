package gemini

import (
	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
)

// answer is a decision in Gemini's words. The user sees systemMessage, the model "Tool execution blocked: <reason>".
type answer struct {
	Decision      string `json:"decision,omitempty"`
	Reason        string `json:"reason,omitempty"`
	SystemMessage string `json:"systemMessage,omitempty"`
}

// encode gives {} for no objection: with empty output Gemini would show what stands on stderr. Only BeforeToolSelection
// gets no output, since any, even {}, changes the request there (0.61.0).
func encode(ev host.Event, d canon.Decision) host.Reply {
	if ev.Silent {
		return host.Reply{}
	}
	if !ev.Gate || d.Action == canon.Allow {
		return host.JSON(answer{})
	}
	return host.JSON(answer{Decision: "deny", Reason: d.Reason, SystemMessage: d.Reason})
}
