// Package amp is what boathook's plugin for Amp sends and takes. Amp has no command hooks: it runs TypeScript plugins in a
// process beside it, and ours gives each event of the plugin API to `boathook hook`, as {"event","data","cwd"}, and applies
// the answer, a canonical decision. Seen in the plugin runtime of Amp 0.0.1790142911-g7618fb; docs/hosts/amp.md has the
// evidence.
package amp

import (
	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
)

// Host describes Amp.
func Host() *host.Host {
	return &host.Host{
		ID: "amp", Title: "Amp", Events: events(), Tools: tools(),
		Dirs:  "cwd",
		Calls: calls, Commands: args().Command, Decode: decode, Encode: encode,
	}
}

// events has the six events of the plugin API. The plugin makes every fault of the hook an open one. A rewrite is not to be
// had: of several plugins the first that does not allow decides, and Amp's own permissions are one of them, so that a
// changed input could go past what the user would be asked.
func events() []host.Event {
	open := host.Fails{Crash: host.Open, Garbage: host.Open, Timeout: host.Open}
	return []host.Event{
		{Name: "session.start", Kind: canon.SessionStart, Default: true, Fails: open},
		{Name: "agent.start", Kind: canon.PromptSubmit, Default: true, Can: host.Can{Context: true}, Fails: open},
		{Name: "tool.call", Kind: canon.ToolBefore, Default: true, Tool: true, Gate: true, CallID: true, Can: host.Can{Deny: true, Ask: true}, Fails: open},
		{Name: "tool.result", Kind: canon.ToolAfter, Default: true, Tool: true, CallID: true, Can: host.Can{Context: true}, Fails: open},
		{Name: "agent.end", Kind: canon.AgentStop, Default: true, Fails: open},
		{Name: "changes.prompt", Kind: canon.Other, Can: host.Can{Context: true}, Fails: open},
	}
}

// tools are the built-in tools that Amp's documentation names. Its list of tools needs a login, so that none was read from
// the program itself.
func tools() []host.Tool {
	return []host.Tool{
		{HostName: "Bash", Name: "bash", Kind: "shell"},
		{HostName: "shell_command", Name: "bash", Kind: "shell"},
		{HostName: "Read", Name: "read_file", Kind: "read"},
		{HostName: "look_at", Name: "read_file", Kind: "read"},
		{HostName: "create_file", Name: "write_file", Kind: "write"},
		{HostName: "edit_file", Name: "edit_file", Kind: "write"},
		{HostName: "apply_patch", Name: "edit_file", Kind: "write"},
		{HostName: "undo_edit", Name: "edit_file", Kind: "write"},
		{HostName: "format_file", Name: "edit_file", Kind: "write"},
		{HostName: "list_directory", Name: "list_dir", Kind: "read"},
		{HostName: "glob", Name: "glob", Kind: "search"},
		{HostName: "Grep", Name: "grep", Kind: "search"},
		{HostName: "finder", Name: "grep", Kind: "search"},
		{HostName: "web_search", Name: "web_search", Kind: "web"},
		{HostName: "read_web_page", Name: "web_fetch", Kind: "web"},
		{HostName: "Task", Name: "spawn_agent", Kind: "agent"},
		{HostName: "oracle", Name: "spawn_agent", Kind: "agent"},
		{HostName: "librarian", Name: "spawn_agent", Kind: "agent"},
		{HostName: "get_diagnostics", Name: "diagnostics", Kind: "read"},
		{HostName: "todo_write", Name: "todo", Kind: "plan"},
		{HostName: "todo_read", Name: "todo", Kind: "plan"},
		{HostName: "task_list", Name: "todo", Kind: "plan"},
		{HostName: "painter", Name: "image", Kind: "media"},
		{HostName: "read_mcp_resource", Name: "mcp", Kind: "mcp"},
	}
}
