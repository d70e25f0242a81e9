// Package copilot is GitHub Copilot CLI's hook protocol: each event under two names, camelCase with a payload that does not
// name the event, and PascalCase with the payload of VS Code; no id of a call. A hook that fails denies the call. Observed on
// @github/copilot 1.0.102; docs/hosts/copilot.md has the evidence.
package copilot

import (
	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
)

// Host describes Copilot CLI.
func Host() *host.Host {
	return &host.Host{
		ID: "copilot", Title: "Copilot CLI", Events: events(), Tools: tools(),
		Dirs:  "cwd",
		Calls: calls, Commands: args().Command, Decode: decode, Encode: encode,
	}
}

// events: install registers the camelCase names. The PascalCase ones are there for hooks of Claude Code, whose settings
// Copilot reads too, and for those of VS Code; registered beside the others they would make each event two.
//
// permissionRequest comes behind preToolUse for each call that is not read-only, also where everything is allowed: it says
// nothing that preToolUse did not, and there output that is no answer denies the call as well.
func events() []host.Event {
	// A program that is missing or ends with another code than 0 denies the call; what it prints does not.
	closed := host.Fails{Crash: host.Closed, Garbage: host.Open, Timeout: host.Open}
	open := host.Fails{Crash: host.Open, Garbage: host.Open, Timeout: host.Open}
	call := host.Can{Deny: true, Ask: true, Rewrite: true, Context: true}
	context, block := host.Can{Context: true}, host.Can{Deny: true}
	prompt := host.Can{Deny: true, Context: true}
	return []host.Event{
		{Name: "sessionStart", Kind: canon.SessionStart, Default: true, Can: context, Fails: open},
		{Name: "userPromptSubmitted", Kind: canon.PromptSubmit, Default: true, Can: prompt, Fails: open},
		{Name: "preToolUse", Kind: canon.ToolBefore, Default: true, Tool: true, Gate: true, Can: call, Fails: closed},
		{Name: "postToolUse", Kind: canon.ToolAfter, Default: true, Tool: true, Can: context, Fails: open},
		{Name: "postToolUseFailure", Kind: canon.ToolError, Default: true, Tool: true, Can: context, Fails: open},
		{Name: "agentStop", Kind: canon.AgentStop, Default: true, Can: block, Fails: open},
		{Name: "subagentStart", Kind: canon.SubagentStart, Default: true, Can: context},
		// A block makes the subagent go on, and has no end: agentStop is heard eight times, this one without a limit (1.0.102).
		{Name: "subagentStop", Kind: canon.SubagentStop, Default: true},
		{Name: "preCompact", Kind: canon.CompactBefore, Default: true},
		{Name: "notification", Kind: canon.Notified, Default: true},
		{Name: "errorOccurred", Kind: canon.Other, Default: true},
		{Name: "sessionEnd", Kind: canon.SessionStop, Default: true},
		{
			Name: "permissionRequest", Kind: canon.PermissionRequest, Tool: true, Can: block,
			Fails: host.Fails{Crash: host.Closed, Garbage: host.Closed, Timeout: host.Open},
		},
		{Name: "userPromptTransformed", Kind: canon.Other},

		{Name: "SessionStart", Kind: canon.SessionStart, Can: context},
		{Name: "UserPromptSubmit", Kind: canon.PromptSubmit, Can: prompt},
		{Name: "PreToolUse", Kind: canon.ToolBefore, Tool: true, Gate: true, Can: call, Fails: closed},
		{Name: "PostToolUse", Kind: canon.ToolAfter, Tool: true, Can: context},
		{Name: "PostToolUseFailure", Kind: canon.ToolError, Tool: true},
		{Name: "Stop", Kind: canon.AgentStop, Can: block},
		{Name: "SubagentStop", Kind: canon.SubagentStop},
		{Name: "PreCompact", Kind: canon.CompactBefore},
		{Name: "ErrorOccurred", Kind: canon.Other},
		{Name: "SessionEnd", Kind: canon.SessionStop},
		{Name: "PermissionRequest", Kind: canon.PermissionRequest, Tool: true, Can: block},
	}
}

// tools has what 1.0.102 offers a model, the names of earlier and Windows versions, and the four that PascalCase payloads
// have other names for.
func tools() []host.Tool {
	return []host.Tool{
		{HostName: "bash", Name: "bash", Kind: "shell"},
		{HostName: "Bash", Name: "bash", Kind: "shell"},
		{HostName: "powershell", Name: "bash", Kind: "shell"},
		{HostName: "write_bash", Name: "bash", Kind: "shell"},
		{HostName: "write_powershell", Name: "bash", Kind: "shell"},
		{HostName: "read_bash", Name: "task_output", Kind: "read"},
		{HostName: "read_powershell", Name: "task_output", Kind: "read"},
		{HostName: "view", Name: "read_file", Kind: "read"},
		{HostName: "Read", Name: "read_file", Kind: "read"},
		{HostName: "create", Name: "write_file", Kind: "write"},
		{HostName: "Write", Name: "write_file", Kind: "write"},
		{HostName: "edit", Name: "edit_file", Kind: "write"},
		{HostName: "Edit", Name: "edit_file", Kind: "write"},
		{HostName: "apply_patch", Name: "edit_file", Kind: "write"},
		{HostName: "str_replace_editor", Name: "edit_file", Kind: "write"},
		{HostName: "grep", Name: "grep", Kind: "search"},
		{HostName: "rg", Name: "grep", Kind: "search"},
		{HostName: "glob", Name: "glob", Kind: "search"},
		{HostName: "web_fetch", Name: "web_fetch", Kind: "web"},
		{HostName: "web_search", Name: "web_search", Kind: "web"},
		{HostName: "task", Name: "spawn_agent", Kind: "agent"},
		{HostName: "write_agent", Name: "spawn_agent", Kind: "agent"},
		{HostName: "read_agent", Name: "task_output", Kind: "agent"},
		{HostName: "ask_user", Name: "ask_user", Kind: "ask"},
		{HostName: "update_todo", Name: "todo", Kind: "plan"},
		{HostName: "store_memory", Name: "save_memory", Kind: "memory"},
	}
}
