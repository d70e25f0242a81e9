package claudeshape

import (
	"encoding/json"
	"strings"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
)

// answer is a decision in these agents' words. Codex takes no key that it doesn't know, so that there is none that could be
// left out; Claude Code takes an answer only under the name of the event that it asked for.
type answer struct {
	Decision string    `json:"decision,omitempty"`
	Reason   string    `json:"reason,omitempty"`
	Specific *specific `json:"hookSpecificOutput,omitempty"`
}

type specific struct {
	Event            string          `json:"hookEventName"`
	Permission       string          `json:"permissionDecision,omitempty"`
	PermissionReason string          `json:"permissionDecisionReason,omitempty"`
	Request          *request        `json:"decision,omitempty"`
	Input            json.RawMessage `json:"updatedInput,omitempty"`
	Context          string          `json:"additionalContext,omitempty"`
}

type request struct {
	Behavior string `json:"behavior"`
	Message  string `json:"message"`
}

// Encode is silence where there is nothing to say: on all of these an allow would be more than no objection. It skips the
// user's own prompt on Claude Code, and Codex takes it for a fault.
func Encode(ev host.Event, d canon.Decision) host.Reply { return encode(ev, d, "") }

// EncodeStrict is Encode for Codex, which takes another input only beside an "allow"; its user is asked for the command all the
// same (0.171.0, itest/conform).
func EncodeStrict(ev host.Event, d canon.Decision) host.Reply { return encode(ev, d, "allow") }

func encode(ev host.Event, d canon.Decision, beside string) host.Reply {
	a := answer{Specific: &specific{Event: ev.Name}}
	said := objection(ev, d, &a)
	if ev.Can.Rewrite && d.Input != nil && !said {
		a.Specific.Input, a.Specific.Permission, said = d.Input, beside, true
	}
	if ev.Can.Context && d.Context != "" {
		a.Specific.Context, said = d.Context, true
	}
	if !said {
		return host.Reply{}
	}
	if a.Specific.empty() {
		a.Specific = nil
	}
	return host.JSON(a)
}

// objection says a deny or an ask in the words that the event has for it.
func objection(ev host.Event, d canon.Decision, a *answer) bool {
	if d.Action.Strictness() == 0 || !ev.Can.Deny {
		return false
	}
	reason := d.Reason
	if strings.TrimSpace(reason) == "" {
		reason = "denied by boathook" // Codex runs a tool that is denied without a reason (0.171.0)
	}
	switch ev.Kind {
	case canon.ToolBefore:
		a.Specific.Permission, a.Specific.PermissionReason = "deny", reason
		if d.Action == canon.Ask && ev.Can.Ask {
			a.Specific.Permission = "ask"
		}
	case canon.PermissionRequest:
		a.Specific.Request = &request{"deny", reason}
	default:
		a.Decision, a.Reason = "block", reason
	}
	return true
}

func (s *specific) empty() bool {
	return s.Permission == "" && s.Request == nil && s.Input == nil && s.Context == ""
}
