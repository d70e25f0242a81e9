package verify

import (
	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
)

// hint says how to make an agent fire an event; empty where nobody can say.
func hint(h *host.Host, event string) string {
	if text := hints()[h.ID][event]; text != "" {
		return text
	}
	ev, _ := h.Event(event)
	return usualHints()[ev.Kind]
}

const (
	promptHint = "send a prompt"
	toolHint   = "have it run a tool, such as a listing of the directory"
	askHint    = "let it ask you for a permission: have it run a shell command"
)

// usualHints go by an event's kind.
func usualHints() map[canon.Kind]string {
	return map[canon.Kind]string{
		canon.SessionStart: "start the agent", canon.SessionStop: "leave the agent", canon.PromptSubmit: promptHint,
		canon.AgentStop: "let it answer to the end", canon.ToolBefore: toolHint, canon.ToolAfter: toolHint,
		canon.ToolError: "have it read a file that is not there", canon.ToolBatch: toolHint, canon.PermissionRequest: askHint,
		canon.ModelBefore: promptHint, canon.ModelAfter: promptHint, canon.ToolSelect: promptHint,
		canon.CompactBefore: "type /compact", canon.CompactAfter: "type /compact",
		canon.SubagentStart: "have it start a subagent", canon.SubagentStop: "have it start a subagent, and wait for it",
		canon.Notified: "leave it alone while it waits for you",
		canon.Other:    "use what the event is named after",
	}
}

// hints are for events that happen in another way (the versions of docs/hosts).
func hints() map[string]map[string]string {
	broken := "break it off while it works (Esc)"
	return map[string]map[string]string{
		"gemini": {
			"PreCompress": "type /compress", "SessionEnd": "type /quit", "AfterTool": toolHint,
			"Notification": askHint + ", without --yolo",
		},
		"antigravity": {"SessionStart": "start a new session"},
		"claude": {
			"SessionEnd": "type /exit", "PermissionDenied": "in auto mode, have it run what the classifier refuses", "StopFailure": "let the model's server fail",
			"PreSkillShellCommand": "use a skill or a command whose text runs a shell command (!`ls`)", "ConfigChange": "change a settings file while it runs",
		},
		"codex":   {"Interrupt": broken, "SessionEnd": "type /quit"},
		"copilot": {"sessionEnd": "type /exit", "errorOccurred": "let the model's server fail"},
		"cursor":  {"afterAgentResponse": promptHint, "sessionEnd": "close the conversation"},
		"windsurf": {
			"pre_write_code": "have it write a file", "post_write_code": "have it write a file", "pre_read_code": "have it read a file",
			"post_read_code": "have it read a file", "pre_run_command": "have it run a command", "post_run_command": "have it run a command",
			"pre_mcp_tool_use": "have it use a tool of an MCP server", "post_mcp_tool_use": "have it use a tool of an MCP server",
		},
		"cline": {
			"TaskStart": promptHint, "TaskResume": "go on with an earlier task", "TaskCancel": broken, "TaskError": "let the model's server fail",
		},
		"qwen": {"SessionEnd": "type /quit", "PreCompact": "type /compress", "PostCompact": "type /compress", "StopFailure": "let the model's server fail",
			"PermissionDenied": "in auto mode, have it run what the classifier refuses"},
		"opencode": {"session.deleted": "delete a session", "dispose": "leave the agent", "session.created": "start a new session"},
	}
}
