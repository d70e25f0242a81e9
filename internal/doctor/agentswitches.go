package doctor

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"

	"github.com/boathook/boathook/internal/confedit"
	"github.com/boathook/boathook/internal/install"
	"github.com/boathook/boathook/internal/paths"
	"github.com/boathook/boathook/internal/switched"
)

// agentSwitches look at what switches off the hooks of those agents that have one switch for all of them.
func agentSwitches() []Check {
	var out []Check
	for _, agent := range []string{"claude", "codex", "copilot", "qwen"} {
		out = append(out, Check{ID: "switch." + agent, Title: "hooks of " + agent + " on", Run: func(_ context.Context, w *World) []Result { return agentSwitch(w, agent) }})
	}
	return out
}

func agentSwitch(w *World, agent string) []Result {
	if len(w.of(agent)) == 0 {
		return nil
	}
	var out []Result
	dirs := install.SettingsDirs(w.Install)
	for _, off := range append(switched.InHome(dirs), switched.InProject(w.project()...)...) {
		if off.Agent == agent {
			out = append(out, fail("edit "+off.Path+": take "+off.Setting+" out", "%s: no hook of a user's runs", off))
		}
	}
	for _, in := range w.of(agent) {
		if in.Disabled && !slices.ContainsFunc(out, func(r Result) bool { return r.Text != "" }) {
			out = append(out, fail("edit "+in.File+": take disableAllHooks out", "%s has disableAllHooks = true: no hook in it runs", in.File))
		}
	}
	if agent == "claude" {
		out = append(out, managedOnly(w)...)
	}
	return orOK(out, "nothing switches them off")
}

// project are the directory that an agent would be started in, and that of its repository.
func (w *World) project() []string {
	if w.Dir == "" {
		return nil
	}
	return []string{w.Dir, paths.Project(filepath.Clean(w.Dir), isThere)}
}

// managedOnly looks at what an administrator says of users' own hooks (Claude Code 2.1.332).
func managedOnly(w *World) []Result {
	dir := "/etc/claude-code"
	if w.Install.GOOS == "darwin" {
		dir = "/Library/Application Support/ClaudeCode"
	}
	dir = filepath.Join(w.Install.Root, dir)
	more, _ := filepath.Glob(filepath.Join(dir, "managed-settings.d", "*.json")) // the pattern is fine
	var out []Result
	for _, path := range append([]string{filepath.Join(dir, "managed-settings.json")}, more...) {
		data, err := readSmall(path)
		if err != nil {
			continue
		}
		var s struct{ AllowManagedHooksOnly, DisableAllHooks bool }
		if text, err := confedit.Plain(data); err != nil || json.Unmarshal(text, &s) != nil {
			continue
		}
		switch {
		case s.DisableAllHooks:
			out = append(out, fail("ask who administers it", "%s has disableAllHooks = true: Claude Code runs no hook at all", path))
		case s.AllowManagedHooksOnly:
			out = append(out, fail("ask who administers it for 'boathook install --managed'", "%s has allowManagedHooksOnly = true: Claude Code runs no hook of a user's", path))
		}
	}
	return out
}
