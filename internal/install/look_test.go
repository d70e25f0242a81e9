//go:build unix

package install

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What was just installed has no fault, and the program and the config are read back out of the command lines, whatever
// the paths are.
func TestLookReadsWhatInstallWrote(t *testing.T) {
	for _, name := range []string{"plain", "it's", "a b", "$HOME", `quo"te`, `back\slash`, "한글; rm"} {
		t.Run(name, func(t *testing.T) {
			root := filepath.Join(t.TempDir(), name)
			env := worldIn(t, filepath.Join(root, "home"))
			put(t, filepath.Join(root, "bin", "boathook"), "#!/bin/sh\n", 0o755)
			env.Exe = filepath.Join(root, "bin", "boathook")
			if err := os.MkdirAll(filepath.Join(root, "project", ".git"), 0o755); err != nil {
				t.Fatal(err)
			}
			put(t, filepath.Join(env.Home, ".gemini", "x"), "", 0o600)
			config := filepath.Join(env.Home, ".config", "boathook", "config.toml")
			install(t, env, both)
			install(t, env, Request{Agents: []string{"antigravity"}, Workspace: filepath.Join(root, "project")})
			places, err := Look(env)
			if err != nil || len(places) != 3 {
				t.Fatalf("%v: %+v", err, places)
			}
			for _, in := range places {
				if diff := cmp.Diff([]string{env.Exe, config}, []string{in.Program, in.Config}); diff != "" {
					t.Errorf("%s: %s", in.Dir, diff)
				}
				if len(in.Faults) > 0 || len(in.Events) < 5 || in.Version != env.Version || in.Disabled {
					t.Errorf("%+v", in)
				}
			}
			if boathooks, pintas := Doubles(env, env.Home); len(boathooks)+len(pintas) > 0 {
				t.Errorf("doubles: %q %q", boathooks, pintas)
			}
			if boathooks, _ := Doubles(env, filepath.Join(root, "project")); len(boathooks) != 1 {
				t.Errorf("in the project: %q", boathooks)
			}
		})
	}
}

func TestLookFindsNothingWhereNothingIs(t *testing.T) {
	if places, err := Look(world(t)); err != nil || len(places) > 0 {
		t.Errorf("%v: %+v", err, places)
	}
}

// A newer file of the same agent is no fault of ours: only what install wrote is compared.
func TestLookSeesOnlyWhatIsOurs(t *testing.T) {
	env := world(t)
	put(t, hooksFile(env), otherHook, 0o644)
	install(t, env, both)
	edit(t, hooksFile(env), `"mine"`, `"yours"`)
	places, err := Look(env)
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range places {
		if len(in.Faults) > 0 {
			t.Errorf("%+v", in.Faults)
		}
	}
}

// What Antigravity takes is no reason to refuse.
func TestAntigravityTakesThese(t *testing.T) {
	for _, text := range []string{
		"", "{}", `{"a":{}}`, `{"a":{"enabled":false,"Stop":[]}}`, `{"a":{"Stop":null,"Other":7,"env":[]}}`, `{"a":{"PreToolUse":[{"command":"x"}]}}`,
		`{"a":{"Stop":[{"command":"x","timeout":0,"name":1}],"PreToolUse":[{"matcher":"run_command","hooks":[{"type":"prompt","prompt":"x"}]}]}}`,
	} {
		if why := dropped([]byte(text)); why != "" {
			t.Errorf("%s: %s", text, why)
		}
	}
}
