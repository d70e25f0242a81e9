// Package windsurf is the protocol of Windsurf's Cascade hooks: snake_case events that the payload names, and no answer but
// an exit code. Windsurf is a desktop program and was not driven: all of this follows its documentation
// (docs.windsurf.com/windsurf/cascade/hooks); docs/hosts/windsurf.md has the evidence.
package windsurf

import (
	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
)

// Host describes Windsurf.
func Host() *host.Host {
	return &host.Host{
		ID: "windsurf", Title: "Windsurf", Events: events(), Tools: tools(),
		Calls: calls, Commands: args().Command, Decode: decode, Encode: encode,
	}
}

// events has all twelve. There is no event of a session's begin or end, and no id of a call. Of the two that tell of an
// answer the one with the transcript's path is not registered: it says the same a second time.
func events() []host.Event {
	open := host.Fails{Crash: host.Open, Garbage: host.Open}
	deny := host.Can{Deny: true}
	return []host.Event{
		{Name: "pre_user_prompt", Kind: canon.PromptSubmit, Default: true, Can: deny, Fails: open},
		{Name: "pre_run_command", Kind: canon.ToolBefore, Default: true, Tool: true, Gate: true, Can: deny, Fails: open},
		{Name: "post_run_command", Kind: canon.ToolAfter, Default: true, Tool: true},
		{Name: "pre_write_code", Kind: canon.ToolBefore, Default: true, Tool: true, Gate: true, Can: deny, Fails: open},
		{Name: "post_write_code", Kind: canon.ToolAfter, Default: true, Tool: true},
		{Name: "pre_read_code", Kind: canon.ToolBefore, Default: true, Tool: true, Gate: true, Can: deny, Fails: open},
		{Name: "post_read_code", Kind: canon.ToolAfter, Default: true, Tool: true},
		{Name: "pre_mcp_tool_use", Kind: canon.ToolBefore, Default: true, Tool: true, Gate: true, Can: deny, Fails: open},
		{Name: "post_mcp_tool_use", Kind: canon.ToolAfter, Default: true, Tool: true},
		{Name: "post_cascade_response", Kind: canon.AgentStop, Default: true},
		{Name: "post_cascade_response_with_transcript", Kind: canon.AgentStop},
		{Name: "post_setup_worktree", Kind: canon.Other},
	}
}

// tools: the events tell what kind of thing a call is, not by which tool. These are the events' own words for it.
func tools() []host.Tool {
	return []host.Tool{
		{HostName: "run_command", Name: "bash", Kind: "shell"},
		{HostName: "write_code", Name: "edit_file", Kind: "write"},
		{HostName: "read_code", Name: "read_file", Kind: "read"},
		{HostName: "mcp_tool_use", Name: "mcp", Kind: "mcp"},
	}
}
