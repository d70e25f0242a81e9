//go:build unix

package install

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func wantRefused(t *testing.T, err error, text string) {
	t.Helper()
	var refused *Refused
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), text) {
		t.Errorf("%v, want a refusal with %q", err, text)
	}
}

func TestRefusals(t *testing.T) {
	file := func(path, content string) func(*testing.T, *Env) {
		return func(t *testing.T, env *Env) { put(t, filepath.Join(env.Home, path), content, 0o644) }
	}
	hooks := ".gemini/config/hooks.json"
	tests := []struct {
		name  string
		setup func(t *testing.T, env *Env)
		want  string
	}{
		{"foreign extension", file(".gemini/extensions/boathook/gemini-extension.json", "{}"), "boathook did not make"},
		{"foreign mark", file(".gemini/extensions/boathook/.boathook.json", "{}"), "is not boathook's"},
		{"another extension of our name", file(".gemini/extensions/bh/gemini-extension.json", `{"name":"boathook"}`), "has the name boathook already"},
		{"foreign hook", file(hooks, `{"boathook":{"Stop":[{"command":"x"}]}}`), "boathook did not write"},
		{"foreign empty hook", file(hooks, `{"boathook":{}}`), "boathook did not write"},
		{"comment", file(hooks, "{\n  // mine\n}"), "hooks.json:2:3: a comment or a trailing comma"},
		{"trailing comma", file(hooks, `{"a":{},}`), "hooks.json:1:9: a comment or a trailing comma"},
		{"byte order mark", file(hooks, "\xef\xbb\xbf{}"), "byte order mark"},
		{"broken", file(hooks, "{\n\"a\" 1}"), "hooks.json:2:5: "},
		{"array", file(hooks, "[]"), "hooks.json:1:1: not a JSON object"},
		{"key twice", file(hooks, "{\"a\":{},\n\"a\":{}}"), "hooks.json:2:1: the key \"a\" is there twice"},
		{"switch at the top", file(hooks, `{"enabled":true}`), `hooks.json: "enabled" is not an object`},
		{"switch that is none", file(hooks, `{"a":{"enabled":"yes"}}`), `"a": "enabled" is neither true nor false`},
		{"no list", file(hooks, `{"a":{"Stop":{"command":"x"}}}`), `"a": Stop is no list`},
		{"group that is none", file(hooks, `{"a":{"Stop":[{"hooks":[{"command":"x"}]}]}}`), `"a": Stop[0] has no command`},
		{"unknown type", file(hooks, `{"a":{"Stop":[{"type":"http","url":"x"}]}}`), `"a": Stop[0] has the type "http"`},
		{"part of a second", file(hooks, `{"a":{"Stop":[{"command":"x","timeout":1.5}]}}`), `"a": Stop[0] has a timeout that is no whole number`},
		{"timeout in a text", file(hooks, `{"a":{"PreToolUse":[{"hooks":[{"command":"x","timeout":"5"}]}]}}`), `hooks[0], which has a timeout`},
		{"foreign script", file(".gemini/config/boathook-hook.sh", "#!/bin/sh\n"), "boathook did not write"},
		{"directory in its place", file(hooks+"/x", ""), "not a regular file"},
		{"file in a directory's place", file(".gemini/config", ""), "not a directory"},
		{"no home", func(_ *testing.T, env *Env) { env.Home = "" }, "HOME is not set"},
		{"home that is gone", func(_ *testing.T, env *Env) { env.Home += "/none" }, "is no directory"},
		{"go run", func(_ *testing.T, env *Env) { env.Exe = "/tmp/go-build123/b001/exe/boathook" }, "go build"},
		{"no program", func(_ *testing.T, env *Env) { env.Exe += ".gone" }, "no such file"},
		{"program without x", func(t *testing.T, env *Env) { put(t, env.Exe, "", 0o644) }, "not an executable"},
		{"Windows", func(_ *testing.T, env *Env) { env.GOOS = "windows" }, "not supported yet"},
		{"not UTF-8", func(t *testing.T, env *Env) { env.Exe += "\xff"; put(t, env.Exe, "", 0o755) }, "not valid UTF-8"},
		{"relative data directory", func(_ *testing.T, env *Env) { *env = with(*env, map[string]string{"GEMINI_PLUGIN_DATA": "data"}) }, "not an absolute path (environment GEMINI_PLUGIN_DATA)"},
		{"dangling link", func(t *testing.T, env *Env) {
			put(t, filepath.Join(env.Home, ".gemini", "config", "x"), "", 0o644)
			if err := os.Symlink("nothing", hooksFile(*env)); err != nil {
				t.Fatal(err)
			}
		}, "symbolic link to nothing"},
		{"fifo", func(t *testing.T, env *Env) {
			put(t, filepath.Join(env.Home, ".gemini", "config", "x"), "", 0o644)
			if err := syscall.Mkfifo(hooksFile(*env), 0o644); err != nil {
				t.Fatal(err)
			}
		}, "not a regular file"},
		{"another user's file", func(t *testing.T, env *Env) {
			put(t, hooksFile(*env), "{}", 0o644)
			env.UID = os.Getuid() + 1
		}, "belongs to another user"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			env := world(t)
			home := env.Home
			tt.setup(t, &env)
			before := tree(t, home)
			_, err := PlanInstall(env, both)
			wantRefused(t, err, tt.want)
			same(t, before, tree(t, home))
		})
	}
}

func TestRootInAnotherUsersHome(t *testing.T) {
	env := world(t)
	env.UID = 0
	if os.Getuid() == 0 {
		if err := os.Chown(env.Home, 4711, 4711); err != nil {
			t.Fatal(err)
		}
	}
	_, err := PlanInstall(env, both)
	wantRefused(t, err, "without sudo")
}

func TestUnknownNames(t *testing.T) {
	env := world(t)
	_, err := PlanInstall(env, Request{Agents: []string{"gemini", "emacs"}})
	wantRefused(t, err, `unknown agent "emacs"; there are`)
	_, err = PlanInstall(env, Request{Agents: []string{"clade"}})
	wantRefused(t, err, `unknown agent "clade" (did you mean claude?)`)
	if plan, err := PlanInstall(env, Request{Agents: []string{"GEMINI", "Gemini-CLI"}}); err != nil || plan.Empty() {
		t.Errorf("names in capitals: %v", err)
	}
	_, err = PlanInstall(env, Request{Agents: []string{"gemini"}, Events: []string{"BeforeTea"}})
	wantRefused(t, err, `"BeforeTea"`)
	_, err = PlanInstall(env, Request{Agents: []string{"gemini"}, Workspace: t.TempDir()})
	wantRefused(t, err, "leave --workspace out")
}

// A file that Antigravity can't read may not lose its script: a command that is missing counts as a refusal there. The other
// agents' hooks go all the same, and nothing that any hook needs.
func TestUninstallLeavesABrokenFile(t *testing.T) {
	env := world(t)
	install(t, env, both)
	edit(t, hooksFile(env), "{", "{ ,")
	before := tree(t, filepath.Dir(hooksFile(env)))
	p := uninstall(t, env, Request{Purge: true})
	if len(p.Failures) != 1 || !strings.Contains(p.Failures[0], "hooks.json:1:3") {
		t.Errorf("%q", p.Failures)
	}
	same(t, before, tree(t, filepath.Dir(hooksFile(env))))
	if exists(geminiExtension(env)) || !exists(filepath.Join(env.Home, ".config", "boathook", "config.toml")) {
		t.Error("the extension stays, or the config went")
	}
	edit(t, hooksFile(env), "{ ,", "{")
	uninstall(t, env, Request{Purge: true})
	same(t, map[string]string{".": tree(t, env.Home)["."]}, tree(t, env.Home))
}

func TestWorkspace(t *testing.T) {
	repo := func(t *testing.T, dir string) { put(t, filepath.Join(dir, ".git", "HEAD"), "ref: x", 0o644) }
	tests := []struct {
		name  string
		setup func(t *testing.T, dir string)
		want  string // a consent; empty for none
	}{
		{"clean", repo, ""},
		{"no repository", func(*testing.T, string) {}, "not the root of a git repository"},
		{"tracked", func(t *testing.T, dir string) {
			repo(t, dir)
			put(t, filepath.Join(dir, ".agents", "hooks.json"), "{}", 0o644)
			put(t, filepath.Join(dir, ".git", "index"), "DIRC\x00\x00\x00\x02....\x00\x12.agents/hooks.json\x00\x00", 0o644)
		}, "tracked by git"},
		{"tracked in a worktree", func(t *testing.T, dir string) {
			put(t, filepath.Join(dir, "real", "index"), "DIRC\x00\x00\x00\x04....\x00ents/hooks.json\x00\x00", 0o644)
			put(t, filepath.Join(dir, ".git"), "gitdir: real\n", 0o644)
		}, "tracked by git"},
		{"other hooks", func(t *testing.T, dir string) {
			repo(t, dir)
			put(t, filepath.Join(dir, ".agents", "hooks.json"), `{"lint":{}}`, 0o644)
		}, "other hooks already (lint)"},
		{"writable by all", func(t *testing.T, dir string) {
			repo(t, dir)
			if err := os.Chmod(dir, 0o777); err != nil {
				t.Fatal(err)
			}
		}, "can be written by everybody"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			env, dir := world(t), t.TempDir()
			tt.setup(t, dir)
			before := tree(t, dir)
			req := Request{Agents: []string{"antigravity"}, Workspace: dir}
			p, err := PlanInstall(env, req)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(p.Consent, "\n"); tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
				t.Errorf("consent %q, want %q", got, tt.want)
			}
			install(t, env, req)
			if !strings.Contains(text(t, filepath.Join(dir, ".agents", "hooks.json")), filepath.Join(dir, ".agents", stubName)+" --agent") {
				t.Error("not installed")
			}
			if exists(hooksFile(env)) {
				t.Error("installed for the user too")
			}
			uninstall(t, env, Request{Purge: true})
			same(t, before, tree(t, dir))
		})
	}
}

func TestWorkspaceMayNotLeadElsewhere(t *testing.T) {
	env, dir := world(t), t.TempDir()
	put(t, filepath.Join(env.Home, "hooks.json"), "{}", 0o644)
	if err := os.Mkdir(filepath.Join(dir, ".agents"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(env.Home, "hooks.json"), filepath.Join(dir, ".agents", "hooks.json")); err != nil {
		t.Fatal(err)
	}
	_, err := PlanInstall(env, Request{Agents: []string{"antigravity"}, Workspace: dir})
	wantRefused(t, err, "symbolic link")
}
