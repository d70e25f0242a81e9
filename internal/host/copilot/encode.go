package copilot

import (
	"encoding/json"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
)

// answer is a decision in Copilot's words. They are flat: hookSpecificOutput is not looked at for a camelCase event, and of
// the PascalCase ones for PreToolUse alone (1.0.102).
type answer struct {
	Permission       string          `json:"permissionDecision,omitempty"`
	PermissionReason string          `json:"permissionDecisionReason,omitempty"`
	Args             json.RawMessage `json:"modifiedArgs,omitempty"`
	Behavior         string          `json:"behavior,omitempty"`
	Message          string          `json:"message,omitempty"`
	Decision         string          `json:"decision,omitempty"`
	Reason           string          `json:"reason,omitempty"`
	Context          string          `json:"additionalContext,omitempty"`
	Specific         *specific       `json:"hookSpecificOutput,omitempty"`
}

// specific is how a PascalCase PreToolUse takes its answer: another input is found nowhere else.
type specific struct {
	Event            string          `json:"hookEventName"`
	Permission       string          `json:"permissionDecision,omitempty"`
	PermissionReason string          `json:"permissionDecisionReason,omitempty"`
	Input            json.RawMessage `json:"updatedInput,omitempty"`
	Context          string          `json:"additionalContext,omitempty"`
}

// encode is silence where there is nothing to say: an allow would let a call run that the user has not allowed. Another
// input alone allows nothing (1.0.102: without --allow-all-tools the call is refused all the same).
func encode(ev host.Event, d canon.Decision) host.Reply {
	var a answer
	said := objection(ev, d, &a)
	if !said && d.Input != nil && ev.Can.Rewrite {
		a.Args, said = d.Input, true
	}
	if d.Context != "" && ev.Can.Context {
		a.Context, said = d.Context, true
	}
	if !said {
		return host.Reply{}
	}
	if ev.Name == "PreToolUse" {
		return host.JSON(answer{Specific: &specific{ev.Name, a.Permission, a.PermissionReason, a.Args, a.Context}})
	}
	return host.JSON(a)
}

func objection(ev host.Event, d canon.Decision, a *answer) bool {
	if d.Action.Strictness() == 0 || !ev.Can.Deny {
		return false
	}
	reason := d.Reason
	if reason == "" {
		reason = "denied by boathook"
	}
	switch ev.Kind {
	case canon.ToolBefore:
		a.Permission, a.PermissionReason = "deny", reason
		if d.Action == canon.Ask && ev.Can.Ask {
			a.Permission = "ask"
		}
	case canon.PermissionRequest:
		a.Behavior, a.Message = "deny", reason
	default:
		a.Decision, a.Reason = "block", reason
	}
	return true
}
