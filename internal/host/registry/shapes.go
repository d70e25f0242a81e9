package registry

import (
	"path"
	"strings"

	"github.com/boathook/boathook/internal/lenient"
)

// shape tells whether a payload is one of an agent's, and of which event. Shapes are exact enough that each recording of
// each agent fits one alone, or fits those that it cannot be told from.
type shape struct {
	id   string
	fits func(parts) (event string, ok bool)
}

func shapes() []shape {
	return []shape{
		{"gemini", fitsGemini}, {"antigravity", fitsAntigravity}, {"claude", fitsClaude}, {"codex", fitsCodex}, {"copilot", fitsCopilot},
		{"cursor", fitsCursor}, {"windsurf", fitsWindsurf}, {"cline", fitsCline}, {"qwen", fitsQwen}, {"amp", fitsAmp}, {"opencode", fitsOpencode},
	}
}

// named is an event that the agent knows under the name that the payload gives.
func named(id string, p parts, member string) (string, bool) {
	name := p.Text(member)
	h, _ := Lookup(id)
	_, known := h.Event(name)
	return name, known && name != ""
}

// fitsGemini: 0.61.0 has a time stamp and a transcript in every payload; of the others with both, Qwen Code has a permission
// mode in every one, and Copilot a transcript at a turn's end alone, which Gemini has another name for.
func fitsGemini(p parts) (string, bool) {
	name, ok := named("gemini", p, "hook_event_name")
	return name, ok && p.has("session_id", "timestamp", "transcript_path") && !p.any("permission_mode", "cursor_version", "prompt_id")
}

// fitsQwen: 0.24.4 has the members of Gemini, the events of Claude Code, and a permission mode.
func fitsQwen(p parts) (string, bool) {
	name, ok := named("qwen", p, "hook_event_name")
	return name, ok && p.has("session_id", "timestamp", "permission_mode") && !p.any("cursor_version")
}

// fitsClaude and fitsCodex: Claude Code 2.1.332 and Codex 0.171.0 send no time stamp. They share names of events and
// members; where nothing in a payload is of one of them alone, both fit.
func fitsClaude(p parts) (string, bool) {
	name, ok := named("claude", p, "hook_event_name")
	return name, ok && claudeLike(p) && !ofCodex(p)
}

func fitsCodex(p parts) (string, bool) {
	name, ok := named("codex", p, "hook_event_name")
	return name, ok && claudeLike(p) && !ofClaude(p)
}

func claudeLike(p parts) bool {
	return p.has("session_id", "cwd", "transcript_path") && !p.any("timestamp", "cursor_version", "sessionId")
}

// ofClaude: its transcript is named after the session.
func ofClaude(p parts) bool {
	return p.any("prompt_id", "effort") || transcript(p) == p.Text("session_id")+".jsonl"
}

func ofCodex(p parts) bool {
	return strings.HasPrefix(transcript(p), "rollout-") || p.has("turn_id", "model") || p.has("permission_mode", "model")
}

func transcript(p parts) string {
	return path.Base(strings.ReplaceAll(p.Text("transcript_path"), `\`, "/"))
}

// fitsCursor: it says its version in every payload (@cursor/sdk 1.0.32).
func fitsCursor(p parts) (string, bool) {
	name, ok := named("cursor", p, "hook_event_name")
	return name, ok && p.has("cursor_version")
}

func fitsWindsurf(p parts) (string, bool) {
	name, ok := named("windsurf", p, "agent_action_name")
	return name, ok && p.any("trajectory_id", "tool_info")
}

// fitsCline: the extension has the events' own names, the CLI (3.0.65) others.
func fitsCline(p parts) (string, bool) {
	if !p.has("taskId", "hookName") {
		return "", false
	}
	name := p.Text("hookName")
	for own, event := range map[string]string{
		"agent_start": "TaskStart", "agent_resume": "TaskResume", "agent_abort": "TaskCancel", "agent_end": "TaskComplete",
		"agent_error": "TaskError", "tool_call": "PreToolUse", "tool_result": "PostToolUse", "prompt_submit": "UserPromptSubmit",
		"session_shutdown": "SessionShutdown",
	} {
		if name == own {
			return event, true
		}
	}
	return named("cline", p, "hookName")
}

// fitsAntigravity: it names no event. What stands around a model's call is the same before and behind it.
func fitsAntigravity(p parts) (string, bool) {
	if !p.has("conversationId") || p.any("hook_event_name", "sessionId", "session_id") {
		return "", false
	}
	switch {
	case p.any("terminationReason", "fullyIdle", "executionNum"):
		return "Stop", true
	case p.any("toolCall", "stepIdx") && p.has("error"):
		return "PostToolUse", true
	case p.has("toolCall"):
		return "PreToolUse", true
	}
	return "", p.any("invocationNum", "initialNumSteps", "transcriptPath", "stepIdx")
}

// fitsAmp and fitsOpencode: what boathook's own plugins send, which name the agent themselves; and of opencode a recording that
// names the hook.
func fitsAmp(p parts) (string, bool) {
	name, ok := named("amp", p, "event")
	return name, ok && p.Get("data").Kind() == lenient.Object
}

func fitsOpencode(p parts) (string, bool) {
	if p.Get("input").Kind() != lenient.Object {
		return "", false
	}
	h, _ := Lookup("opencode")
	if p.has("hook") {
		name := strings.TrimPrefix(p.Text("hook"), "event:")
		_, known := h.Event(name)
		return name, known
	}
	in, out := parts{p.Get("input").Members()}, parts{p.Get("output").Members()}
	if !p.has("directory", "worktree") {
		return "", false
	}
	if name := in.Text("type"); name != "" {
		_, known := h.Event(name)
		return name, known
	}
	switch {
	case in.has("callID", "args"):
		return "tool.execute.after", true
	case in.has("callID") && out.has("args"):
		return "tool.execute.before", true
	case out.has("parts", "message"):
		return "chat.message", true
	}
	return "", true
}
