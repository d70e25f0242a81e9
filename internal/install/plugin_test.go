//go:build unix

package install

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/plugin"
)

// pluginAgents are the agents that run plugins, with the file that install writes.
func pluginAgents(env Env) map[string]string {
	return map[string]string{
		"amp":      filepath.Join(env.Home, ".config", "amp", "plugins", "boathook.ts"),
		"opencode": filepath.Join(env.Home, ".config", "opencode", "plugin", "boathook.js"),
	}
}

func TestPluginShape(t *testing.T) {
	env := world(t)
	for agent, path := range pluginAgents(env) {
		install(t, env, Request{Agents: []string{agent}})
		head, ok := plugin.Read([]byte(text(t, path)))
		m, marked := readMark(head.Mark)
		config := filepath.Join(env.Home, ".config", "boathook", "config.toml")
		if !ok || !marked || m.Config != config || head.Config != config || head.Program != env.Exe || len(head.Events) < 5 {
			t.Errorf("%s: %+v, mark %+v", agent, head, m)
		}
	}
}

// What uninstall leaves is what was there, whatever the paths are, with directories that were there and without.
func TestPluginUndo(t *testing.T) {
	for _, name := range []string{"plain", "it's", "a b", `quo"te`, `back\slash`, "한글; rm", "line\u2028end", "${x}`"} {
		for _, before := range []string{"", ".config/amp/plugins/mine.ts", ".config/opencode/plugin/mine.js", ".config/opencode/opencode.json"} {
			t.Run(name+before, func(t *testing.T) {
				root := filepath.Join(t.TempDir(), name)
				env := worldIn(t, filepath.Join(root, "home"))
				put(t, filepath.Join(root, "bin", "boathook"), "#!/bin/sh\n", 0o755)
				env.Exe = filepath.Join(root, "bin", "boathook")
				put(t, filepath.Join(env.Home, "x", before), "mine\n", 0o600)
				if before != "" {
					put(t, filepath.Join(env.Home, before), "mine\n", 0o600)
				}
				want := tree(t, env.Home)
				install(t, env, Request{Agents: []string{"amp", "opencode"}})
				places, err := Look(env)
				if err != nil || len(places) != 2 {
					t.Fatalf("%v: %+v", err, places)
				}
				for _, in := range places {
					if len(in.Faults) > 0 || in.Program != env.Exe || in.NotRun != "" || !slices.Equal(in.Events, in.Intact) {
						t.Errorf("%+v", in)
					}
				}
				uninstall(t, env, Request{Purge: true})
				same(t, want, tree(t, env.Home))
			})
		}
	}
}

func TestPluginIsNobodyElses(t *testing.T) {
	env := world(t)
	for agent, path := range pluginAgents(env) {
		put(t, path, "export const Mine = () => {}\n", 0o644)
		if _, err := PlanInstall(env, Request{Agents: []string{agent}}); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", agent, err)
		}
		uninstall(t, env, Request{Agents: []string{agent}})
		if text(t, path) != "export const Mine = () => {}\n" {
			t.Errorf("%s: a foreign file was changed", agent)
		}
	}
}

// The events that somebody chose stay with the next install.
func TestPluginKeepsEvents(t *testing.T) {
	env := world(t)
	path := pluginAgents(env)["opencode"]
	install(t, env, Request{Agents: []string{"opencode"}, Events: []string{"default", "file.edited"}})
	chosen := text(t, path)
	install(t, env, Request{Agents: []string{"opencode"}})
	if diff := cmp.Diff(chosen, text(t, path)); diff != "" {
		t.Error(diff)
	}
	install(t, env, Request{Agents: []string{"opencode"}, Events: []string{"default"}})
	if head, _ := plugin.Read([]byte(text(t, path))); slices.Contains(head.Events, "file.edited") {
		t.Errorf("%q", head.Events)
	}
	install(t, env, Request{Agents: []string{"opencode"}, Events: []string{"session.idle"}})
	places, err := Look(env)
	if err != nil || len(places) != 1 || len(places[0].Faults) != 1 || places[0].Faults[0].Mend != Register {
		t.Errorf("%v: %+v", err, places)
	}
}

// A file that was edited is known again, said to be, and kept in the backups when it goes; the manifest is not needed for it.
func TestPluginEdited(t *testing.T) {
	env := world(t)
	for agent, path := range pluginAgents(env) {
		install(t, env, Request{Agents: []string{agent}})
		put(t, path, text(t, path)+"// mine\n", 0o644)
		places, err := Look(env)
		if err != nil || len(places) != 1 || len(places[0].Faults) != 1 || places[0].NotRun == "" || len(places[0].Intact) > 0 {
			t.Errorf("%s: %v: %+v", agent, err, places)
		}
		uninstall(t, env, Request{Agents: []string{agent}})
		kept, _ := filepath.Glob(filepath.Join(env.Home, ".local/share/boathook/install/backups", filepath.Base(path)+".*"))
		if exists(path) || len(kept) != 1 {
			t.Errorf("%s: still there %v, backups %q", agent, exists(path), kept)
		}
	}
}

func TestPluginWithoutManifest(t *testing.T) {
	env := world(t)
	for agent, path := range pluginAgents(env) {
		install(t, env, Request{Agents: []string{agent}})
		if err := os.RemoveAll(filepath.Join(env.Home, ".local", "share", "boathook", "install")); err != nil {
			t.Fatal(err)
		}
		uninstall(t, env, Request{Agents: []string{agent}})
		if exists(path) {
			t.Errorf("%s: %s is left", agent, path)
		}
	}
}

// Both agents look in $XDG_CONFIG_HOME instead of ~/.config, where that is set.
func TestPluginFollowsXDG(t *testing.T) {
	env := world(t)
	usual := pluginAgents(env)
	dir := filepath.Join(env.Home, "settings")
	env = with(env, map[string]string{"XDG_CONFIG_HOME": dir})
	install(t, env, Request{Agents: []string{"amp", "opencode"}})
	for _, path := range []string{filepath.Join(dir, "amp", "plugins", "boathook.ts"), filepath.Join(dir, "opencode", "plugin", "boathook.js")} {
		if !isPlugin([]byte(text(t, path))) {
			t.Errorf("%s is no plugin", path)
		}
	}
	for _, path := range usual {
		if exists(path) {
			t.Errorf("%s is there", path)
		}
	}
}

func TestPluginDoubles(t *testing.T) {
	env := world(t)
	install(t, env, Request{Agents: []string{"amp", "opencode"}})
	project := t.TempDir()
	if found, _ := Doubles(env, project); len(found) > 0 {
		t.Errorf("%q", found)
	}
	want := []string{
		filepath.Join(project, ".amp", "plugins", "x.ts"),
		filepath.Join(env.Home, ".config", "opencode", "plugins", "boathook.js"),
		filepath.Join(project, ".opencode", "plugin", "boathook.js"),
	}
	for _, path := range want {
		agent := "opencode"
		if strings.HasSuffix(path, ".ts") {
			agent = "amp"
		}
		put(t, path, text(t, pluginAgents(env)[agent]), 0o644)
	}
	put(t, filepath.Join(project, ".opencode", "plugin", "mine.js"), "// mine\n", 0o644)
	if found, _ := Doubles(env, project); !slices.Equal(found, want) {
		t.Errorf("%q, want %q", found, want)
	}
}

// A plugin of ours in a directory to which only the environment leads is run by the agent, and by nobody else.
func TestPluginThatTheEnvironmentNames(t *testing.T) {
	env := world(t)
	stranger := worldIn(t, t.TempDir())
	install(t, stranger, Request{Agents: []string{"opencode"}})
	install(t, env, Request{Agents: []string{"amp"}})
	env = with(env, map[string]string{"XDG_CONFIG_HOME": filepath.Join(stranger.Home, ".config")})
	places, err := Look(env)
	if err != nil || len(places) != 2 || places[0].Agent != "amp" {
		t.Fatalf("%v: %+v", err, places)
	}
	if in := places[1]; in.NotRun == "" || in.Program != "" || len(in.Faults) != 1 {
		t.Errorf("%+v", in)
	}
}
