//go:build unix

package install

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// world is a home of its own with a program in it.
func world(t *testing.T) Env {
	t.Helper()
	return worldIn(t, t.TempDir())
}

func worldIn(t *testing.T, home string) Env {
	t.Helper()
	exe := filepath.Join(t.TempDir(), "boathook")
	put(t, exe, "#!/bin/sh\n", 0o755)
	return Env{
		Home: home, Exe: exe, Version: "v1.0.0", UID: os.Getuid(), GOOS: "linux",
		Lookup: func(string) (string, bool) { return "", false },
	}
}

func with(env Env, vars map[string]string) Env {
	env.Lookup = func(name string) (string, bool) { v, ok := vars[name]; return v, ok }
	return env
}

func put(t *testing.T, path, text string, perm fs.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), perm); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, perm); err != nil {
		t.Fatal(err)
	}
}

func text(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// tree lists everything below a directory with modes, contents and links.
func tree(t *testing.T, root string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rest := ""
		switch {
		case info.Mode()&fs.ModeSymlink != 0:
			rest, err = os.Readlink(path)
		case info.Mode().IsRegular():
			var b []byte
			b, err = os.ReadFile(path)
			rest = fmt.Sprintf("%x", sha256.Sum256(b))
		}
		name, _ := filepath.Rel(root, path)
		out[name] = info.Mode().String() + " " + rest
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func same(t *testing.T, want, got map[string]string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the tree differs (-want +got):\n%s", diff)
	}
}

func install(t *testing.T, env Env, req Request) *Plan {
	t.Helper()
	p, err := PlanInstall(env, req)
	if err != nil {
		t.Fatalf("plan install: %v", err)
	}
	if p, err = Install(env, req, p); err != nil {
		t.Fatalf("install: %v", err)
	}
	return p
}

func uninstall(t *testing.T, env Env, req Request) *Plan {
	t.Helper()
	p, err := PlanUninstall(env, req)
	if err != nil {
		t.Fatalf("plan uninstall: %v", err)
	}
	if p, err = Uninstall(env, req, p); err != nil {
		t.Fatalf("uninstall: %v", err)
	}
	return p
}

var both = Request{Agents: []string{"gemini", "antigravity"}}

func hooksFile(env Env) string { return filepath.Join(env.Home, ".gemini", "config", "hooks.json") }

const otherHook = "{\n\t\"mine\": {\n\t\t\"Stop\": [ {\"type\": \"command\", \"command\": \"true\"} ]\n\t}\n}"

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
		if c.Op != Edit {
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

func edit(t *testing.T, path, old, new string) {
	t.Helper()
	was := text(t, path)
	now := strings.Replace(was, old, new, 1)
	if was == now {
		t.Fatalf("%q is not in %s", old, was)
	}
	put(t, path, now, 0o644)
}

// What a user changed since stays to the byte; only our entries go.
func TestUninstallAfterEdits(t *testing.T) {
	env := world(t)
	put(t, hooksFile(env), "{\n  \"a\": {},\n  \"pinta-gemini\": {  \"Stop\":[]  }\n}\n", 0o600)
	install(t, env, both)
	edit(t, hooksFile(env), "\"a\": {}", "\"a\":   {\"Stop\": []}")
	edit(t, hooksFile(env), "\n}\n", ",\n  \"b\": { }\n}\n\n")
	extension := filepath.Join(geminiExtension(env), "hooks", "hooks.json")
	edit(t, extension, `"matcher": "",`, `"matcher": "", // all`)
	edit(t, extension, `"SessionStart": [`, `"SessionStart": [ {"hooks": [{"type":"command", "command":"mine"}]},`)
	uninstall(t, env, Request{})
	want := "{\n  \"a\":   {\"Stop\": []},\n  \"b\": { },\n  \"pinta-gemini\": {  \"Stop\":[]  }\n}\n\n"
	if diff := cmp.Diff(want, text(t, hooksFile(env))); diff != "" {
		t.Error(diff)
	}
	left := text(t, extension)
	if !strings.Contains(left, `[ {"hooks": [{"type":"command", "command":"mine"}]}`) || strings.Contains(left, "--event") {
		t.Errorf("%s", left)
	}
}

func TestGeminiShape(t *testing.T) {
	env := world(t)
	install(t, env, Request{Agents: []string{"gemini"}, Events: []string{"default", "BeforeToolSelection"}})
	var got struct {
		Hooks map[string][]struct {
			Matcher *string
			Hooks   []struct {
				Type, Name, Command string
				Timeout             int
			}
		}
	}
	if err := json.Unmarshal([]byte(text(t, filepath.Join(geminiExtension(env), "hooks", "hooks.json"))), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Hooks) != 9 {
		t.Errorf("%d events", len(got.Hooks))
	}
	for event, groups := range got.Hooks {
		tool := event == "BeforeTool" || event == "AfterTool"
		h := groups[0].Hooks[0]
		if len(groups) != 1 || len(groups[0].Hooks) != 1 || (groups[0].Matcher != nil) != tool || h.Type != "command" || h.Timeout != 60000 || h.Name != "boathook" {
			t.Errorf("%s: %+v", event, groups)
		}
		if !strings.Contains(h.Command, " --event "+event+" ") || strings.Contains(h.Command, "\\u") {
			t.Errorf("%s: %s", event, h.Command)
		}
	}
}

func TestAntigravityShape(t *testing.T) {
	env := world(t)
	install(t, env, Request{Agents: []string{"agy"}})
	type handler struct {
		Type, Command string
		Timeout       int
	}
	var got map[string]map[string][]struct {
		handler
		Matcher *string
		Hooks   []handler
	}
	if err := json.Unmarshal([]byte(text(t, hooksFile(env))), &got); err != nil {
		t.Fatal(err)
	}
	events := got["boathook"]
	for _, name := range []string{"PreInvocation", "PreToolUse", "PostToolUse", "PostInvocation", "Stop"} {
		list := events[name]
		if len(list) != 1 {
			t.Fatalf("%s: %v", name, list)
		}
		h := list[0].handler
		if strings.HasSuffix(name, "ToolUse") {
			if list[0].Matcher == nil || *list[0].Matcher != "" || len(list[0].Hooks) != 1 {
				t.Fatalf("%s: %+v", name, list)
			}
			h = list[0].Hooks[0]
		}
		script := filepath.Join(env.Home, ".gemini", "config", "boathook-hook.sh")
		if want := (handler{"command", script + " --agent antigravity --event " + name, 30}); h != want {
			t.Errorf("%+v, want %+v", h, want)
		}
	}
	info, err := os.Stat(filepath.Join(env.Home, ".gemini", "config", "boathook-hook.sh"))
	if err != nil || info.Mode().Perm()&0o700 != 0o700 {
		t.Errorf("%v %v", info, err)
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
