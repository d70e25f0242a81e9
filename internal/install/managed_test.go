//go:build unix

package install

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/boathook/boathook/internal/confedit"
	"github.com/boathook/boathook/internal/managed"
)

var everybody = Request{Managed: true}

// machine has a root of its own with an administrator's config in it, and its program there.
func machine(t *testing.T) Env {
	t.Helper()
	env := world(t)
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	env.Root, env.Managed, env.Exe = root, filepath.Join(root, "etc/boathook/config.toml"), filepath.Join(root, "usr/bin/boathook")
	put(t, env.Exe, "#!/bin/sh\n", 0o755)
	for _, dir := range []string{"etc", "var/lib"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return env
}

func TestManagedInstall(t *testing.T) {
	env := machine(t)
	admin := map[string]string{
		"etc/gemini-cli/settings.json":                  "{\r\n  // mine\r\n  \"general\": { \"x\": 1 }\r\n}\r\n",
		"etc/codex/hooks.json":                          `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"theirs"}]}]}}`,
		"etc/cursor/hooks.json":                         "{\"version\": 1, \"hooks\": {}}",
		"etc/opencode/opencode.json":                    "{\n  \"plugin\": [\"theirs\"] // mine\n}\n",
		"etc/claude-code/managed-settings.json":         "{}",
		"etc/claude-code/managed-settings.d/other.json": "{}",
	}
	for name, text := range admin {
		put(t, filepath.Join(env.Root, name), text, 0o644)
	}
	before := tree(t, env.Root)
	p := install(t, env, everybody)
	if !noted(p, "there is no place of an administrator's for hooks") || !noted(p, "Cline") || noted(p, "opencode") {
		t.Errorf("notes: %v", p.Notes)
	}
	for agent, path := range map[string]string{
		"claude": "etc/claude-code/managed-settings.d/boathook.json", "codex": "etc/codex/hooks.json", "copilot": "etc/github-copilot/policy.d/boathook.json",
		"cursor": "etc/cursor/hooks.json", "windsurf": "etc/windsurf/hooks.json", "gemini": "etc/gemini-cli/settings.json", "qwen": "etc/qwen-code/settings.json",
		"opencode": "etc/opencode/boathook.js",
	} {
		path = filepath.Join(env.Root, path)
		if got := ManagedBy(env, agent); got != path {
			t.Errorf("%s: %q, want %q", agent, got, path)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o644 {
			t.Errorf("%s: %v, %v", path, info, err)
		}
	}
	for name, want := range map[string]string{"etc/gemini-cli/settings.json": "hooksConfig", "etc/qwen-code/settings.json": "disableAllHooks"} {
		if have, err := confedit.Member([]byte(text(t, filepath.Join(env.Root, name))), want); err != nil || have == nil {
			t.Errorf("%s has no %s: %v", name, want, err)
		}
	}
	if got := text(t, filepath.Join(env.Root, "etc/codex/requirements.toml")); !strings.Contains(got, "hooks = true") {
		t.Errorf("requirements.toml: %s", got)
	}
	if again, err := PlanInstall(env, everybody); err != nil || !again.Empty() {
		t.Errorf("again: %v, %+v", err, again)
	}
	for _, in := range LookManaged(env) {
		if len(in.Faults) > 0 || len(in.Events) == 0 || in.Config != env.Managed {
			t.Errorf("%s: %+v", in.Agent, in)
		}
	}
	uninstall(t, env, everybody)
	same(t, before, tree(t, env.Root))
}

func TestAnEditedListOfPluginsKeepsItsOthers(t *testing.T) {
	env := machine(t)
	settings := filepath.Join(env.Root, "etc/opencode/opencode.json")
	put(t, settings, "{\"a\": 1}\n", 0o644)
	install(t, env, Request{Managed: true, Agents: []string{"opencode"}})
	if got := text(t, settings); !strings.Contains(got, `"file://`+env.Root+`/etc/opencode/boathook.js"`) {
		t.Errorf("opencode.json: %s", got)
	}
	edit(t, settings, `"a": 1`, `"a": 2`)
	uninstall(t, env, everybody)
	if got := text(t, settings); got != "{\"a\": 2}\n" {
		t.Errorf("opencode.json: %q", got)
	}
}

func TestManagedModesHoldWhateverTheUmask(t *testing.T) {
	env := machine(t)
	old := syscall.Umask(0o077)
	p, err := PlanInstall(env, everybody)
	if err == nil {
		_, err = Install(env, everybody, p)
	}
	syscall.Umask(old)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"etc/github-copilot/policy.d", "etc/claude-code", "etc/boathook"} {
		if info, err := os.Stat(filepath.Join(env.Root, name)); err != nil || info.Mode().Perm() != 0o755 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	if info, err := os.Stat(env.Managed); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("%s: %v", env.Managed, err)
	}
}

func TestManagedEditsStay(t *testing.T) {
	env := machine(t)
	settings := filepath.Join(env.Root, "etc/gemini-cli/settings.json")
	put(t, settings, "{\n  \"a\": 1\n}\n", 0o644)
	install(t, env, everybody)
	edit(t, settings, `"a": 1`, `"a": 2`)
	edit(t, env.Managed, "[guard]", "# mine\n[guard]")
	p := uninstall(t, env, everybody)
	if got := text(t, settings); got != "{\n  \"a\": 2\n}\n" {
		t.Errorf("settings.json: %q", got)
	}
	if !exists(env.Managed) {
		t.Errorf("an edited config went: %v", p.Notes)
	}
	if exists(filepath.Join(env.Root, "var/lib/boathook")) || exists(filepath.Join(env.Root, "etc/qwen-code")) {
		t.Error("something of boathook's stayed")
	}
}

func TestManagedConfigTakesTheEnvironmentsAndNoUsersFiles(t *testing.T) {
	env := machine(t)
	env = with(env, map[string]string{"PINTA_GUARD_ENDPOINT": "http://127.0.0.1:9/guard", "PINTA_RELAY_TOKEN": "canary", "HOME": env.Home})
	put(t, filepath.Join(env.Home, ".gemini/pinta-gemini.env"), "PINTA_GUARD_DISABLED=1\n", 0o600)
	p := install(t, env, everybody)
	got := text(t, env.Managed)
	if !strings.Contains(got, `endpoint = "http://127.0.0.1:9/guard"`) || !strings.Contains(got, `token = "canary"`) || strings.Contains(got, "\ndisabled = true") {
		t.Errorf("the config:\n%s", got)
	}
	if !strings.Contains(got, `env_files = ["`+filepath.Join(env.Root, "etc/boathook/boathook.env")) {
		t.Errorf("no word of the env files:\n%s", got)
	}
	if lines := strings.Join(append(p.Lines(true), p.Notes...), "\n"); strings.Contains(lines, "canary") || !strings.Contains(lines, "everybody on this machine can read") {
		t.Errorf("the plan:\n%s", lines)
	}
}

func TestManagedIsRefused(t *testing.T) {
	for name, tt := range map[string]struct {
		req  Request
		says string
		harm func(t *testing.T, env *Env)
	}{
		"no root":      {everybody, "root alone", func(_ *testing.T, env *Env) { env.Root, env.UID = "", 4242 }},
		"no place":     {Request{Managed: true, Agents: []string{"cline"}}, "reads no hooks of an administrator's", nil},
		"a workspace":  {Request{Managed: true, Workspace: "/x"}, "don't go with it", nil},
		"a config":     {Request{Managed: true, Config: "/x"}, "don't go with it", nil},
		"open program": {everybody, "others can write", func(t *testing.T, env *Env) { put(t, env.Exe, "#!/bin/sh\n", 0o777) }},
		"open directory": {everybody, "others can write", func(t *testing.T, env *Env) {
			if err := os.Chmod(filepath.Dir(env.Exe), 0o777); err != nil {
				t.Fatal(err)
			}
		}},
		"open config":  {everybody, "others can write", func(t *testing.T, env *Env) { put(t, env.Managed, "", 0o666) }},
		"open hooks":   {everybody, "others can write", func(t *testing.T, env *Env) { put(t, filepath.Join(env.Root, "etc/cursor/hooks.json"), "{}", 0o666) }},
		"broken hooks": {everybody, "drops the whole file", func(t *testing.T, env *Env) { put(t, filepath.Join(env.Root, "etc/codex/hooks.json"), "{", 0o644) }},
		"no TOML": {everybody, "requirements.toml:1:", func(t *testing.T, env *Env) {
			put(t, filepath.Join(env.Root, "etc/codex/requirements.toml"), "a = =", 0o644)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			env := machine(t)
			if tt.harm != nil {
				tt.harm(t, &env)
			}
			_, err := PlanInstall(env, tt.req)
			var refused *Refused
			if !errors.As(err, &refused) || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestAnAdministratorsCodexRequirementsStay(t *testing.T) {
	env := machine(t)
	path := filepath.Join(env.Root, "etc/codex/requirements.toml")
	put(t, path, "[features]\nx = true\n", 0o644)
	if p := install(t, env, everybody); !noted(p, "features.hooks = true") {
		t.Errorf("notes: %v", p.Notes)
	}
	if got := text(t, path); got != "[features]\nx = true\n" {
		t.Errorf("requirements.toml: %s", got)
	}
}

func TestAUsersInstallBesideAManagedOne(t *testing.T) {
	env := machine(t)
	install(t, env, Request{Managed: true, Agents: []string{"claude"}})
	_, err := PlanInstall(env, Request{Agents: []string{"claude"}})
	var refused *Refused
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), "for everybody") {
		t.Errorf("by name: %v", err)
	}
	p := install(t, env, Request{Agents: []string{"claude", "codex"}, Found: true})
	if !noted(p, "managed hooks already") || exists(filepath.Join(env.Home, ".claude/settings.json")) || !exists(filepath.Join(env.Home, ".codex/hooks.json")) {
		t.Errorf("found: %v", p.Notes)
	}
}

func TestManagedSurvivesAKill(t *testing.T) {
	for n := 0; ; n++ {
		env := machine(t)
		put(t, filepath.Join(env.Root, "etc/gemini-cli/settings.json"), "{\"a\":1}", 0o644)
		before := tree(t, env.Root)
		p, err := PlanInstall(env, everybody)
		if !killedAfter(t, p, err, n) {
			return
		}
		install(t, env, everybody)
		uninstall(t, env, everybody)
		same(t, before, tree(t, env.Root))
	}
}

func TestManagedCommandsNameTheAdministratorsConfig(t *testing.T) {
	env := machine(t)
	install(t, env, everybody)
	for _, l := range managedLists(env) {
		data := []byte(text(t, l.path(l.dir(env))))
		if !json.Valid(data) || !managed.Has(data, l.host().ID, env.Managed) {
			t.Errorf("%s: %s", l.host().ID, data)
		}
	}
}

// Qwen Code adds the version of its settings to the file (0.24.4), opencode a schema (1.18.33), where root runs them; with
// nothing else left, the file goes all the same.
func TestWhatTheAgentAddsKeepsNoFile(t *testing.T) {
	env := machine(t)
	before := tree(t, env.Root)
	install(t, env, everybody)
	edit(t, filepath.Join(env.Root, "etc/qwen-code/settings.json"), "{", "{\n  \"$version\": 4,")
	edit(t, filepath.Join(env.Root, "etc/opencode/opencode.json"), "{", "{\n  \"$schema\": \"https://opencode.ai/config.json\",")
	uninstall(t, env, everybody)
	same(t, before, tree(t, env.Root))
}
