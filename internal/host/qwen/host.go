// Package qwen is the hook protocol of Qwen Code: Claude Code's events and answers over Gemini CLI's tools. Observed on
// @qwen-code/qwen-code 0.24.4; docs/hosts/qwen.md has the evidence.
package qwen

import (
	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/host/claudeshape"
)

// Host describes Qwen Code.
func Host() *host.Host {
	return &host.Host{
		ID: "qwen", Title: "Qwen Code", Events: events(), Tools: tools(),
		Dirs:  "cwd",
		Calls: claudeshape.Calls, Commands: args().Command, Decode: decode, Encode: claudeshape.Encode,
	}
}

// events has all 22 names of 0.24.4. updatedInput is documented and never read there, so that nothing can be rewritten; a
// PreToolUse's additionalContext is read and goes nowhere.
// PermissionDenied is the classifier's word, not the call's end: the user may be asked after it, and the tool may run.
func events() []host.Event {
	open := host.Fails{Crash: host.Open, Garbage: host.Open, Timeout: host.Open}
	context := host.Can{Context: true}
	return []host.Event{
		{Name: "SessionStart", Kind: canon.SessionStart, Default: true, Can: context},
		{Name: "UserPromptSubmit", Kind: canon.PromptSubmit, Default: true, Can: host.Can{Deny: true, Context: true}},
		{
			Name: "PreToolUse", Kind: canon.ToolBefore, Default: true, Tool: true, Gate: true, CallID: true,
			Can: host.Can{Deny: true, Ask: true}, Fails: open,
		},
		{Name: "PermissionRequest", Kind: canon.PermissionRequest, Default: true, Tool: true, Can: host.Can{Deny: true}},
		{Name: "PermissionDenied", Kind: canon.Other, Default: true, Tool: true, CallID: true},
		{Name: "PostToolUse", Kind: canon.ToolAfter, Default: true, Tool: true, CallID: true, Can: context},
		{Name: "PostToolUseFailure", Kind: canon.ToolError, Default: true, Tool: true, CallID: true, Can: context},
		{Name: "PostToolBatch", Kind: canon.ToolBatch, Can: context},
		{Name: "Stop", Kind: canon.AgentStop, Default: true, Can: host.Can{Deny: true}},
		{Name: "StopFailure", Kind: canon.AgentStop, Default: true},
		{Name: "SubagentStart", Kind: canon.SubagentStart, Default: true},
		{Name: "SubagentStop", Kind: canon.SubagentStop, Default: true},
		{Name: "PreCompact", Kind: canon.CompactBefore, Default: true},
		{Name: "PostCompact", Kind: canon.CompactAfter, Default: true},
		{Name: "Notification", Kind: canon.Notified, Default: true},
		{Name: "SessionEnd", Kind: canon.SessionStop, Default: true},
		{Name: "SessionDelete", Kind: canon.Other},
		{Name: "UserPromptExpansion", Kind: canon.Other},
		{Name: "MessageDisplay", Kind: canon.Other},
		{Name: "InstructionsLoaded", Kind: canon.Other},
		{Name: "TodoCreated", Kind: canon.Other},
		{Name: "TodoCompleted", Kind: canon.Other},
	}
}
