// Package codex is the hook protocol of OpenAI's Codex CLI: Claude Code's payloads and answers, taken strictly. One key too many
// in an answer and it counts for nothing. Observed on @openai/codex 0.171.0; docs/hosts/codex.md has the evidence.
package codex

import (
	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/host/claudeshape"
)

// Host describes Codex.
func Host() *host.Host {
	return &host.Host{
		ID: "codex", Title: "Codex", Events: events(), Tools: tools(),
		Dirs:    "cwd",
		Approve: "; who wants it done can run it in a terminal, or change the rule that asks",
		Calls:   claudeshape.Calls, Commands: args().Command, Decode: decode, Encode: claudeshape.EncodeStrict,
	}
}

// events has all 12 events; each but the tools' is rare, so that all are registered. An ask is a fault to Codex, and the tool
// runs. A rewrite takes an allow beside it; the user is asked for the new command all the same (0.171.0, itest/conform).
func events() []host.Event {
	open := host.Fails{Crash: host.Open, Garbage: host.Open, Timeout: host.Open}
	context := host.Can{Context: true}
	return []host.Event{
		{Name: "SessionStart", Kind: canon.SessionStart, Default: true, Can: context},
		{Name: "UserPromptSubmit", Kind: canon.PromptSubmit, Default: true, Can: host.Can{Deny: true, Context: true}},
		{
			Name: "PreToolUse", Kind: canon.ToolBefore, Default: true, Tool: true, Gate: true, CallID: true,
			Can: host.Can{Deny: true, Rewrite: true, Context: true}, Fails: open,
		},
		{
			Name: "PermissionRequest", Kind: canon.PermissionRequest, Default: true, Tool: true, Can: host.Can{Deny: true},
			Fails: host.Fails{Crash: host.Open},
		},
		{Name: "PostToolUse", Kind: canon.ToolAfter, Default: true, Tool: true, CallID: true, Can: context},
		{Name: "Stop", Kind: canon.AgentStop, Default: true, Can: host.Can{Deny: true}},
		{Name: "Interrupt", Kind: canon.AgentStop, Default: true},
		{Name: "SubagentStart", Kind: canon.SubagentStart, Default: true, Can: context},
		{Name: "SubagentStop", Kind: canon.SubagentStop, Default: true},
		{Name: "PreCompact", Kind: canon.CompactBefore, Default: true},
		{Name: "PostCompact", Kind: canon.CompactAfter, Default: true},
		{Name: "SessionEnd", Kind: canon.SessionStop, Default: true},
	}
}

// tools are those that 0.171.0 names in payloads or to the model. Namespaced ones come with the namespace glued to the name
// (see row).
func tools() []host.Tool {
	return []host.Tool{
		{HostName: "Bash", Name: "bash", Kind: "shell"},
		{HostName: patchTool, Name: "edit_file", Kind: "write"},
		{HostName: "view_image", Name: "image", Kind: "media"},
		{HostName: "image_gen", Name: "image", Kind: "media"},
		{HostName: "web_search", Name: "web_search", Kind: "web"},
		{HostName: "spawn_agent", Name: "spawn_agent", Kind: "agent"},
		{HostName: "wait_agent", Name: "spawn_agent", Kind: "agent"},
		{HostName: "close_agent", Name: "spawn_agent", Kind: "agent"},
		{HostName: "resume_agent", Name: "spawn_agent", Kind: "agent"},
		{HostName: "interrupt_agent", Name: "spawn_agent", Kind: "agent"},
		{HostName: "list_agents", Name: "spawn_agent", Kind: "agent"},
		{HostName: "send_input", Name: "spawn_agent", Kind: "agent"},
		{HostName: "send_message", Name: "spawn_agent", Kind: "agent"},
		{HostName: "followup_task", Name: "spawn_agent", Kind: "agent"},
		{HostName: "request_user_input", Name: "ask_user", Kind: "ask"},
		{HostName: "request_permissions", Name: "ask_user", Kind: "ask"},
		{HostName: "update_plan", Name: "todo", Kind: "plan"},
		{HostName: "list_mcp_resources", Name: "mcp", Kind: "mcp"},
		{HostName: "list_mcp_resource_templates", Name: "mcp", Kind: "mcp"},
		{HostName: "read_mcp_resource", Name: "mcp", Kind: "mcp"},
	}
}
