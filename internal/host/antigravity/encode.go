package antigravity

import (
	"github.com/boathook/boathook/hook"
	"github.com/boathook/boathook/internal/host"
)

type answer struct {
	Decision string `json:"decision,omitempty"`
	Reason   string `json:"reason,omitempty"`
}

// encode: PreToolUse must have a decision (an empty answer or {} blocks the tool, seen from agy 1.0.3 to 1.1.2); allow does not
// suppress Antigravity's own prompt. All other events take {}.
func encode(ev host.Event, d hook.Decision) []byte {
	if !ev.Gate {
		return host.Answer(answer{})
	}
	if d.Action == hook.Allow {
		return host.Answer(answer{Decision: "allow"})
	}
	return host.Answer(answer{Decision: string(d.Action), Reason: d.Reason})
}
