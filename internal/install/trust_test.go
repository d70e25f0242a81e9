//go:build unix

package install

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// project is a home whose only hooks are in a project, with what Look finds there.
func project(t *testing.T) (env Env, agents string, look func() Installation) {
	t.Helper()
	env = world(t)
	dir := filepath.Join(t.TempDir(), "project")
	if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	install(t, env, Request{Agents: []string{"antigravity"}, Workspace: dir})
	return env, filepath.Join(dir, ".agents"), func() Installation {
		t.Helper()
		places, err := Look(env)
		if err != nil || len(places) != 1 {
			t.Fatalf("%v: %+v", err, places)
		}
		return places[0]
	}
}

// Nothing that a repository commits is taken for what install wrote: neither config nor program nor data come from it.
func TestAProjectNamesNothing(t *testing.T) {
	config := func(env Env) string { return filepath.Join(env.Home, ".config", "boathook", "config.toml") }
	env, _, look := project(t)
	if in := look(); in.NotRun != "" || in.Config != config(env) || in.Program != env.Exe || len(in.Intact) != len(in.Events) || len(in.Faults) > 0 {
		t.Fatalf("as installed: %+v", in)
	}
	for name, harm := range map[string]func(env Env, script string){
		"config": func(env Env, script string) {
			put(t, script, strings.ReplaceAll(text(t, script), config(env), filepath.Dir(filepath.Dir(script))+"/c.toml"), 0o755)
		},
		"program": func(env Env, script string) { edit(t, script, "program='"+env.Exe, "program='"+script+"/evil") },
		"data":    func(env Env, script string) { edit(t, script, `"data_dir":"`, `"data_dir":"/tmp`) },
		"a line":  func(_ Env, script string) { edit(t, script, "exec 2>/dev/null", "touch /tmp/x") },
		"gone":    func(_ Env, script string) { _ = os.Remove(script) },
		"another's": func(env Env, script string) {
			other := env
			other.Home = t.TempDir()
			install(t, other, Request{Agents: []string{"antigravity"}})
			put(t, script, text(t, filepath.Join(other.Home, ".gemini/config", stubName)), 0o755)
		},
		"no manifest": func(env Env, _ string) { edit(t, filepath.Join(installDir(env), manifestName), `"after"`, `"later"`) },
	} {
		env, agents, look := project(t)
		harm(env, filepath.Join(agents, stubName))
		in := look()
		if in.NotRun == "" || in.Config != config(env) || in.Program+in.Version+in.DataDir != "" || len(in.Faults) == 0 {
			t.Errorf("%s: %+v", name, in)
		}
	}
}

// With several configs in the manifest it is not known which a project had, and none is taken.
func TestAProjectOfSeveralConfigs(t *testing.T) {
	env, agents, look := project(t)
	dir := filepath.Join(t.TempDir(), "other")
	if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	install(t, env, Request{Agents: []string{"antigravity"}, Workspace: dir, Config: filepath.Join(env.Home, "other.toml")})
	uninstall(t, env, Request{Agents: []string{"antigravity"}, Workspace: dir})
	edit(t, filepath.Join(agents, stubName), "exec 2>/dev/null", "true")
	if in := look(); in.Config != "" || len(in.Faults) != 1 || in.Faults[0].Mend != ByHand {
		t.Errorf("%+v", in)
	}
}

// A link or a FIFO of a repository is not read, and no mode behind it is to be changed.
func TestAProjectLeadsNowhere(t *testing.T) {
	for _, name := range []string{"hooks.json", stubName} {
		for _, to := range []string{"/dev/zero", "secret", "fifo"} {
			env, agents, look := project(t)
			put(t, filepath.Join(env.Home, "secret"), "#!/bin/sh\n# boathook: {\"owner\":\"boathook\"}\n", 0o600)
			path := filepath.Join(agents, name)
			err := os.Remove(path)
			if err != nil {
				t.Fatal(err)
			}
			switch to {
			case "fifo":
				err = syscall.Mkfifo(path, 0o600)
			case "secret":
				err = os.Symlink(filepath.Join(env.Home, to), path)
			default:
				err = os.Symlink(to, path)
			}
			if err != nil {
				t.Fatal(err)
			}
			in := look()
			if len(in.Faults) != 1 || in.Faults[0].Mend != ByHand || !strings.Contains(in.Faults[0].Text, "can't be read") {
				t.Errorf("%s to %s: %+v", name, to, in.Faults)
			}
		}
	}
}

// What runs is what install wrote, or calls this very program and nothing else. In the user's own files a config that
// somebody wrote there counts.
func TestWhatMayBeRun(t *testing.T) {
	gemini, agy := ".gemini/extensions/boathook/hooks/hooks.json", ".gemini/config/hooks.json"
	for _, tt := range []struct {
		name, file, old, new string
		// runs says that the place may be run, intact that BeforeTool and PreToolUse are as written.
		runs, intact bool
	}{
		{"as installed", gemini, "", "", true, true},
		{"as installed", agy, "", "", true, true},
		{"spaces", gemini, "{", "{ ", true, true},
		{"a command before ours", gemini, "exec 2>", "touch /tmp/x; exec 2>", false, false},
		{"a command before ours", agy, `"command": "`, `"command": "touch /tmp/x; `, true, false},
		{"a command beside ours", agy, `"PreToolUse": [`, `"PreToolUse": [{"matcher":"","hooks":[{"type":"command","command":"touch /tmp/x"}]},`, true, false},
		{"a script", ".gemini/config/" + stubName, "exec 2>/dev/null", "touch /tmp/x", false, true},
	} {
		env := world(t)
		install(t, env, both)
		if tt.old != "" {
			was := text(t, filepath.Join(env.Home, tt.file))
			put(t, filepath.Join(env.Home, tt.file), strings.ReplaceAll(was, tt.old, tt.new), 0o755)
		}
		places, err := Look(env)
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range places {
			if !strings.HasPrefix(tt.file, strings.TrimPrefix(in.Dir, env.Home+"/")) {
				continue
			}
			intact := slices.Contains(in.Intact, "BeforeTool") || slices.Contains(in.Intact, "PreToolUse")
			if (in.NotRun == "") != tt.runs || intact != tt.intact {
				t.Errorf("%s of %s: %q, %v", tt.name, in.Agent, in.NotRun, in.Intact)
			}
		}
	}
}

// Another program than this one is run where the manifest vouches for the file that names it, and not after an edit.
func TestAnotherProgramIsNotRun(t *testing.T) {
	env := world(t)
	install(t, env, both)
	other := env
	other.Exe = filepath.Join(t.TempDir(), "boathook")
	put(t, other.Exe, "#!/bin/sh\n", 0o755)
	for _, edited := range []bool{false, true} {
		if edited {
			path := filepath.Join(env.Home, ".gemini/extensions/boathook/hooks/hooks.json")
			put(t, path, text(t, path)+"\n", 0o644)
			edit(t, filepath.Join(env.Home, ".gemini/config", stubName), "exit 0", "exit 0 ")
		}
		places, err := Look(other)
		if err != nil || len(places) != 2 {
			t.Fatalf("%v %+v", err, places)
		}
		for _, in := range places {
			if (in.NotRun == "") == edited {
				t.Errorf("edited %t: %s: %q", edited, in.Agent, in.NotRun)
			}
		}
	}
}

// Root runs nothing that another user put there.
func TestRootRunsNothingOfOthers(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("SKIPPED LOUDLY: to give files away takes root")
	}
	for _, name := range []string{".", ".gemini/config", ".gemini/config/" + stubName, ".gemini/config/hooks.json"} {
		env := world(t)
		install(t, env, Request{Agents: []string{"antigravity"}})
		if err := os.Chown(filepath.Join(env.Home, name), 65534, 65534); err != nil {
			t.Fatal(err)
		}
		places, err := Look(env)
		if err != nil || len(places) != 1 || !strings.Contains(places[0].NotRun, "without sudo") {
			t.Errorf("%s: %v %+v", name, err, places)
		}
	}
}

// Where only the environment leads, which a project's .env may set, nothing is believed: neither the manifest that a mark
// there names, nor config and program.
func TestTheEnvironmentLeadsToNoManifest(t *testing.T) {
	env := world(t)
	install(t, env, Request{Agents: []string{"antigravity"}})
	evil := t.TempDir()
	other := with(worldIn(t, filepath.Join(evil, "home")), map[string]string{"GEMINI_CLI_HOME": evil})
	put(t, filepath.Join(evil, "home", "x"), "", 0o600)
	install(t, other, Request{Agents: []string{"gemini"}})
	env = with(env, map[string]string{"GEMINI_CLI_HOME": evil})
	places, err := Look(env)
	if err != nil || len(places) != 2 {
		t.Fatalf("%v %+v", err, places)
	}
	for _, in := range places {
		good := in.Agent == "antigravity"
		if in.Config != filepath.Join(env.Home, ".config", "boathook", "config.toml") || (in.NotRun == "") != good || (in.Program == env.Exe) != good {
			t.Errorf("%+v", in)
		}
	}
	plan, err := PlanUninstall(env, Request{Purge: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range plan.Changes {
		if within(c.Path, filepath.Join(evil, "home")) {
			t.Errorf("a purge goes where the project says: %s %s", c.Op, c.Path)
		}
	}
	// Who installed there is believed.
	env = with(world(t), map[string]string{"GEMINI_CLI_HOME": t.TempDir()})
	install(t, env, Request{Agents: []string{"gemini"}})
	if places, err := Look(env); err != nil || len(places) != 1 || places[0].NotRun != "" || places[0].Program != env.Exe || len(places[0].Faults) > 0 {
		t.Errorf("%v %+v", err, places)
	}
}
