package verify

import (
	"encoding/json"
	"path/filepath"

	"github.com/boathook/boathook/internal/foreign"
)

// HostVersion is the version of an agent on a PATH, empty where it can't be told without running the agent: Gemini CLI is
// an npm package, whose package.json is at or above the program that a link on the PATH leads to.
func HostVersion(agent, path string) string {
	if agent != "gemini" {
		return ""
	}
	for _, dir := range filepath.SplitList(path) {
		program, err := filepath.EvalSymlinks(filepath.Join(dir, agent))
		if err != nil || !filepath.IsAbs(program) {
			continue
		}
		for at, steps := filepath.Dir(program), 0; steps < 4; at, steps = filepath.Dir(at), steps+1 {
			var about struct{ Name, Version string }
			text, err := foreign.Read(filepath.Join(at, "package.json"))
			if err == nil && json.Unmarshal(text, &about) == nil && about.Name == "@google/gemini-cli" {
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
