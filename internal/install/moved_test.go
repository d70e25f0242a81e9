//go:build unix

package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a user does to the files between an install and the next run must neither lock the hooks in nor lose anything.
func TestUserChangesInBetween(t *testing.T) {
	link := func(t *testing.T, path, to string) {
		put(t, filepath.Join(filepath.Dir(to), "x"), "", 0o644)
		if err := os.Rename(path, to); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, path); err != nil {
			t.Fatal(err)
		}
	}
	mine := "{\"a\": {}, \"boathook\": {\"Stop\": [{\"command\": \"/usr/bin/mine\"}]}}\n"
	tests := []struct {
		name   string
		change func(t *testing.T, env Env)
		want   string // of hooks.json; "-" for none
	}{
		{"removed", func(_ *testing.T, env Env) { _ = os.Remove(hooksFile(env)) }, "-"},
		{"emptied", func(t *testing.T, env Env) { put(t, hooksFile(env), "", 0o644) }, ""},
		{"blank", func(t *testing.T, env Env) { put(t, hooksFile(env), " \n", 0o644) }, " \n"},
		{"no object", func(t *testing.T, env Env) { put(t, hooksFile(env), "[]", 0o644) }, "[]"},
		{"broken without us", func(t *testing.T, env Env) { put(t, hooksFile(env), "{ mine", 0o644) }, "{ mine"},
		{"behind a link", func(t *testing.T, env Env) { link(t, hooksFile(env), filepath.Join(env.Home, "dot", "hooks.json")) }, otherHook},
		{"link to nothing", func(t *testing.T, env Env) {
			_ = os.Remove(hooksFile(env))
			_ = os.Symlink("nothing", hooksFile(env))
		}, "-"},
		{"directory behind a link", func(t *testing.T, env Env) {
			link(t, filepath.Dir(hooksFile(env)), filepath.Join(env.Home, "dot", "config"))
		}, otherHook},
		{"own hook of our name", func(t *testing.T, env Env) { put(t, hooksFile(env), mine, 0o644) }, mine},
		{"another name for ours", func(t *testing.T, env Env) {
			put(t, hooksFile(env), `{"x":{"Stop":[{"command":"/h/boathook-hook.sh --agent antigravity --event Stop"},{"command":"y"}]}}`, 0o644)
		}, `{"x":{"Stop":[{"command":"y"}]}}`},
		{"handler in ours", func(t *testing.T, env Env) {
			put(t, hooksFile(env), `{"boathook":{"Stop":[{"command":"/h/boathook-hook.sh --agent antigravity --event Stop"},{"command":"y"}]}}`, 0o644)
		}, `{"boathook":{"Stop":[{"command":"y"}]}}`},
		{"no script", func(_ *testing.T, env Env) { _ = os.Remove(filepath.Join(filepath.Dir(hooksFile(env)), stubName)) }, otherHook},
		{"no mark", func(_ *testing.T, env Env) { _ = os.Remove(filepath.Join(geminiExtension(env), markFile)) }, otherHook},
		{"no config", func(_ *testing.T, env Env) { _ = os.RemoveAll(filepath.Join(env.Home, ".config")) }, otherHook},
		{"config behind a link", func(t *testing.T, env Env) {
			link(t, filepath.Join(env.Home, ".config", "boathook", "config.toml"), filepath.Join(env.Home, "dot", "config.toml"))
		}, otherHook},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			env := world(t)
			put(t, hooksFile(env), otherHook, 0o644)
			install(t, env, both)
			tt.change(t, env)
			p := uninstall(t, env, Request{Purge: true})
			if len(p.Failures) > 0 {
				t.Errorf("%q", p.Failures)
			}
			got, err := os.ReadFile(hooksFile(env))
			if tt.want == "-" && err == nil || tt.want != "-" && (err != nil || string(got) != tt.want) {
				t.Errorf("%q %v", got, err)
			}
			left := map[string]bool{}
			for path := range tree(t, env.Home) {
				for _, ours := range []string{"boathook", ".local", ".config", "config.toml"} {
					left[path] = left[path] || strings.HasSuffix(path, ours) || strings.HasSuffix(path, stubName)
				}
				if left[path] {
					t.Errorf("%s is left", path)
				}
			}
		})
	}
}

// A script that the user wrote under our name stays, and an extension whose mark is gone is still known.
func TestOwnFilesOfOthers(t *testing.T) {
	env := world(t)
	install(t, env, both)
	script := filepath.Join(filepath.Dir(hooksFile(env)), stubName)
	put(t, script, "#!/bin/sh\necho mine\n", 0o755)
	if err := os.Remove(filepath.Join(geminiExtension(env), markFile)); err != nil {
		t.Fatal(err)
	}
	install(t, env, Request{Agents: []string{"gemini"}})
	uninstall(t, env, Request{Purge: true})
	if !strings.Contains(text(t, script), "mine") || exists(geminiExtension(env)) {
		t.Errorf("%v", tree(t, env.Home))
	}
}

func TestInstallAgainAfterChanges(t *testing.T) {
	for name, change := range map[string]func(env Env){
		"removed": func(env Env) { _ = os.Remove(hooksFile(env)) },
		"emptied": func(env Env) { _ = os.WriteFile(hooksFile(env), nil, 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			env := world(t)
			install(t, env, both)
			change(env)
			install(t, env, both)
			if !strings.Contains(text(t, hooksFile(env)), "PreToolUse") {
				t.Error("not installed")
			}
			if p := uninstall(t, env, Request{Purge: true}); len(p.Failures) > 0 {
				t.Errorf("%q", p.Failures)
			}
		})
	}
	env := world(t)
	install(t, env, both)
	edit(t, hooksFile(env), `"Stop": [`, `"Stop": [{"command": "mine"},`)
	_, err := PlanInstall(env, both)
	wantRefused(t, err, "move them to a hook of their own")
}

// What the user put back meanwhile is not replaced by the older one.
func TestPintaIsThereAgain(t *testing.T) {
	env := furnished(t)
	install(t, env, both)
	edit(t, hooksFile(env), `"a": {},`, `"a": {}, "pinta-gemini": {"Stop": [{"command": "new"}]},`)
	extension := filepath.Join(env.Home, ".gemini", "extensions", "pinta-gemini", "hooks", "hooks.json")
	put(t, extension, "new", 0o600)
	p := uninstall(t, env, Request{})
	if got := text(t, hooksFile(env)); !strings.Contains(got, `"new"`) || strings.Count(got, "pinta-gemini") != 1 {
		t.Errorf("%s", got)
	}
	if text(t, extension) != "new" || text(t, filepath.Join(env.Home, ".gemini", "boathook-replaced", "pinta-gemini", "hooks", "hooks.json")) != "{}" {
		t.Error("one of the two extensions is gone")
	}
	if got := strings.Join(p.Notes, "\n"); strings.Count(got, "again") != 2 || !strings.Contains(got, backupsName) {
		t.Errorf("%s", got)
	}
}

func TestAgentsNamedTwice(t *testing.T) {
	for _, names := range [][]string{{"gemini", "gemini-cli", "gemini"}, {"antigravity", "agy", "antigravity2"}} {
		env := world(t)
		before := tree(t, env.Home)
		install(t, env, Request{Agents: names})
		uninstall(t, env, Request{Agents: names, Purge: true})
		same(t, before, tree(t, env.Home))
	}
}

// Installing without --events keeps the events that are installed.
func TestEventsStay(t *testing.T) {
	env := world(t)
	install(t, env, Request{Agents: both.Agents, Events: []string{"default"}})
	install(t, env, Request{Agents: []string{"gemini"}, Events: []string{"all"}})
	newer := env
	newer.Version = "v2"
	p := install(t, newer, Request{Agents: []string{"gemini"}})
	if got := text(t, filepath.Join(geminiExtension(env), "hooks", "hooks.json")); !strings.Contains(got, "--event BeforeModel ") {
		t.Errorf("%s", got)
	}
	if !strings.Contains(strings.Join(p.Notes, "\n"), "keeps the events that are installed") {
		t.Errorf("%q", p.Notes)
	}
	install(t, newer, Request{Agents: []string{"gemini"}, Events: []string{"default"}})
	if got := text(t, filepath.Join(geminiExtension(env), "hooks", "hooks.json")); strings.Contains(got, "--event BeforeModel ") {
		t.Errorf("%s", got)
	}
}

// The path on PATH outlives an upgrade, the versioned one behind it doesn't.
func TestStableProgram(t *testing.T) {
	env := world(t)
	bin := t.TempDir()
	if err := os.Symlink(env.Exe, filepath.Join(bin, "boathook")); err != nil {
		t.Fatal(err)
	}
	env = with(env, map[string]string{"PATH": bin})
	install(t, env, both)
	if got := text(t, filepath.Join(geminiExtension(env), "hooks", "hooks.json")); !strings.Contains(got, bin) || strings.Contains(got, env.Exe) {
		t.Errorf("%s", got)
	}
}
