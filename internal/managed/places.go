package managed

// Of those without a place: Cline and Antigravity read nothing of an administrator's (Cline 3.0.65; no documentation for
// Antigravity), and what Amp reads of him (/etc/ampcode/managed-settings.json) can name no plugin.

// linux are the files on Linux: Claude Code 2.1.332, Codex 0.171.0, Copilot CLI 1.0.102, Qwen Code 0.24.4, opencode 1.18.33
// and Gemini CLI 0.61.0 by the programs themselves, Cursor and Windsurf by their documentation.
var linux = map[string]string{
	"claude":   "etc/claude-code/managed-settings.d/boathook.json",
	"codex":    "etc/codex/hooks.json",
	"copilot":  "etc/github-copilot/policy.d/boathook.json",
	"cursor":   "etc/cursor/hooks.json",
	"windsurf": "etc/windsurf/hooks.json",
	"gemini":   "etc/gemini-cli/settings.json",
	"qwen":     "etc/qwen-code/settings.json",
	"opencode": "etc/opencode/boathook.js",
}

// darwin are those on macOS, of which none was tried.
var darwin = map[string]string{
	"claude":   "Library/Application Support/ClaudeCode/managed-settings.d/boathook.json",
	"codex":    "etc/codex/hooks.json",
	"copilot":  "etc/github-copilot/policy.d/boathook.json",
	"cursor":   "Library/Application Support/Cursor/hooks.json",
	"windsurf": "Library/Application Support/Windsurf/hooks.json",
	"gemini":   "Library/Application Support/GeminiCli/settings.json",
	"qwen":     "Library/Application Support/QwenCode/settings.json",
	"opencode": "Library/Application Support/opencode/boathook.js",
}
