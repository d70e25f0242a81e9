package verify

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/boathook/boathook/internal/foreign"
)

// packages are the programs of agents that are npm packages, and the packages' names.
var packages = map[string][2]string{
	"gemini": {"gemini", "@google/gemini-cli"}, "claude": {"claude", "@anthropic-ai/claude-code"}, "codex": {"codex", "@openai/codex"},
	"copilot": {"copilot", "@github/copilot"}, "qwen": {"qwen", "@qwen-code/qwen-code"}, "cline": {"cline", "cline"},
	"opencode": {"opencode", "opencode-ai"},
}

// HostVersion is the version of an agent on a PATH, empty where it can't be told without running the agent: many are npm
// packages, whose package.json is at or above the program that a link on the PATH leads to, and Claude Code may be a file
// versions/2.1.332.
func HostVersion(agent, path string) string {
	program, known := packages[agent]
	if !known {
		return ""
	}
	for _, dir := range filepath.SplitList(path) {
		file, err := filepath.EvalSymlinks(filepath.Join(dir, program[0]))
		if err != nil || !filepath.IsAbs(file) {
			continue
		}
		if dir, name := filepath.Split(file); filepath.Base(dir) == "versions" && strings.Count(name, ".") >= 2 {
			return fieldVersion(name)
		}
		for at, steps := filepath.Dir(file), 0; steps < 4; at, steps = filepath.Dir(at), steps+1 {
			var about struct{ Name, Version string }
			text, err := foreign.Read(filepath.Join(at, "package.json"))
			if err == nil && json.Unmarshal(text, &about) == nil && about.Name == program[1] {
				return fieldVersion(about.Version)
			}
		}
		return ""
	}
	return ""
}

// fieldVersion leaves out what is no version.
func fieldVersion(text string) string {
	for _, r := range text {
		if (r < '0' || r > '9') && (r < 'a' || r > 'z') && r != '.' && r != '-' && r != '+' {
			return ""
		}
	}
	return text[:min(len(text), maxName)]
}
