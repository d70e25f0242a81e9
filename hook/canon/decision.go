package canon

import "encoding/json"

// Action is what should happen to the tool call, the prompt or the turn that an event is about.
type Action string

// The actions, from the weakest to the strictest. Allow means "no objection": it never widens a permission.
const (
	Allow Action = "allow"
	Ask   Action = "ask"
	Deny  Action = "deny"
)

// Strictness orders actions: the larger wins where several decisions meet. What is no action counts as Deny.
func (a Action) Strictness() int {
	switch a {
	case Allow, "":
		return 0
	case Ask:
		return 1
	}
	return 2
}

// Decision answers an event. The zero value has no objection.
type Decision struct {
	Action Action `json:"action,omitempty"`
	// Reason is shown to the model and the user of the agent when the action is not Allow.
	Reason string `json:"reason,omitempty"`
	// Input replaces the tool's whole input: a JSON object of the same form as Event.Tool.Input.
	Input json.RawMessage `json:"input,omitempty"`
	// Context is text that the model gets to read.
	Context string `json:"context,omitempty"`
}

// WithContext is the decision with text for the model, beside what it has already.
func (d Decision) WithContext(text string) Decision {
	if d.Context != "" && text != "" {
		d.Context += "\n"
	}
	d.Context += text
	return d
}

// WithReason is the decision with another reason.
func (d Decision) WithReason(reason string) Decision {
	d.Reason = reason
	return d
}
