// Package cline is Cline's hook protocol: a program per event, named after it, in a hooks folder; JSON in and out, exit codes
// mean nothing. A deny ends the whole run, not the call alone: the model is never told of it. Observed on the cline CLI
// 3.0.65, whose payloads name the call; the VS Code extension shares the names and is decoded from its documentation.
// docs/hosts/cline.md has the evidence.
package cline

import (
	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
)

// Host describes Cline.
func Host() *host.Host {
	return &host.Host{
		ID: "cline", Title: "Cline", Events: events(), Tools: tools(),
		Dirs:  "workspaceRoots",
		Calls: calls, Commands: []string{"command", "commands", "cmd"}, Decode: decode, Encode: encode,
	}
}

// events has the files that Cline looks for. It waits for the two tool events alone; the others are started and left to
// themselves, so that nothing they say is heard. There is no event name PreCompact in the CLI: its file never runs (3.0.65).
func events() []host.Event {
	open := host.Fails{Crash: host.Open, Garbage: host.Open, Timeout: host.Open}
	return []host.Event{
		{Name: "TaskStart", Kind: canon.SessionStart, Default: true},
		{Name: "TaskResume", Kind: canon.SessionStart, Default: true},
		{Name: "UserPromptSubmit", Kind: canon.PromptSubmit, Default: true},
		{
			Name: "PreToolUse", Kind: canon.ToolBefore, Default: true, Tool: true, Gate: true, CallID: true,
			Can: host.Can{Deny: true, Rewrite: true, Context: true}, Fails: open,
		},
		{
			Name: "PostToolUse", Kind: canon.ToolAfter, Default: true, Tool: true, CallID: true,
			Can: host.Can{Context: true}, Fails: open,
		},
		{Name: "TaskComplete", Kind: canon.AgentStop, Default: true},
		{Name: "TaskCancel", Kind: canon.AgentStop, Default: true},
		{Name: "TaskError", Kind: canon.AgentStop, Default: true},
		{Name: "SessionShutdown", Kind: canon.SessionStop, Default: true},
		{Name: "PreCompact", Kind: canon.CompactBefore},
	}
}

// tools has those of the CLI (3.0.65), then those of the extension.
func tools() []host.Tool {
	return []host.Tool{
		{HostName: "run_commands", Name: "bash", Kind: "shell"},
		{HostName: "read_files", Name: "read_file", Kind: "read"},
		{HostName: "editor", Name: "edit_file", Kind: "write"},
		{HostName: "apply_patch", Name: "edit_file", Kind: "write"},
		{HostName: "search_codebase", Name: "grep", Kind: "search"},
		{HostName: "fetch_web_content", Name: "web_fetch", Kind: "web"},
		{HostName: "web_search", Name: "web_search", Kind: "web"},
		{HostName: "ask_question", Name: "ask_user", Kind: "ask"},
		{HostName: "spawn_agent", Name: "spawn_agent", Kind: "agent"},
		{HostName: "team_spawn_teammate", Name: "spawn_agent", Kind: "agent"},
		{HostName: "team_run_task", Name: "spawn_agent", Kind: "agent"},
		{HostName: "image_generation", Name: "image", Kind: "media"},

		{HostName: "execute_command", Name: "bash", Kind: "shell"},
		{HostName: "read_file", Name: "read_file", Kind: "read"},
		{HostName: "write_to_file", Name: "write_file", Kind: "write"},
		{HostName: "replace_in_file", Name: "edit_file", Kind: "write"},
		{HostName: "search_files", Name: "grep", Kind: "search"},
		{HostName: "list_files", Name: "list_dir", Kind: "read"},
		{HostName: "list_code_definition_names", Name: "grep", Kind: "search"},
		{HostName: "browser_action", Name: "browser", Kind: "web"},
		{HostName: "web_fetch", Name: "web_fetch", Kind: "web"},
		{HostName: "use_mcp_tool", Name: "mcp", Kind: "mcp"},
		{HostName: "access_mcp_resource", Name: "mcp", Kind: "mcp"},
		{HostName: "ask_followup_question", Name: "ask_user", Kind: "ask"},
		{HostName: "new_task", Name: "spawn_agent", Kind: "agent"},
		{HostName: "focus_chain", Name: "todo", Kind: "plan"},
	}
}
