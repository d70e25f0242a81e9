package redact

// shellMember lists the members of the agents' payloads that hold commands, program text, or what a person or a model wrote.
func shellMember(key string) bool {
	switch key {
	case "tool_input", "tool_response", "toolCall", "details", "prompt", "prompt_response", "message", "error",
		"mcp_context", "llm_request", "llm_response", "_payload":
		return true
	case "tool_calls", "last_assistant_message", "submitted_prompt", "compact_summary", "custom_instructions", "command_args",
		"delta", "displayed_text", "error_details", "reason", "title", "permission_suggestions", "background_tasks",
		"session_crons", "crons": // Claude Code, Codex, Qwen Code
		return true
	case "toolArgs", "toolInput", "toolResult", "tool_result", "initialPrompt", "initial_prompt", "transformedPrompt", "response",
		"permissionSuggestions": // Copilot CLI
		return true
	case "command", "output", "tool_output", "result_json", "content", "edits", "text", "summary", "task", "description",
		"attachments", "error_message": // Cursor
		return true
	case "tool_info": // Windsurf
		return true
	case "tool_call", "preToolUse", "postToolUse", "turn", "userPromptSubmit", "taskStart", "taskResume", "taskComplete",
		"taskCancel": // Cline
		return true
	case "data", "input": // what the plugins of Amp and opencode send
		return true
	}
	return false
}

// identMember lists the members that identify things; digits there are no cards.
func identMember(key string) bool {
	switch key {
	case "hook_event_name", "tool_name", "session_id", "conversationId", "transcript_path", "transcriptPath", "cwd",
		"timestamp", "artifactDirectoryPath":
		return true
	case "prompt_id", "turn_id", "tool_use_id", "tool_call_id", "agent_id", "message_id", "agent_transcript_path", "old_cwd",
		"new_cwd", "file_path", "trigger_file_path", "parent_file_path": // Claude Code, Codex, Qwen Code
		return true
	case "sessionId", "toolName", "agentId", "parentAgentId", "hookName": // Copilot CLI
		return true
	case "conversation_id", "generation_id", "parent_conversation_id", "subagent_id": // Cursor
		return true
	case "agent_action_name", "trajectory_id", "execution_id": // Windsurf
		return true
	case "taskId", "parent_agent_id": // Cline
		return true
	}
	return false
}
