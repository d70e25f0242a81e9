// Package claude is Claude Code's hook protocol: snake_case payloads with the id of each call, decisions in
// hookSpecificOutput, silence for no objection. Observed on @anthropic-ai/claude-code 2.1.332; docs/hosts/claude.md has the
// evidence.
package claude

import (
	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/host/claudeshape"
)

// Host describes Claude Code.
func Host() *host.Host {
	return &host.Host{
		ID: "claude", Title: "Claude Code", Events: events(), Tools: tools(),
		Dirs:  "cwd",
		Calls: claudeshape.Calls, Commands: args().Command, Decode: decode, Encode: claudeshape.Encode,
	}
}

// events has all 34 names of 2.1.332. Registered is what says where a session is, what it asks for and what came of it;
// what only repeats that (PostToolBatch), or fires for each message or file, is not. A WorktreeCreate hook takes the place
// of git's own worktree, whatever it prints.
func events() []host.Event {
	open := host.Fails{Crash: host.Open, Garbage: host.Open, Timeout: host.Open}
	context := host.Can{Context: true}
	return []host.Event{
		{Name: "SessionStart", Kind: canon.SessionStart, Default: true, Can: context},
		{Name: "UserPromptSubmit", Kind: canon.PromptSubmit, Default: true, Can: host.Can{Deny: true, Context: true}},
		{
			Name: "PreToolUse", Kind: canon.ToolBefore, Default: true, Tool: true, Gate: true, CallID: true,
			Can: host.Can{Deny: true, Ask: true, Rewrite: true, Context: true}, Fails: open,
		},
		{Name: "PermissionRequest", Kind: canon.PermissionRequest, Default: true, Tool: true, Can: host.Can{Deny: true}},
		{Name: "PermissionDenied", Kind: canon.ToolError, Default: true, Tool: true, CallID: true},
		{Name: "PostToolUse", Kind: canon.ToolAfter, Default: true, Tool: true, CallID: true, Can: context},
		{Name: "PostToolUseFailure", Kind: canon.ToolError, Default: true, Tool: true, CallID: true, Can: context},
		{Name: "PostToolBatch", Kind: canon.ToolBatch, Can: context},
		{
			Name: "PreSkillShellCommand", Kind: canon.ToolBefore, Default: true, Gate: true, CallID: true,
			Can: host.Can{Deny: true, Ask: true}, Fails: host.Fails{Crash: host.Open, Garbage: host.Open},
		},
		{Name: "Stop", Kind: canon.AgentStop, Default: true, Can: host.Can{Deny: true}},
		{Name: "StopFailure", Kind: canon.AgentStop, Default: true},
		{Name: "SubagentStart", Kind: canon.SubagentStart, Default: true, Can: context},
		{Name: "SubagentStop", Kind: canon.SubagentStop, Default: true, Can: host.Can{Deny: true}},
		{Name: "PreCompact", Kind: canon.CompactBefore, Default: true},
		{Name: "PostCompact", Kind: canon.CompactAfter, Default: true},
		{Name: "Notification", Kind: canon.Notified, Default: true},
		{Name: "ConfigChange", Kind: canon.Other, Default: true},
		{Name: "SessionEnd", Kind: canon.SessionStop, Default: true},
		{Name: "UserPromptExpansion", Kind: canon.Other},
		{Name: "PreModelSwitch", Kind: canon.Other},
		{Name: "PostModelSwitch", Kind: canon.Other},
		{Name: "Setup", Kind: canon.Other},
		{Name: "TeammateIdle", Kind: canon.Other},
		{Name: "TaskCreated", Kind: canon.Other},
		{Name: "TaskCompleted", Kind: canon.Other},
		{Name: "Elicitation", Kind: canon.Other},
		{Name: "ElicitationResult", Kind: canon.Other},
		{Name: "InstructionsLoaded", Kind: canon.Other},
		{Name: "CwdChanged", Kind: canon.Other},
		{Name: "FileChanged", Kind: canon.Other},
		{Name: "DirectoryAdded", Kind: canon.Other},
		{Name: "MessageDisplay", Kind: canon.Other},
		{Name: "WorktreeCreate", Kind: canon.Other, Silent: true},
		{Name: "WorktreeRemove", Kind: canon.Other, Silent: true},
	}
}
