//go:build unix

package install

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPurgeLeavesTheHomeAsItWas(t *testing.T) {
	tests := []struct {
		name  string
		setup func(t *testing.T, env Env)
	}{
		{"empty home", func(*testing.T, Env) {}},
		{"home in use", func(t *testing.T, env Env) {
			put(t, hooksFile(env), otherHook, 0o640)
			put(t, filepath.Join(env.Home, ".gemini", "settings.json"), "{}", 0o600)
			put(t, filepath.Join(env.Home, ".config", "other", "x"), "x", 0o600)
		}},
		{"pinta-gemini", func(t *testing.T, env Env) {
			put(t, filepath.Join(env.Home, ".gemini", "extensions", "pinta-gemini", "hooks", "hooks.json"), "{ }", 0o604)
			put(t, filepath.Join(env.Home, ".gemini", "extensions", "pinta-gemini", "run.sh"), "x", 0o755)
			put(t, hooksFile(env), "{\"pinta-gemini\": {\"Stop\": [ ]},\r\n \"z\":{}}\r\n", 0o644)
		}},
		{"symbolic links", func(t *testing.T, env Env) {
			put(t, filepath.Join(env.Home, "dotfiles", "hooks.json"), otherHook+"\n", 0o644)
			put(t, filepath.Join(env.Home, ".gemini", "config", "x"), "", 0o644)
			if err := os.Symlink("../../dotfiles/hooks.json", hooksFile(env)); err != nil {
				t.Fatal(err)
			}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			env := world(t)
			tt.setup(t, env)
			before := tree(t, env.Home)
			install(t, env, both)
			if text(t, hooksFile(env)) == "" {
				t.Error("no hooks.json")
			}
			put(t, filepath.Join(env.Home, ".local", "share", "boathook", "spool", "new", "x.json"), "{}", 0o600)
			uninstall(t, env, Request{Purge: true})
			same(t, before, tree(t, env.Home))
		})
	}
}

func TestUninstallThenPurge(t *testing.T) {
	env := world(t)
	put(t, hooksFile(env), otherHook, 0o644)
	before := tree(t, env.Home)
	install(t, env, both)
	uninstall(t, env, Request{Agents: []string{"gemini"}})
	if _, err := os.Stat(geminiExtension(env)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the extension is still there: %v", err)
	}
	if !strings.Contains(text(t, hooksFile(env)), "PreToolUse") {
		t.Error("Antigravity's hooks went too")
	}
	_, err := PlanUninstall(env, Request{Agents: []string{"gemini"}, Purge: true})
	wantRefused(t, err, "antigravity are still installed")
	uninstall(t, env, Request{})
	if got := text(t, hooksFile(env)); got != otherHook {
		t.Errorf("%q", got)
	}
	if !exists(filepath.Join(env.Home, ".config", "boathook", "config.toml")) {
		t.Error("the config went without --purge")
	}
	if p := uninstall(t, env, Request{}); !p.Empty() {
		t.Errorf("a second uninstall changes %v", p.Changes)
	}
	uninstall(t, env, Request{Purge: true})
	same(t, before, tree(t, env.Home))
}

func TestInstallAgainChangesNothing(t *testing.T) {
	env := world(t)
	put(t, hooksFile(env), otherHook, 0o644)
	install(t, env, both)
	before := tree(t, env.Home)
	if p := install(t, env, both); !p.Empty() {
		t.Errorf("a second install changes %v", p.Changes)
	}
	same(t, before, tree(t, env.Home))
}

// An upgrade changes our entries alone, and the original stays what uninstall brings back.
func TestUpgrade(t *testing.T) {
	env := world(t)
	put(t, hooksFile(env), otherHook, 0o644)
	before := tree(t, env.Home)
	install(t, env, both)
	newer := env
	newer.Version, newer.Exe = "v2.0.0", filepath.Join(t.TempDir(), "it's $new")
	put(t, newer.Exe, "", 0o755)
	p := install(t, newer, both)
	for _, c := range p.Changes {
		if c.Op != Edit && c.Op != Remember {
			t.Errorf("%s %s", c.Op, c.Path)
		}
	}
	if got := text(t, filepath.Join(geminiExtension(env), "gemini-extension.json")); !strings.Contains(got, "v2.0.0") {
		t.Errorf("%s", got)
	}
	uninstall(t, newer, Request{Purge: true})
	same(t, before, tree(t, env.Home))
}

func TestUpgradeKeepsEditsInBetween(t *testing.T) {
	env := world(t)
	put(t, hooksFile(env), otherHook, 0o644)
	install(t, env, both)
	edit(t, hooksFile(env), `"mine"`, `"yours"`)
	req := both
	req.Events = []string{"all"}
	p := install(t, env, req)
	if len(p.Changes) == 0 {
		t.Error("no change")
	}
	uninstall(t, env, Request{})
	if got, want := text(t, hooksFile(env)), strings.ReplaceAll(otherHook, "mine", "yours"); got != want {
		t.Errorf("%q", got)
	}
}

// What a user changed since stays to the byte; only our entries go.
func TestUninstallAfterEdits(t *testing.T) {
	env := world(t)
	put(t, hooksFile(env), "{\n  \"a\": {},\n  \"pinta-gemini\": {  \"Stop\":[]  }\n}\n", 0o600)
	install(t, env, both)
	edit(t, hooksFile(env), "\"a\": {}", "\"a\":   {\"Stop\": []}")
	edit(t, hooksFile(env), "\n}\n", ",\n  \"b\": { }\n}\n\n")
	uninstall(t, env, Request{})
	want := "{\n  \"a\":   {\"Stop\": []},\n  \"b\": { },\n  \"pinta-gemini\": {  \"Stop\":[]  }\n}\n\n"
	if diff := cmp.Diff(want, text(t, hooksFile(env))); diff != "" {
		t.Error(diff)
	}
}

func TestModesAndLinksStay(t *testing.T) {
	env := world(t)
	put(t, filepath.Join(env.Home, "dotfiles", "hooks.json"), "{}", 0o604)
	put(t, filepath.Join(env.Home, ".gemini", "config", "x"), "", 0o644)
	if err := os.Symlink("../../dotfiles/hooks.json", hooksFile(env)); err != nil {
		t.Fatal(err)
	}
	install(t, env, both)
	link, err := os.Readlink(hooksFile(env))
	if err != nil || link != "../../dotfiles/hooks.json" {
		t.Errorf("%q %v", link, err)
	}
	for path, want := range map[string]fs.FileMode{
		hooksFile(env): 0o604, filepath.Join(env.Home, ".config", "boathook", "config.toml"): 0o600,
		filepath.Join(env.Home, ".config", "boathook"): 0o700, filepath.Join(env.Home, ".local", "share", "boathook"): 0o700,
	} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v", path, info.Mode(), err)
		}
	}
	if !strings.Contains(text(t, hooksFile(env)), "PreToolUse") {
		t.Error("not installed")
	}
}
