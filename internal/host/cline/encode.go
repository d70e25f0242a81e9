package cline

import (
	"encoding/json"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
)

// answer is a decision in Cline's words.
type answer struct {
	Cancel  bool            `json:"cancel,omitempty"`
	Message string          `json:"errorMessage,omitempty"`
	Input   json.RawMessage `json:"overrideInput,omitempty"`
	Context string          `json:"contextModification,omitempty"`
}

// encode: a deny is cancel, which ends the whole run before the model hears of it (3.0.65); the reason is for the user.
// Cline has a word to ask with (review), but runs the tool where approvals are automatic: ask is a deny.
func encode(ev host.Event, d canon.Decision) host.Reply {
	if d.Action.Strictness() > 0 && ev.Can.Deny {
		reason := d.Reason
		if reason == "" {
			reason = "denied by boathook"
		}
		return host.JSON(answer{Cancel: true, Message: reason})
	}
	var a answer
	if ev.Can.Rewrite {
		a.Input = d.Input
	}
	if ev.Can.Context {
		a.Context = d.Context
	}
	if a.Input == nil && a.Context == "" {
		return host.Reply{}
	}
	return host.JSON(a)
}
