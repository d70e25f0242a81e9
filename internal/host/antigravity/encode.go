package antigravity

import (
	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
)

type answer struct {
	Decision string `json:"decision,omitempty"`
	Reason   string `json:"reason,omitempty"`
}

// encode: PreToolUse must have a decision (an empty answer or {} blocks the tool, seen from agy 1.0.3 to 1.1.2); allow does not
// suppress Antigravity's own prompt. All other events take {}.
func encode(ev host.Event, d canon.Decision) host.Reply {
	if !ev.Gate {
		return host.JSON(answer{})
	}
	if d.Action == canon.Allow {
		return host.JSON(answer{Decision: "allow"})
	}
	return host.JSON(answer{Decision: string(d.Action), Reason: d.Reason})
}
