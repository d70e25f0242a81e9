package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

// hosted is one agent's gate: what it is told there and what no objection is.
type hosted struct {
	agent, event, silence string
	// told is the payload around the content of a file that is to be written.
	told func(content string) map[string]any
}

// hosts are the agents beside Gemini CLI, with which they are compared: each has payloads of its own, of the same size.
func hosts() []hosted {
	return []hosted{
		{"antigravity", "PreToolUse", `{"decision":"allow"}`, antigravity},
		{"claude", "PreToolUse", "", claudeLike("prompt_id")},
		{"codex", "PreToolUse", "", claudeLike("turn_id", "model")},
		{"copilot", "preToolUse", "", copilot},
		{"cursor", "preToolUse", "", cursor},
		{"windsurf", "pre_write_code", "", windsurf},
		{"cline", "PreToolUse", "", cline},
		{"qwen", "PreToolUse", "", claudeLike("prompt_id", "tool_call_id")},
		{"amp", "tool.call", "", amp},
		{"opencode", "tool.execute.before", "", opencode},
	}
}

func claudeLike(more ...string) func(string) map[string]any {
	return func(content string) map[string]any {
		out := map[string]any{
			"session_id": session, "transcript_path": "/home/user/chats/session.jsonl", "cwd": "/", "hook_event_name": "PreToolUse",
			"permission_mode": "default", "tool_name": "Write", "tool_input": file("file_path", "content", content), "tool_use_id": "toolu_01",
		}
		for _, name := range more {
			out[name] = "01a22bca-03d1-76a1-8c78-a3b6134b604e"
		}
		return out
	}
}

func antigravity(content string) map[string]any {
	return map[string]any{
		"conversationId": session, "transcriptPath": "/t", "artifactDirectoryPath": "/a", "workspacePaths": []string{"/"}, "stepIdx": 2,
		"toolCall": map[string]any{"name": "write_to_file", "args": file("TargetFile", "CodeContent", content)},
	}
}

func copilot(content string) map[string]any {
	return map[string]any{"sessionId": session, "timestamp": 1796030903061, "cwd": "/", "toolName": "create", "toolArgs": file("path", "file_text", content)}
}

func cursor(content string) map[string]any {
	return map[string]any{
		"conversation_id": session, "generation_id": "g", "model": "m", "tool_name": "Write", "tool_input": file("file_path", "content", content),
		"tool_use_id": "1", "session_id": session, "hook_event_name": "preToolUse", "cursor_version": "3.2.11", "workspace_roots": []string{"/"},
		"user_email": "u@example.com", "transcript_path": "/t",
	}
}

func windsurf(content string) map[string]any {
	return map[string]any{
		"agent_action_name": "pre_write_code", "trajectory_id": session, "execution_id": "e", "timestamp": "2026-01-02T03:04:05Z", "model_name": "m",
		"tool_info": map[string]any{"file_path": "/main.go", "edits": []any{map[string]string{"old_string": "", "new_string": content}}},
	}
}

// cline has the input twice in a payload.
func cline(content string) map[string]any {
	half := file("path", "new_text", content[:len(content)/2])
	return map[string]any{
		"taskId": "conv_1", "sessionContext": map[string]string{"rootSessionId": session}, "workspaceRoots": []string{"/"}, "hookName": "tool_call",
		"tool_call":  map[string]any{"id": "call_1", "name": "editor", "input": half},
		"preToolUse": map[string]any{"toolName": "editor", "parameters": half},
	}
}

func amp(content string) map[string]any {
	return map[string]any{"event": "tool.call", "cwd": "/", "data": map[string]any{
		"thread": map[string]string{"id": session}, "toolUseID": "toolu_1", "tool": "create_file", "input": file("path", "content", content),
	}}
}

func opencode(content string) map[string]any {
	return map[string]any{
		"directory": "/", "worktree": "/", "input": map[string]string{"tool": "write", "sessionID": session, "callID": "call_1"},
		"output": map[string]any{"args": file("filePath", "content", content)},
	}
}

const session = "0a8f5a54-7a4f-4f0e-9c39-0f3f2f9f6f11"

func file(path, content, text string) map[string]string {
	return map[string]string{path: "/main.go", content: text}
}

// payload is one of about so many bytes.
func (h hosted) payload(n int) []byte {
	empty, err := json.Marshal(h.told(""))
	if err != nil {
		panic(err) // texts always marshal
	}
	text, err := json.Marshal(h.told(strings.Repeat(codeLine, max(1, (n-len(empty))/len(codeLine)))))
	if err != nil {
		panic(err)
	}
	return text
}

// others are the hooks of the other agents, run as Gemini's is.
func others(gemini program) []program {
	var out []program
	for _, h := range hosts() {
		p := program{name: "… for " + h.agent, env: gemini.env, small: true, payload: h.payload, answer: h.silence}
		for _, arg := range gemini.args {
			switch arg {
			case "gemini":
				arg = h.agent
			case "BeforeTool":
				arg = h.event
			}
			p.args = append(p.args, arg)
		}
		out = append(out, p)
	}
	return out
}

// hostBudgets hold each agent's hook to Gemini's.
func hostBudgets() []budget {
	var out []budget
	for i, h := range hosts() {
		out = append(out, budget{other + i, ours, 1.1, fmt.Sprintf("for %s, to Gemini's", h.agent)})
	}
	return out
}
