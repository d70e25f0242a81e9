// Package switched finds the settings by which somebody switches the hooks of an agent off: a repository's, which nobody
// asked, and a user's own. Hooks look at the repository's when a session starts, the worker and doctor at both. What is
// switched off runs no hook to tell of it, so that another agent's, or an administrator's, or the worker has to.
//
// It is on the hook path, and reads a handful of small files. It imports lenient, foreign and tomledit of boathook.
package switched

import (
	"path/filepath"

	"github.com/boathook/boathook/internal/foreign"
	"github.com/boathook/boathook/internal/lenient"
	"github.com/boathook/boathook/internal/tomledit"
)

// Off is one switch that is off.
type Off struct {
	Agent, Path string
	// Setting is what the file says: `disableAllHooks = true`.
	Setting string
}

func (o Off) String() string { return o.Path + " has " + o.Setting }

// file is one in which an agent has a switch.
type file struct {
	agent, name string
	off         func(data []byte) string
}

// project are the files of a repository, home those of a user: Claude Code 2.1.332, Codex 0.171.0, Copilot CLI 1.0.102, Gemini
// CLI 0.61.0, Qwen Code 0.24.4.
func project() []file {
	return []file{
		{"claude", ".claude/settings.json", AllOff}, {"claude", ".claude/settings.local.json", AllOff},
		{"qwen", ".qwen/settings.json", AllOff}, {"gemini", ".gemini/settings.json", GeminiOff},
		{"copilot", ".github/copilot/settings.json", AllOff}, {"copilot", ".github/copilot/settings.local.json", AllOff},
		{"codex", ".codex/config.toml", codexOff},
	}
}

func home() []file {
	return []file{
		{"claude", "settings.json", AllOff}, {"qwen", "settings.json", AllOff}, {"gemini", "settings.json", GeminiOff},
		{"copilot", "settings.json", AllOff}, {"codex", "config.toml", codexOff},
	}
}

// InProject looks at a repository's files, in the directories given. Links in it are not followed.
func InProject(dirs ...string) []Off {
	var out []Off
	seen := map[string]bool{"": true}
	for _, dir := range dirs {
		if seen[dir] || !filepath.IsAbs(dir) {
			continue
		}
		seen[dir] = true
		for _, f := range project() {
			path := filepath.Join(dir, filepath.FromSlash(f.name))
			data, err := foreign.ReadIn(dir, path)
			out = f.look(out, path, data, err)
		}
	}
	return out
}

// InHome looks at a user's files; dirs are the directories of the agents, by id.
func InHome(dirs map[string]string) []Off {
	var out []Off
	for _, f := range home() {
		if dir := dirs[f.agent]; dir != "" {
			path := filepath.Join(dir, f.name)
			data, err := foreign.Read(path)
			out = f.look(out, path, data, err)
		}
	}
	return out
}

// look adds what a file says. One that is not there, or can't be read, switches nothing off.
func (f file) look(out []Off, path string, data []byte, err error) []Off {
	if err != nil {
		return out
	}
	if setting := f.off(data); setting != "" {
		return append(out, Off{f.agent, path, setting})
	}
	return out
}

// AllOff is what the file of an agent says that takes disableAllHooks; empty where its hooks are on.
func AllOff(data []byte) string {
	if isTrue(lenient.Parse(data).Value.Members().Get("disableAllHooks")) {
		return "disableAllHooks = true"
	}
	return ""
}

// GeminiOff is the same of Gemini CLI's settings.json.
func GeminiOff(data []byte) string {
	hooks := lenient.Parse(data).Value.Members().Get("hooksConfig").Members()
	if on := hooks.Get("enabled"); on.Kind() == lenient.Bool && on.Text() == "false" {
		return "hooksConfig.enabled = false"
	}
	for _, name := range hooks.Get("disabled").Elems() {
		if name.Text() == "boathook" {
			return "boathook in hooksConfig.disabled"
		}
	}
	return ""
}

func isTrue(v lenient.Value) bool { return v.Kind() == lenient.Bool && v.Text() == "true" }

// codexOff looks at the feature, under its name and its older one.
func codexOff(data []byte) string {
	tree, err := tomledit.Tree(data)
	if err != nil {
		return ""
	}
	for _, name := range []string{"hooks", "codex_hooks"} {
		if on, there := tomledit.Get(tree, "features", name); there && on == false {
			return "features." + name + " = false"
		}
	}
	return ""
}
