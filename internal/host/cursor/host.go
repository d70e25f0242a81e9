// Package cursor is Cursor's hook protocol: snake_case payloads, camelCase events, a flat answer. A tool call has a generic
// event (preToolUse) and, behind it, a specific one (beforeShellExecution, …). Cursor cannot be driven without its service:
// all of this is read from the engine in @cursor/sdk 1.0.32, and none of it was seen; docs/hosts/cursor.md has the evidence.
package cursor

import (
	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
)

// Host describes Cursor.
func Host() *host.Host {
	return &host.Host{
		ID: "cursor", Title: "Cursor", Events: events(), Tools: tools(),
		Dirs:  "workspace_roots",
		Calls: calls, Commands: args().Command, Decode: decode, Encode: encode,
	}
}

// events has the 21 names that the engine knows; one that it does not know makes it drop the whole file.
//
// Registered are the generic tool events: they come for every tool and name the call. The specific ones come a second time
// for the same call, without its id. They are decoded as what they then are, the last question before a command runs
// (permission:request), or as other, so that a call is counted once whatever is registered. A guard is asked at both.
//
// No event can rewrite. The engine takes members of updated_input one by one, for some tools and not for others (of a Write
// the path, not the content): a rewrite could be lost without a word.
func events() []host.Event {
	// Output that is no JSON is a deny where a permission is asked for; an empty one is not.
	fails := host.Fails{Crash: host.Open, Garbage: host.Closed, Timeout: host.Open}
	context := host.Can{Context: true}
	permission := host.Can{Deny: true, Ask: true}
	return []host.Event{
		{Name: "sessionStart", Kind: canon.SessionStart, Default: true, Can: host.Can{Deny: true, Context: true}},
		{Name: "beforeSubmitPrompt", Kind: canon.PromptSubmit, Default: true, Can: host.Can{Deny: true, Context: true}},
		{
			Name: "preToolUse", Kind: canon.ToolBefore, Default: true, Tool: true, Gate: true, CallID: true,
			Can: host.Can{Deny: true, Context: true}, Fails: fails,
		},
		{Name: "postToolUse", Kind: canon.ToolAfter, Default: true, Tool: true, CallID: true, Can: context},
		{Name: "postToolUseFailure", Kind: canon.ToolError, Default: true, Tool: true, CallID: true, Can: context},
		{Name: "afterAgentResponse", Kind: canon.ModelAfter, Default: true},
		{Name: "stop", Kind: canon.AgentStop, Default: true, Can: host.Can{Deny: true}},
		{Name: "subagentStart", Kind: canon.SubagentStart, Default: true, Can: host.Can{Deny: true}, Fails: fails},
		{Name: "subagentStop", Kind: canon.SubagentStop, Default: true, Can: host.Can{Deny: true}},
		{Name: "preCompact", Kind: canon.CompactBefore, Default: true},
		{Name: "sessionEnd", Kind: canon.SessionStop, Default: true},

		{Name: "beforeShellExecution", Kind: canon.PermissionRequest, Tool: true, Gate: true, Can: permission, Fails: fails},
		{Name: "beforeMCPExecution", Kind: canon.PermissionRequest, Tool: true, Gate: true, Can: permission, Fails: fails},
		{Name: "beforeReadFile", Kind: canon.PermissionRequest, Tool: true, Gate: true, Can: host.Can{Deny: true}, Fails: fails},
		{Name: "beforeTabFileRead", Kind: canon.PermissionRequest, Tool: true, Gate: true, Can: host.Can{Deny: true}, Fails: fails},
		{Name: "afterShellExecution", Kind: canon.Other, Tool: true},
		{Name: "afterMCPExecution", Kind: canon.Other, Tool: true},
		{Name: "afterFileEdit", Kind: canon.Other, Tool: true},
		{Name: "afterTabFileEdit", Kind: canon.Other, Tool: true},
		{Name: "afterAgentThought", Kind: canon.Other},
		{Name: "workspaceOpen", Kind: canon.Other},
	}
}

// tools has the names of the engine's tools; a tool of an MCP server is called MCP:<tool> (see decode.go).
func tools() []host.Tool {
	return []host.Tool{
		{HostName: "Shell", Name: "bash", Kind: "shell"},
		{HostName: "WriteShellStdin", Name: "bash", Kind: "shell"},
		{HostName: "Read", Name: "read_file", Kind: "read"},
		{HostName: "Write", Name: "write_file", Kind: "write"},
		{HostName: "Delete", Name: "delete_file", Kind: "write"},
		{HostName: "List", Name: "list_dir", Kind: "read"},
		{HostName: "Grep", Name: "grep", Kind: "search"},
		{HostName: "Fetch", Name: "web_fetch", Kind: "web"},
		{HostName: "WebFetch", Name: "web_fetch", Kind: "web"},
		{HostName: "WebSearch", Name: "web_search", Kind: "web"},
		{HostName: "ReadLints", Name: "diagnostics", Kind: "read"},
		{HostName: "Task", Name: "spawn_agent", Kind: "agent"},
		{HostName: "ComputerUse", Name: "browser", Kind: "web"},
		{HostName: "RecordScreen", Name: "image", Kind: "media"},
		{HostName: "ListMcpResources", Name: "mcp", Kind: "mcp"},
		{HostName: "FetchMcpResource", Name: "mcp", Kind: "mcp"},
	}
}
