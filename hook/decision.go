package hook

// Action is what should happen to the tool call that an event is about.
type Action string

// The actions, from the weakest to the strictest. Allow means "no objection": it never widens a permission.
const (
	Allow Action = "allow"
	Ask   Action = "ask"
	Deny  Action = "deny"
)

// Decision answers an event.
type Decision struct {
	Action Action `json:"action"`
	// Reason is shown to the model and the user of the agent when the action is not Allow.
	Reason string `json:"reason,omitempty"`
}
