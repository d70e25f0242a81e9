// Package hook is for programs that are a hook of a coding agent: one function decides on a canonical event, and runs
// unchanged on every agent that boathook knows. It reaches only the standard library, so that a hook starts fast.
package hook

import "github.com/boathook/boathook/hook/canon"

// The canonical vocabulary; package canon describes each.
type (
	Event        = canon.Event
	Kind         = canon.Kind
	Action       = canon.Action
	Decision     = canon.Decision
	Tool         = canon.Tool
	MCP          = canon.MCP
	Usage        = canon.Usage
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
