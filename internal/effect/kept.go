package effect

// kept is a file or directory of an agent's, by which its hooks and permissions are said. verb is what of them.
type kept struct{ path, verb string }

// keptHome are those below a home.
var keptHome = [...]kept{
	{".claude/settings.json", "settings"}, {".claude/settings.local.json", "settings"}, {".claude/hooks", "hooks"},
	{".claude/plugins", "plugins"}, {".claude.json", "settings"}, {".config/claude/settings.json", "settings"},
	{".gemini/settings.json", "settings"}, {".gemini/trustedFolders.json", "permissions"}, {".gemini/policies", "permissions"},
	{".gemini/hooks", "hooks"}, {".gemini/extensions/boathook", "hooks"}, {".gemini/extensions/extension-enablement.json", "plugins"},
	{".gemini/pinta-gemini.env", "settings"}, {".gemini/boathook-replaced", "hooks"},
	{".gemini/config/hooks.json", "hooks"}, {".gemini/config/boathook-hook.sh", "hooks"},
	{".gemini/antigravity-cli/hooks.json", "hooks"}, {".gemini/antigravity-cli/settings.json", "settings"},
	{".gemini/antigravity/hooks.json", "hooks"},
	{".codex/config.toml", "settings"}, {".codex/hooks.json", "hooks"}, {".codex/hooks", "hooks"}, {".codex/rules", "permissions"},
	{".cursor/hooks.json", "hooks"}, {".cursor/hooks", "hooks"}, {".cursor/cli-config.json", "permissions"},
	{".cursor/permissions.json", "permissions"},
	{".codeium/windsurf/hooks.json", "hooks"}, {".codeium/hooks.json", "hooks"}, {".codeium/windsurf/hooks", "hooks"},
	{".qwen/settings.json", "settings"}, {".qwen/trustedFolders.json", "permissions"}, {".qwen/hooks", "hooks"},
	{".qwen/extensions/extension-enablement.json", "plugins"},
	{".copilot/hooks", "hooks"}, {".copilot/settings.json", "settings"}, {".copilot/config.json", "settings"},
	{".copilot/permissions-config.json", "permissions"},
	{".config/amp/plugins", "plugins"}, {".config/amp/settings.json", "settings"}, {".config/amp/settings.jsonc", "settings"},
	{".config/opencode/plugin", "plugins"}, {".config/opencode/plugins", "plugins"}, {".config/opencode/opencode.json", "settings"},
	{".config/opencode/opencode.jsonc", "settings"}, {".config/opencode/config.json", "settings"}, {".opencode/plugin", "plugins"},
	{".opencode/plugins", "plugins"},
	{".cline/hooks", "hooks"}, {"Documents/Cline/Hooks", "hooks"},
	{"AppData/Roaming/opencode/plugin", "plugins"}, {"AppData/Roaming/opencode/opencode.json", "settings"},
	{"AppData/Roaming/amp/settings.json", "settings"},
}

// keptProject are those of a project. What else agents keep there (commands, agents, skills, instructions) is theirs to write.
var keptProject = [...]kept{
	{".claude/settings.json", "settings"}, {".claude/settings.local.json", "settings"}, {".claude/hooks", "hooks"},
	{".gemini/settings.json", "settings"}, {".gemini/hooks", "hooks"}, {".gemini/policies", "permissions"},
	{".agents/hooks.json", "hooks"}, {".agents/boathook-hook.sh", "hooks"},
	{".codex/config.toml", "settings"}, {".codex/hooks.json", "hooks"}, {".codex/hooks", "hooks"}, {".codex/rules", "permissions"},
	{".cursor/hooks.json", "hooks"}, {".cursor/hooks", "hooks"}, {".cursor/cli.json", "permissions"}, {".cursor/permissions.json", "permissions"},
	{".windsurf/hooks.json", "hooks"}, {".windsurf/hooks", "hooks"}, {".qwen/settings.json", "settings"}, {".qwen/hooks", "hooks"},
	{".github/hooks", "hooks"}, {".github/copilot/settings.json", "settings"}, {".github/copilot/settings.local.json", "settings"},
	{".amp/plugins", "plugins"}, {".amp/settings.json", "settings"}, {".opencode/plugin", "plugins"}, {".opencode/plugins", "plugins"},
	{".clinerules/hooks", "hooks"}, {".cline/hooks", "hooks"},
}

// keptMachine are an administrator's.
var keptMachine = [...]kept{
	{"/etc/claude-code", "managed"}, {"/etc/codex", "managed"}, {"/etc/github-copilot", "managed"}, {"/etc/cursor", "managed"},
	{"/etc/windsurf", "managed"}, {"/etc/gemini-cli", "managed"}, {"/etc/qwen-code", "managed"}, {"/etc/opencode", "managed"},
	{"/etc/ampcode", "managed"},
	{"/Library/Application Support/ClaudeCode", "managed"}, {"/Library/Application Support/Cursor", "managed"},
	{"/Library/Application Support/Windsurf", "managed"}, {"/Library/Application Support/GeminiCli", "managed"},
	{"/Library/Application Support/QwenCode", "managed"}, {"/Library/Application Support/opencode", "managed"},
	{"/Library/Application Support/ampcode", "managed"},
	{"C:/ProgramData/ClaudeCode", "managed"}, {"C:/Program Files/ClaudeCode", "managed"}, {"C:/ProgramData/Cursor", "managed"},
	{"C:/ProgramData/Windsurf", "managed"}, {"C:/ProgramData/gemini-cli", "managed"}, {"C:/ProgramData/qwen-code", "managed"},
	{"C:/ProgramData/opencode", "managed"}, {"C:/ProgramData/codex", "managed"},
}

// guardHome and guardMachine are boathook's own; so is what Machine.Guard has.
var (
	guardHome = [...]kept{
		{".config/boathook", "config"}, {".local/share/boathook", "data"}, {"Library/Application Support/boathook", "data"},
		{"AppData/Roaming/boathook", "config"}, {"AppData/Local/boathook", "data"},
	}
	guardMachine = [...]kept{{"/etc/boathook", "config"}, {"/var/lib/boathook", "data"}, {"C:/ProgramData/boathook", "config"}}
	guardProject = [...]kept{{".boathook", "policy"}}
)
