// Package opencode is what boathook's plugin for opencode sends and takes. opencode has no command hooks: it runs
// JavaScript plugins in its own process, and ours gives each of the plugin API's hooks to `boathook hook`, as
// {"input","output","directory",…}, and applies the answer, a canonical decision. What comes over opencode's event bus has
// the event as input. Seen in opencode 1.18.33; docs/hosts/opencode.md has the evidence.
package opencode

import (
	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
)

// Host describes opencode.
func Host() *host.Host {
	return &host.Host{
		ID: "opencode", Title: "opencode", Events: events(), Tools: tools(),
		Dirs:  "directory",
		Calls: calls, Commands: args().Command, Decode: decode, Encode: encode,
	}
}

// events are the hooks and bus events that the plugin knows how to send. A tool that fails has no tool.execute.after: the
// plugin sends the message.part.updated that says so, and of that event nothing else. permission.ask is in the API and never
// called (1.18.33), so that nothing can ask. The plugin makes every fault of the hook an open one, though opencode takes any
// exception of a plugin for a deny.
func events() []host.Event {
	open := host.Fails{Crash: host.Open, Garbage: host.Open, Timeout: host.Open}
	return []host.Event{
		{Name: "session.created", Kind: canon.SessionStart, Default: true, Fails: open},
		{Name: "chat.message", Kind: canon.PromptSubmit, Default: true, Can: host.Can{Deny: true, Context: true}, Fails: open},
		{Name: "tool.execute.before", Kind: canon.ToolBefore, Default: true, Tool: true, Gate: true, CallID: true, Can: host.Can{Deny: true, Rewrite: true}, Fails: open},
		{Name: "tool.execute.after", Kind: canon.ToolAfter, Default: true, Tool: true, CallID: true, Can: host.Can{Context: true}, Fails: open},
		{Name: "message.part.updated", Kind: canon.ToolError, Default: true, Tool: true, CallID: true, Fails: open},
		{Name: "permission.asked", Kind: canon.PermissionRequest, Default: true, CallID: true, Fails: open},
		{Name: "session.idle", Kind: canon.AgentStop, Default: true, Fails: open},
		{Name: "experimental.session.compacting", Kind: canon.CompactBefore, Default: true, Fails: open},
		{Name: "session.compacted", Kind: canon.CompactAfter, Default: true, Fails: open},
		{Name: "session.deleted", Kind: canon.SessionStop, Default: true, Fails: open},
		{Name: "dispose", Kind: canon.SessionStop, Default: true, Fails: open},
		{Name: "session.error", Kind: canon.Notified, Fails: open},
		{Name: "chat.params", Kind: canon.ModelBefore, Fails: open},
		{Name: "experimental.text.complete", Kind: canon.ModelAfter, Fails: open},
		{Name: "command.execute.before", Kind: canon.Other, Fails: open},
		{Name: "file.edited", Kind: canon.Other, Fails: open},
	}
}

// tools are the built-in tools. One of an MCP server is called server_tool, which cannot be told from another's name.
func tools() []host.Tool {
	return []host.Tool{
		{HostName: "bash", Name: "bash", Kind: "shell"},
		{HostName: "read", Name: "read_file", Kind: "read"},
		{HostName: "list", Name: "list_dir", Kind: "read"},
		{HostName: "skill", Name: "skill", Kind: "read"},
		{HostName: "lsp", Name: "diagnostics", Kind: "read"},
		{HostName: "write", Name: "write_file", Kind: "write"},
		{HostName: "edit", Name: "edit_file", Kind: "write"},
		{HostName: "multiedit", Name: "edit_file", Kind: "write"},
		{HostName: "patch", Name: "edit_file", Kind: "write"},
		{HostName: "apply_patch", Name: "edit_file", Kind: "write"},
		{HostName: "glob", Name: "glob", Kind: "search"},
		{HostName: "grep", Name: "grep", Kind: "search"},
		{HostName: "codesearch", Name: "web_search", Kind: "web"},
		{HostName: "websearch", Name: "web_search", Kind: "web"},
		{HostName: "webfetch", Name: "web_fetch", Kind: "web"},
		{HostName: "task", Name: "spawn_agent", Kind: "agent"},
		{HostName: "question", Name: "ask_user", Kind: "ask"},
		{HostName: "todowrite", Name: "todo", Kind: "plan"},
		{HostName: "todoread", Name: "todo", Kind: "plan"},
		{HostName: "plan_enter", Name: "plan_enter", Kind: "plan"},
		{HostName: "plan_exit", Name: "plan_exit", Kind: "plan"},
		{HostName: "list_mcp_resources", Name: "mcp", Kind: "mcp"},
		{HostName: "list_mcp_resource_templates", Name: "mcp", Kind: "mcp"},
		{HostName: "read_mcp_resource", Name: "mcp", Kind: "mcp"},
	}
}
