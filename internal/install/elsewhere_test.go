//go:build unix

package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestUninstallWithoutManifest(t *testing.T) {
	env := world(t)
	put(t, hooksFile(env), otherHook, 0o644)
	install(t, env, both)
	if err := os.RemoveAll(filepath.Join(env.Home, ".local")); err != nil {
		t.Fatal(err)
	}
	uninstall(t, env, Request{})
	if got := text(t, hooksFile(env)); got != otherHook {
		t.Errorf("%q", got)
	}
	for _, path := range []string{geminiExtension(env), filepath.Join(env.Home, ".gemini", "config", stubName), filepath.Join(env.Home, ".local")} {
		if exists(path) {
			t.Errorf("%s is left", path)
		}
	}
}

func TestConfigElsewhereIsFoundAgain(t *testing.T) {
	env := with(world(t), map[string]string{"GEMINI_PLUGIN_DATA": filepath.Join(t.TempDir(), "data")})
	before := tree(t, env.Home)
	req := both
	req.Config = filepath.Join(env.Home, "cfg", "my config.toml")
	install(t, env, req)
	plain := with(env, nil)
	uninstall(t, plain, Request{Purge: true})
	same(t, before, tree(t, env.Home))
	if data, _ := env.Lookup("GEMINI_PLUGIN_DATA"); exists(data) {
		t.Error("the data are left")
	}
}

// A data directory that was there before is not ours to remove.
func TestPurgeSparesADirectoryOfOthers(t *testing.T) {
	data := t.TempDir()
	put(t, filepath.Join(data, "invocations.jsonl"), "{}", 0o600)
	env := with(world(t), map[string]string{"GEMINI_PLUGIN_DATA": data})
	before, beforeData := tree(t, env.Home), tree(t, data)
	install(t, env, both)
	put(t, filepath.Join(data, "events.db-wal"), "x", 0o600)
	uninstall(t, env, Request{Purge: true})
	same(t, before, tree(t, env.Home))
	same(t, beforeData, tree(t, data))
}

// The extension's directory is all boathook's: what somebody made of a file there is kept aside, not mixed in. Files of
// others stay.
func TestUpgradeOfAnEditedExtension(t *testing.T) {
	env := world(t)
	install(t, env, both)
	hooks, manifest := filepath.Join(geminiExtension(env), "hooks", "hooks.json"), filepath.Join(geminiExtension(env), "gemini-extension.json")
	edit(t, hooks, `"SessionStart": [`, `"SessionStart": [ {"hooks": [{"type":"command", "command":"mine"}]}, // mine`)
	edit(t, manifest, `"version"`, `"mcpServers": { },  "version"`)
	put(t, filepath.Join(geminiExtension(env), "GEMINI.md"), "mine", 0o644)
	edited := []string{text(t, hooks), text(t, manifest)}
	newer := env
	newer.Version = "v2"
	p := install(t, newer, both)
	if got := strings.Join(p.Notes, "\n"); strings.Count(got, "the edited one is kept in") != 2 {
		t.Errorf("%s", got)
	}
	if strings.Contains(text(t, hooks), "mine") || strings.Contains(text(t, manifest), "mcpServers") {
		t.Error("mixed in")
	}
	for i, path := range []string{hooks, manifest} {
		kept := filepath.Join(installDir(env), backupsName, backupName(path, sum([]byte(edited[i]))))
		if text(t, kept) != edited[i] {
			t.Errorf("%s is not kept", path)
		}
	}
	if p := install(t, newer, both); !p.Empty() {
		t.Errorf("again: %v", p.Lines(true))
	}
	p = uninstall(t, newer, Request{})
	if got := tree(t, geminiExtension(env)); len(got) != 2 || got["GEMINI.md"] == "" {
		t.Errorf("%v", got)
	}
	if got := strings.Join(p.Notes, "\n"); !strings.Contains(got, "boathook did not write (GEMINI.md)") {
		t.Errorf("%s", got)
	}
	install(t, newer, both)
}

// A second install that does not know of the first one's manifest must not take its entry for the original.
func TestInstallAgainWithAnotherDataDirectory(t *testing.T) {
	env := world(t)
	put(t, hooksFile(env), otherHook, 0o644)
	install(t, env, both)
	req := both
	req.Config = filepath.Join(env.Home, "other", "config.toml")
	other := with(env, map[string]string{"GEMINI_PLUGIN_DATA": filepath.Join(env.Home, "other", "data")})
	install(t, other, req)
	uninstall(t, env, Request{Config: req.Config, Purge: true})
	if got := text(t, hooksFile(env)); got != otherHook {
		t.Errorf("%q", got)
	}
}

func TestEmptyHooksFile(t *testing.T) {
	env := world(t)
	put(t, hooksFile(env), " \n", 0o644)
	before := tree(t, env.Home)
	install(t, env, both)
	uninstall(t, env, Request{Purge: true})
	same(t, before, tree(t, env.Home))
}
