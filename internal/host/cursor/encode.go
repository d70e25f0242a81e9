package cursor

import (
	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
)

// answer is a decision in Cursor's words. A member of a wrong type, or one that is no JSON, denies a call.
type answer struct {
	Continue     *bool  `json:"continue,omitempty"`
	Permission   string `json:"permission,omitempty"`
	UserMessage  string `json:"user_message,omitempty"`
	AgentMessage string `json:"agent_message,omitempty"`
	Context      string `json:"additional_context,omitempty"`
	Followup     string `json:"followup_message,omitempty"`
}

// encode is silence where there is nothing to say: an empty output is no opinion, as failClosed is never set.
func encode(ev host.Event, d canon.Decision) host.Reply {
	var a answer
	said := objection(ev, d, &a)
	if d.Context != "" && ev.Can.Context {
		a.Context, said = d.Context, true
	}
	if !said {
		return host.Reply{}
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
	case canon.SessionStart, canon.PromptSubmit:
		a.Continue, a.UserMessage = new(bool), reason
	case canon.AgentStop, canon.SubagentStop:
		a.Followup = reason // what the agent is told to go on with
	default:
		// The engine shows the model user_message (1.0.32); agent_message is what is documented for it.
		a.Permission, a.UserMessage = "deny", reason
		if d.Action == canon.Ask && ev.Can.Ask {
			a.Permission = "ask"
		}
		if ev.Name != "beforeReadFile" && ev.Name != "beforeTabFileRead" && ev.Name != "subagentStart" {
			a.AgentMessage = reason
		}
	}
	return true
}
