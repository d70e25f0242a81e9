package switched

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestInProject(t *testing.T) {
	for name, tt := range map[string]struct{ text, agent, setting string }{
		".claude/settings.json":               {`{"disableAllHooks":true}`, "claude", "disableAllHooks = true"},
		".claude/settings.local.json":         {"\xef\xbb\xbf{ \"a\": 1, \"disableAllHooks\" : true }", "claude", "disableAllHooks = true"},
		".qwen/settings.json":                 {"{ // why\n \"disableAllHooks\": true,\n}", "qwen", "disableAllHooks = true"},
		".gemini/settings.json":               {`{"hooksConfig":{"enabled":false}}`, "gemini", "hooksConfig.enabled = false"},
		".github/copilot/settings.json":       {`{"disableAllHooks":true}`, "copilot", "disableAllHooks = true"},
		".github/copilot/settings.local.json": {`{"disableAllHooks":true}`, "copilot", "disableAllHooks = true"},
		".codex/config.toml":                  {"[features]\nhooks = false\n", "codex", "features.hooks = false"},
	} {
		dir := t.TempDir()
		put(t, filepath.Join(dir, name), tt.text)
		want := []Off{{tt.agent, filepath.Join(dir, name), tt.setting}}
		if diff := cmp.Diff(want, InProject(dir, dir, "", "relative")); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestNotOff(t *testing.T) {
	for name, text := range map[string]string{
		".claude/settings.json": `{"disableAllHooks":false,"x":{"disableAllHooks":true}}`, ".qwen/settings.json": `{"disableAllHooks":"true"}`,
		".gemini/settings.json": `{"hooksConfig":{"enabled":true,"disabled":["other"]}}`, ".codex/config.toml": "features = 1\nhooks = false\n",
		".github/copilot/settings.json": "no JSON",
	} {
		dir := t.TempDir()
		put(t, filepath.Join(dir, name), text)
		if got := InProject(dir); len(got) > 0 {
			t.Errorf("%s: %v", text, got)
		}
	}
	dir, other := t.TempDir(), t.TempDir()
	put(t, filepath.Join(other, "settings.json"), `{"disableAllHooks":true}`)
	if err := os.Symlink(other, filepath.Join(dir, ".claude")); err != nil {
		t.Fatal(err)
	}
	if got := InProject(dir); len(got) > 0 {
		t.Errorf("a repository's link was followed: %v", got)
	}
}

func TestInHome(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "gemini/settings.json"), `{"hooksConfig":{"disabled":["boathook"]}}`)
	put(t, filepath.Join(dir, "codex/config.toml"), "features = { codex_hooks = false }")
	put(t, filepath.Join(dir, "claude/settings.json"), `{}`)
	dirs := map[string]string{"gemini": filepath.Join(dir, "gemini"), "codex": filepath.Join(dir, "codex"), "claude": filepath.Join(dir, "claude")}
	want := []Off{
		{"gemini", filepath.Join(dir, "gemini/settings.json"), "boathook in hooksConfig.disabled"},
		{"codex", filepath.Join(dir, "codex/config.toml"), "features.codex_hooks = false"},
	}
	if diff := cmp.Diff(want, InHome(dirs)); diff != "" {
		t.Error(diff)
	}
}
