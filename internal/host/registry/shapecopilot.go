package registry

import "github.com/boathook/boathook/internal/lenient"

// fitsCopilot: 1.0.102 sends two forms of payload: snake_case under PascalCase names, and camelCase without a name. Its time
// stamp tells the first from Claude Code's; it has no permission mode, which Qwen Code has, and no transcript but at a
// turn's end.
func fitsCopilot(p parts) (string, bool) {
	if p.any("cursor_version", "permission_mode", "prompt_id", "taskId", "conversationId", "tool_use_id") {
		return "", false
	}
	if p.has("session_id") && !p.has("sessionId") {
		name, ok := named("copilot", p, "hook_event_name")
		turn := name == "Stop" || name == "SubagentStop" || name == "PreCompact"
		return name, ok && p.has("timestamp", "cwd") && (turn || !p.has("transcript_path"))
	}
	if !p.has("sessionId", "timestamp", "cwd") {
		return "", false
	}
	return copilotEvent(p), true
}

// copilotEvent finds the name of a camelCase payload by what only that event has; none where several could be meant.
func copilotEvent(p parts) string {
	switch {
	case p.Text("hookName") == "permissionRequest":
		return "permissionRequest"
	case p.any("notification_type", "notificationType"):
		return "notification"
	case p.has("toolName"):
		return copilotTool(p)
	case p.has("transformedPrompt"):
		return "userPromptTransformed"
	case p.has("prompt"):
		return "userPromptSubmitted"
	case p.has("agentName"):
		if p.any("stopReason", "stop_hook_active") {
			return "subagentStop"
		}
		return "subagentStart"
	case p.any("stopReason", "stop_hook_active"):
		return "agentStop"
	case p.any("initialPrompt", "source"):
		return "sessionStart"
	case p.has("trigger"):
		return "preCompact"
	case p.has("error"):
		return "errorOccurred"
	case p.Get("reason").Kind() == lenient.String:
		return "sessionEnd"
	}
	return ""
}

func copilotTool(p parts) string {
	switch {
	case p.has("toolResult"):
		return "postToolUse"
	case p.has("error"):
		return "postToolUseFailure"
	}
	return "preToolUse"
}
