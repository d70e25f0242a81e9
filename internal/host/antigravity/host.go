// Package antigravity is the hook protocol of Google Antigravity's two programs, the agy CLI and Antigravity 2.0:
// camelCase payloads without an event name, a decision that PreToolUse must have. It follows published captures of agy
// 1.0.7 to 1.2.3; docs/hosts/antigravity.md has the evidence.
package antigravity

import (
	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
)

// Host describes Antigravity.
func Host() *host.Host {
	return &host.Host{
		ID: "antigravity", Title: "Antigravity", Events: events(), Tools: tools(),
		Dirs: "workspacePaths", Idle: "fullyIdle",
		Calls: calls, Commands: args().Command, Decode: decode, Encode: encode,
	}
}

// events: PreInvocation and PostInvocation stand around each call of the model, several times a turn. SessionStart is
// decoded for versions that may send it and not registered.
func events() []host.Event {
	return []host.Event{
		{Name: "PreInvocation", Kind: canon.ModelBefore, Default: true},
		{
			Name: "PreToolUse", Kind: canon.ToolBefore, Default: true, Tool: true, Gate: true, CallID: true, Can: host.Can{Deny: true, Ask: true},
			Fails: host.Fails{Crash: host.Closed, Garbage: host.Closed, Timeout: host.Closed},
		},
		{Name: "PostToolUse", Kind: canon.ToolAfter, Default: true, Tool: true, CallID: true},
		{Name: "PostInvocation", Kind: canon.ModelAfter, Default: true},
		{Name: "Stop", Kind: canon.AgentStop, Default: true},
		{Name: "SessionStart", Kind: canon.SessionStart},
	}
}

// tools are the 20 documented tools, and the browser family by its prefix (see decode.go).
func tools() []host.Tool {
	return []host.Tool{
		{HostName: "view_file", Name: "read_file", Kind: "read"},
		{HostName: "write_to_file", Name: "write_file", Kind: "write"},
		{HostName: "replace_file_content", Name: "edit_file", Kind: "write"},
		{HostName: "multi_replace_file_content", Name: "edit_file", Kind: "write"},
		{HostName: "list_dir", Name: "list_dir", Kind: "read"},
		{HostName: "find_by_name", Name: "glob", Kind: "search"},
		{HostName: "grep_search", Name: "grep", Kind: "search"},
		{HostName: "search_web", Name: "web_search", Kind: "web"},
		{HostName: "read_url_content", Name: "web_fetch", Kind: "web"},
		{HostName: "run_command", Name: "bash", Kind: "shell"},
		{HostName: "manage_task", Name: "task_output", Kind: "shell"},
		{HostName: "schedule", Name: "schedule", Kind: "other"},
		{HostName: "list_permissions", Name: "list_permissions", Kind: "other"},
		{HostName: "ask_permission", Name: "ask_user", Kind: "ask"},
		{HostName: "invoke_subagent", Name: "spawn_agent", Kind: "agent"},
		{HostName: "define_subagent", Name: "spawn_agent", Kind: "agent"},
		{HostName: "send_message", Name: "spawn_agent", Kind: "agent"},
		{HostName: "manage_subagents", Name: "spawn_agent", Kind: "agent"},
		{HostName: "ask_question", Name: "ask_user", Kind: "ask"},
		{HostName: "generate_image", Name: "image", Kind: "media"},
	}
}
