package agentrun

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// heredoc ends the payload that Cursor writes behind a command line (@cursor/sdk 1.0.32).
const heredoc = "CURSOR_HOOK_EOF"

// Start is how an agent starts a hook: with which arguments, and what on its standard input.
//
// Gemini CLI 0.61.0, Qwen Code 0.24.4 and Copilot CLI 1.0.102 give the line to bash, Codex 0.171.0 to the user's shell, Claude
// Code 2.1.332 to /bin/sh whatever the user's is; Cline 3.0.65 runs a script with what its first line names, whatever its
// mode; Cursor writes the payload behind the line. For the others any POSIX shell must do.
func (a Agent) Start(command string, payload []byte) (argv []string, stdin []byte) {
	switch a.ID {
	case "gemini", "qwen", "copilot", "codex":
		return []string{"bash", "-c", command}, payload
	case "cline":
		return []string{"/bin/sh", command}, payload
	case "cursor":
		text := strings.TrimRight(string(payload), "\n")
		return []string{"/bin/sh", "-c", command + " <<'" + heredoc + "'\n" + text + "\n" + heredoc}, nil
	}
	return []string{"/bin/sh", "-c", command}, payload
}

// environment is the agent's own, as far as hooks may see it, and over all of it what the handler names.
func (a Agent) environment(h Hook, payload []byte) []string {
	env := []string{"HOME=" + a.Home, "PATH=" + a.Path, "LANG=C.UTF-8", "TERM=dumb"}
	var session struct {
		SessionID string `json:"session_id"`
	}
	_ = json.Unmarshal(payload, &session) // a payload that is none names no session
	values := strings.NewReplacer("DIR", a.Work, "SESSION", session.SessionID, "PLANS", filepath.Join(a.Home, ".gemini", "tmp", "work", "plans"))
	for _, v := range variables()[a.ID] {
		name, value, _ := strings.Cut(v, "=")
		env = append(env, name+"="+values.Replace(value))
	}
	for _, name := range slices.Sorted(maps.Keys(h.Env)) {
		env = append(env, name+"="+h.Env[name])
	}
	return env
}

// variables tell hooks where they run, as it was seen of each agent (docs/hosts has the versions): DIR is the session's
// directory, SESSION its id.
func variables() map[string][]string {
	return map[string][]string{
		"gemini":  {"GEMINI_PROJECT_DIR=DIR", "GEMINI_CWD=DIR", "CLAUDE_PROJECT_DIR=DIR", "GEMINI_SESSION_ID=SESSION", "GEMINI_PLANS_DIR=PLANS"},
		"claude":  {"CLAUDE_PROJECT_DIR=DIR", "CLAUDECODE=1", "CLAUDE_CODE_SESSION_ID=SESSION", "CLAUDE_CODE_CHILD_SESSION=1"},
		"copilot": {"COPILOT_CLI=1", "COPILOT_PROJECT_DIR=DIR", "CLAUDE_PROJECT_DIR=DIR"},
		"cursor":  {"CURSOR_VERSION=3.2.11", "CURSOR_PROJECT_DIR=DIR", "CLAUDE_PROJECT_DIR=DIR"},
		"cline":   {"CLINE_BUILD_ENV=production"},
		"qwen":    {"QWEN_PROJECT_DIR=DIR", "GEMINI_PROJECT_DIR=DIR", "CLAUDE_PROJECT_DIR=DIR", "QWEN_CODE_SESSION_ID=SESSION"},
	}
}
