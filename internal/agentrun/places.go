package agentrun

import (
	"path/filepath"

	"github.com/boathook/boathook/internal/paths"
)

// home is where an agent keeps hooks: a directory that a variable may name, one below it, and a file.
type home struct{ variable, dir, below, file string }

// homeOf has the agents whose hooks stand in lists in a JSON file, which others write into, too (Claude Code 2.1.332, Codex
// 0.171.0, Copilot CLI 1.0.102, @cursor/sdk 1.0.32, Windsurf by its documentation, Qwen Code 0.24.4), and Cline 3.0.65, which
// runs scripts.
func homeOf(agent string) (home, bool) {
	for _, h := range [...]struct {
		agent string
		home
	}{
		{"claude", home{"CLAUDE_CONFIG_DIR", ".claude", "", "settings.json"}},
		{"codex", home{"CODEX_HOME", ".codex", "", "hooks.json"}},
		{"copilot", home{"COPILOT_HOME", ".copilot", "hooks", "boathook.json"}},
		{"cursor", home{"", ".cursor", "", "hooks.json"}},
		{"windsurf", home{"", ".codeium/windsurf", "", "hooks.json"}},
		{"cline", home{"CLINE_DIR", ".cline", "hooks", ""}},
		{"qwen", home{"QWEN_HOME", ".qwen", "", "settings.json"}},
	} {
		if h.agent == agent {
			return h.home, true
		}
	}
	return home{}, false
}

// listed tells whether an agent's hooks stand in a list.
func listed(agent string) bool {
	at, _ := homeOf(agent)
	return at.file != ""
}

func (h home) in(user string, lookup paths.Lookup) string {
	dir := filepath.Join(user, filepath.FromSlash(h.dir))
	if other := named(lookup, h.variable); other != "" {
		dir = other
	}
	return filepath.Join(dir, h.below)
}

// named is the absolute path that a variable names, if any.
func named(lookup paths.Lookup, variable string) string {
	if lookup == nil || variable == "" {
		return ""
	}
	dir, _ := lookup(variable)
	if !filepath.IsAbs(dir) {
		return ""
	}
	return dir
}

// Dir is where an agent of a user looks for boathook's hooks: Gemini CLI in its extension, Antigravity in its
// configuration, others in theirs, or in a folder of plugins. GEMINI_CLI_HOME stands for the home directory there (0.61.0).
func Dir(agent, home string, lookup paths.Lookup) string {
	if pluginsBelow(agent) != "" {
		return pluginDir(agent, home, lookup)
	}
	if at, ok := homeOf(agent); ok {
		return at.in(home, lookup)
	}
	if agent != "gemini" {
		return filepath.Join(home, ".gemini", "config")
	}
	if other := named(lookup, "GEMINI_CLI_HOME"); other != "" {
		home = other
	}
	return filepath.Join(home, ".gemini", "extensions", "boathook")
}
