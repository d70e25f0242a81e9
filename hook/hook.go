// Package hook is for programs that are a hook of a coding agent: one function decides on a canonical event, and runs
// unchanged on every agent that boathook knows.
//
//	func main() {
//		hook.Main(func(ctx context.Context, e *hook.Event) hook.Decision {
//			if strings.Contains(e.Command(), "--force") {
//				return hook.Deny("no force pushes")
//			}
//			return hook.Allow()
//		})
//	}
//
// The program is named in boathook's config ([[hooks]]), or wired into an agent itself: Main tells the two apart. It reaches
// only the standard library and boathook's tables of agents, so that a hook starts fast.
package hook

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/boathook/boathook/hook/canon"
)

// The canonical vocabulary: each type is that of package canon, which describes it.
type (
	// Event is what happened, the same on every agent.
	Event = canon.Event
	// Kind is the canonical name of what happened.
	Kind = canon.Kind
	// Action is what should happen to what an event is about.
	Action = canon.Action
	// Decision answers an event; its zero value has no objection.
	Decision = canon.Decision
	// Tool is the tool call that an event is about.
	Tool = canon.Tool
	// MCP names the server and tool of a call.
	MCP = canon.MCP
	// Usage counts tokens.
	Usage = canon.Usage
	// Notification is what the agent shows its user.
	Notification = canon.Notification
)

// The canonical event kinds.
const (
	SessionStart      = canon.SessionStart
	SessionStop       = canon.SessionStop
	PromptSubmit      = canon.PromptSubmit
	AgentStop         = canon.AgentStop
	ToolBefore        = canon.ToolBefore
	ToolAfter         = canon.ToolAfter
	ToolError         = canon.ToolError
	ToolBatch         = canon.ToolBatch
	PermissionRequest = canon.PermissionRequest
	ModelBefore       = canon.ModelBefore
	ModelAfter        = canon.ModelAfter
	ToolSelect        = canon.ToolSelect
	CompactBefore     = canon.CompactBefore
	CompactAfter      = canon.CompactAfter
	SubagentStart     = canon.SubagentStart
	SubagentStop      = canon.SubagentStop
	Notified          = canon.Notified
	Other             = canon.Other
)

// Allow has no objection. It grants nothing: what the agent would ask its user it asks all the same.
func Allow() Decision { return Decision{} }

// Deny stops the call, the prompt or the turn; the model and the user get the reason.
func Deny(reason string) Decision { return Decision{Action: canon.Deny, Reason: reason} }

// Ask has a person asked. An agent that cannot ask is told to deny, and why.
func Ask(reason string) Decision { return Decision{Action: canon.Ask, Reason: reason} }

// Rewrite has the tool run with another input: anything that marshals to a JSON object of the form of Event.Tool.Input. On
// an agent that cannot, it is a deny that tells the model the input. So is one that does not marshal, without it.
func Rewrite(input any) Decision {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(input)
	d := Decision{Input: bytes.TrimSpace(b.Bytes())}
	if err == nil {
		err = d.Check()
	}
	if err != nil || d.Input == nil {
		return Deny(fmt.Sprintf("the hook wanted another input and gave none that can be used (%T)", input))
	}
	return d
}

// AddContext gives the model text to read, where the agent takes one at the event.
func AddContext(text string) Decision { return Decision{Context: text} }
