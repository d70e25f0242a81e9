//go:build unix

package install

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boathook/boathook/internal/codextrust"
	"github.com/boathook/boathook/internal/tomledit"
)

var (
	onlyCodex  = Request{Agents: []string{"codex"}}
	trustCodex = Request{Agents: []string{"codex"}, Trust: true}
)

// trusted counts boathook's hooks by what Codex makes of them.
func trusted(t *testing.T, env Env) map[codextrust.State]int {
	t.Helper()
	list, _, err := CodexTrust(env, codexDir(env))
	if err != nil {
		t.Fatal(err)
	}
	out := map[codextrust.State]int{}
	for _, h := range list {
		out[h.State]++
	}
	return out
}

func noted(p *Plan, text string) bool { return strings.Contains(strings.Join(p.Notes, "\n"), text) }

func TestCodexIsToldThatHooksAreTrusted(t *testing.T) {
	inline := "hooks = { state = { 'x' = { trusted_hash = 'y' } } } # mine\n"
	for name, before := range map[string]string{
		"none": "", "settings": "# mine\nmodel = \"m\"\n\n[projects.\"/a\"]\ntrust_level = \"trusted\"",
		"CRLF": "model = \"m\"\r\n[hooks.state]\r\n", "others": "[hooks.state.\"/h:stop:0:0\"]\ntrusted_hash = \"sha256:1\"\n", "inline": inline,
	} {
		t.Run(name, func(t *testing.T) {
			env := world(t)
			config := filepath.Join(env.Home, ".codex", "config.toml")
			if before != "" {
				put(t, config, before, 0o640)
			}
			put(t, filepath.Join(env.Home, ".codex", "hooks.json"), `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"theirs"}]}]}}`, 0o644)
			was := tree(t, env.Home)
			if p := install(t, env, onlyCodex); !noted(p, "/hooks") || !noted(p, "--trust") || trusted(t, env)[codextrust.Untrusted] == 0 {
				t.Errorf("without --trust: %v", p.Notes)
			}
			p := install(t, env, trustCodex)
			if got := trusted(t, env); len(got) != 1 || got[codextrust.Trusted] != 12 {
				t.Errorf("states: %v", got)
			}
			if !noted(p, "no codex on PATH") || noted(p, "--trust") {
				t.Errorf("notes: %v", p.Notes)
			}
			if strings.Contains(text(t, config), "stop:0:0\"]\ntrusted_hash = \"sha256:1\"") != (name == "others") || strings.Contains(text(t, config), ".codex/hooks.json:stop:0:0") {
				t.Errorf("others' hooks:\n%s", text(t, config))
			}
			for _, req := range []Request{trustCodex, onlyCodex} {
				if again, err := PlanInstall(env, req); err != nil || !again.Empty() || noted(again, "/hooks") {
					t.Errorf("again: %v, %+v", err, again)
				}
			}
			uninstall(t, env, Request{Purge: true})
			same(t, was, tree(t, env.Home))
		})
	}
}

func TestTrustFollowsThePlaces(t *testing.T) {
	env := world(t)
	config, hooks := filepath.Join(env.Home, ".codex", "config.toml"), filepath.Join(env.Home, ".codex", "hooks.json")
	put(t, config, "model = \"m\"\n", 0o600)
	install(t, env, trustCodex)
	edit(t, hooks, `"Stop": [`, `"Stop": [{"hooks":[{"type":"command","command":"theirs"}]},`)
	if got := trusted(t, env); got[codextrust.Untrusted] != 1 || got[codextrust.Trusted] != 11 {
		t.Fatalf("a hook before ours: %v", got)
	}
	install(t, env, trustCodex)
	if got := trusted(t, env); got[codextrust.Trusted] != 12 {
		t.Errorf("trusted again: %v", got)
	}
	if strings.Contains(text(t, config), ":stop:0:0\"") || !strings.Contains(text(t, config), "stop:1:0") {
		t.Errorf("the place of before:\n%s", text(t, config))
	}
	edit(t, config, `"m"`, `"n"`)
	uninstall(t, env, Request{Purge: true})
	if got := text(t, config); got != "model = \"n\"\n" {
		t.Errorf("config.toml: %q", got)
	}
}

func TestTrustOfTheUsersOwnStays(t *testing.T) {
	env := world(t)
	config := filepath.Join(env.Home, ".codex", "config.toml")
	install(t, env, onlyCodex)
	list, _, err := CodexTrust(env, codexDir(env))
	if err != nil {
		t.Fatal(err)
	}
	data, err := hashesOf(env)
	if err != nil {
		t.Fatal(err)
	}
	reviewed := fmt.Sprintf("[hooks.state.%q]\ntrusted_hash = %q\n\n[hooks.state.%q]\ntrusted_hash = \"sha256:old\"\n", list[0].Key, data[list[0].Key], list[1].Key)
	put(t, config, reviewed, 0o600)
	install(t, env, trustCodex)
	if got := trusted(t, env); got[codextrust.Trusted] != 12 {
		t.Errorf("states: %v", got)
	}
	edit(t, config, "\n", "\n# mine\n")
	uninstall(t, env, onlyCodex)
	if got := text(t, config); got != strings.Replace(reviewed, "\n", "\n# mine\n", 1) {
		t.Errorf("after an uninstall:\n%s\nwant\n%s", got, reviewed)
	}
}

func hashesOf(env Env) (map[string]string, error) {
	data, err := os.ReadFile(codexList().path(codexDir(env)))
	if err != nil {
		return nil, err
	}
	list, err := codextrust.Hooks(codexSource(env, codexDir(env)), data)
	out := map[string]string{}
	for _, h := range list {
		out[h.Key] = h.Hash
	}
	return out, err
}

// codexProgram is a codex on PATH whose app server answers so.
func codexProgram(t *testing.T, answer map[string]string) Env {
	t.Helper()
	env := world(t)
	bin := t.TempDir()
	var hooks []map[string]string
	for key, hash := range answer {
		hooks = append(hooks, map[string]string{"key": key, "currentHash": hash})
	}
	list, err := json.Marshal(hooks)
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(bin, "codex"), fmt.Sprintf(`#!/bin/sh
[ "$1" = app-server ] || exit 1
read -r line; echo '{"id":1,"result":{"userAgent":"x/0.999.0 (Linux)"}}'
read -r line; read -r line; printf '{"id":2,"result":{"data":[{"hooks":%%s}]}}\n' '%s' | sed "s|HOOKS|$CODEX_HOME/hooks.json|g"
`, list), 0o755)
	return with(env, map[string]string{"PATH": bin + ":/usr/bin:/bin"})
}

func TestCodexIsAskedForTheHashes(t *testing.T) {
	env := codexProgram(t, map[string]string{"HOOKS:pre_tool_use:0:0": "sha256:new", "HOOKS:stop:0:0": "sha256:newer"})
	p := install(t, env, trustCodex)
	config := text(t, filepath.Join(env.Home, ".codex", "config.toml"))
	if !noted(p, "0.999.0") || !noted(p, "other hashes") || !noted(p, "does not list the hook of SessionStart") {
		t.Errorf("notes: %v", p.Notes)
	}
	tree, err := tomledit.Tree([]byte(config))
	if err != nil {
		t.Fatal(err)
	}
	for place, want := range map[string]any{"pre_tool_use": "sha256:new", "stop": "sha256:newer", "session_start": nil} {
		if got, _ := tomledit.Get(tree, codextrust.Path(filepath.Join(env.Home, ".codex/hooks.json")+":"+place+":0:0")...); got != want {
			t.Errorf("%s: %v, want %v", place, got, want)
		}
	}
	if _, err := os.Stat(filepath.Join(env.Home, ".codex", "answer")); err == nil {
		t.Error("codex was asked in the user's own directory")
	}
	env = codexProgram(t, nil)
	put(t, filepath.Join(filepath.SplitList(lookup(env, "PATH"))[0], "codex"), "#!/bin/sh\nexit 1\n", 0o755)
	if p := install(t, env, trustCodex); !noted(p, "ask codex for its hooks") || trusted(t, env)[codextrust.Trusted] != 12 {
		t.Errorf("a codex that says nothing: %v", p.Notes)
	}
}

func TestTrustIsRefused(t *testing.T) {
	for text, says := range map[string]string{
		"model = = 1\n": "config.toml:1:", "hooks = 1\n": "hooks.state", "[[hooks.state]]\na = 1\n": "hooks.state",
	} {
		env := world(t)
		put(t, filepath.Join(env.Home, ".codex", "config.toml"), text, 0o600)
		was := tree(t, env.Home)
		_, err := PlanInstall(env, trustCodex)
		var refused *Refused
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", text, err)
		}
		same(t, was, tree(t, env.Home))
	}
}

func TestTrustWithoutAManifest(t *testing.T) {
	env := world(t)
	config := filepath.Join(env.Home, ".codex", "config.toml")
	put(t, config, "model = \"m\"\n", 0o600)
	install(t, env, trustCodex)
	if err := os.RemoveAll(filepath.Join(env.Home, ".local/share/boathook/install")); err != nil {
		t.Fatal(err)
	}
	uninstall(t, env, onlyCodex)
	if got := text(t, config); got != "model = \"m\"\n" {
		t.Errorf("config.toml: %q", got)
	}
}

func TestTheLinksInCodexKeys(t *testing.T) {
	real := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	env := worldIn(t, link)
	install(t, env, trustCodex)
	if got := text(t, filepath.Join(real, ".codex/config.toml")); !strings.Contains(got, `"`+link+"/.codex/hooks.json:stop:0:0") {
		t.Errorf("a home behind a link:\n%s", got)
	}
	env = with(world(t), map[string]string{"CODEX_HOME": link})
	install(t, env, trustCodex)
	real, _ = filepath.EvalSymlinks(real)
	if got := text(t, filepath.Join(real, "config.toml")); !strings.Contains(got, `"`+real+"/hooks.json:stop:0:0") {
		t.Errorf("CODEX_HOME behind a link:\n%s", got)
	}
}
