//go:build unix

package hookwatch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/boathook/boathook/internal/install"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/worker"
)

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

// installed is a home in which some agents have hooks.
func installed(t *testing.T, agents ...string) Watch {
	t.Helper()
	home := t.TempDir()
	exe := filepath.Join(t.TempDir(), "boathook")
	put(t, exe, "#!/bin/sh\n")
	env := install.Env{
		Home: home, Exe: exe, Version: "v1", UID: os.Getuid(), GOOS: "linux", Root: t.TempDir(),
		Lookup: func(string) (string, bool) { return "", false },
	}
	req := install.Request{Agents: agents}
	p, err := install.PlanInstall(env, req)
	if err == nil {
		_, err = install.Install(env, req, p)
	}
	if err != nil {
		t.Fatal(err)
	}
	return Watch{Env: env, Version: "v1", Now: time.Now}
}

func edit(t *testing.T, path, old, new string) {
	t.Helper()
	was, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(was), old) {
		t.Fatalf("%q is not in %s: %v", old, path, err)
	}
	put(t, path, strings.Replace(string(was), old, new, 1))
}

func TestLostHooksAreTold(t *testing.T) {
	for name, tt := range map[string]struct {
		agent string
		harm  func(t *testing.T, home, repo string)
		says  string
	}{
		"all is well":  {"claude", func(*testing.T, string, string) {}, ""},
		"file emptied": {"claude", func(t *testing.T, home, _ string) { put(t, filepath.Join(home, ".claude/settings.json"), "{}") }, "~/.claude/settings.json: has no hook of boathook's"},
		"file gone":    {"codex", func(t *testing.T, home, _ string) { _ = os.Remove(filepath.Join(home, ".codex/hooks.json")) }, "~/.codex/hooks.json: is missing"},
		"gate taken out": {"qwen", func(t *testing.T, home, _ string) {
			edit(t, filepath.Join(home, ".qwen/settings.json"), `"PreToolUse"`, `"Was"`)
		}, "no entry for PreToolUse"},
		"user switches off": {"claude", func(t *testing.T, home, _ string) {
			edit(t, filepath.Join(home, ".claude/settings.json"), "{", `{"disableAllHooks":true,`)
		}, "disableAllHooks = true"},
		"feature off": {"codex", func(t *testing.T, home, _ string) {
			put(t, filepath.Join(home, ".codex/config.toml"), "features.hooks = false")
		}, "features.hooks = false"},
		"repository": {"gemini", func(t *testing.T, _, repo string) {
			put(t, filepath.Join(repo, ".gemini/settings.json"), `{"hooksConfig":{"enabled":false}}`)
		}, "the repository's .gemini/settings.json has hooksConfig.enabled = false"},
		"another repository": {"gemini", func(t *testing.T, _, repo string) {
			put(t, filepath.Join(repo, "x/.gemini/settings.json"), `{"hooksConfig":{"enabled":false}}`)
		}, ""},
		"another agent": {"gemini", func(t *testing.T, _, repo string) {
			put(t, filepath.Join(repo, ".claude/settings.json"), `{"disableAllHooks":true}`)
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := installed(t, "gemini", "claude", "codex", "qwen")
			repo := t.TempDir()
			tt.harm(t, w.Env.Home, repo)
			found := w.Look([]store.LiveSession{{Agent: tt.agent, Session: "s", CWD: repo}})
			if tt.says == "" {
				if len(found) > 0 {
					t.Errorf("%+v", found)
				}
				return
			}
			if len(found) != 1 || found[0].HostEvent != worker.HooksLost || found[0].Agent != tt.agent || found[0].SessionID != "s" || found[0].ID == "" ||
				!strings.Contains(found[0].Notes[0], tt.says) || strings.Contains(found[0].Notes[0], w.Env.Home) {
				t.Errorf("%+v", found)
			}
		})
	}
}

func TestWhatSomebodyChoseIsNotLost(t *testing.T) {
	w := installed(t, "claude")
	req := install.Request{Agents: []string{"claude"}, Events: []string{"SessionStart"}}
	p, err := install.PlanInstall(w.Env, req)
	if err == nil {
		_, err = install.Install(w.Env, req, p)
	}
	if err != nil {
		t.Fatal(err)
	}
	if found := w.Look([]store.LiveSession{{Agent: "claude", Session: "s"}}); len(found) > 0 {
		t.Errorf("%+v", found)
	}
	none := Watch{Env: w.Env, Now: time.Now}
	none.Env.Home = t.TempDir()
	if found := none.Look([]store.LiveSession{{Agent: "claude", Session: "s"}}); len(found) > 0 {
		t.Errorf("nothing is installed: %+v", found)
	}
}

func TestMinimalRecordsNameNoPaths(t *testing.T) {
	w := installed(t, "claude")
	w.Minimal = true
	put(t, filepath.Join(w.Env.Home, ".claude/settings.json"), "{}")
	found := w.Look([]store.LiveSession{{Agent: "claude", Session: "s"}})
	if len(found) != 1 || strings.Contains(found[0].Notes[0], "/") {
		t.Errorf("%+v", found)
	}
}
