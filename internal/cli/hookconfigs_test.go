package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestHookConfigs: what the hooks read counts, then the default place; what is gone only where nothing else is there.
func TestHookConfigs(t *testing.T) {
	var stderr bytes.Buffer
	home := t.TempDir()
	env := &Env{
		Stdin: strings.NewReader(""), Stdout: &bytes.Buffer{}, Stderr: &stderr, Home: home, Dir: home, Now: time.Now,
		Exe: filepath.Join(home, "boathook"), LookupEnv: func(string) (string, bool) { return "", false },
	}
	if err := os.WriteFile(env.Exe, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	want := func(name string, want ...string) {
		t.Helper()
		got, err := env.hookConfigs()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	run := func(args ...string) {
		t.Helper()
		if code := Run(t.Context(), env, args); code != exitOK {
			t.Fatalf("%v: %d: %s", args, code, &stderr)
		}
	}
	remove := func(path string) {
		t.Helper()
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	usual := filepath.Join(home, ".config", "boathook", "config.toml")
	one, two := filepath.Join(home, "one", "a.toml"), filepath.Join(home, "two", "b.toml")
	want("nothing is there")
	run("install", "gemini", "--yes")
	want("the default place", usual)
	run("install", "gemini", "--yes", "--config", one)
	want("another place", one)
	run("install", "antigravity", "--yes", "--config", two)
	want("two", one, two)

	stderr.Reset()
	for range 2 {
		if path, err := env.installedConfig(); path != one || err != nil {
			t.Errorf("%s, %v", path, err)
		}
	}
	if text := stderr.String(); strings.Count(text, "this looks at "+one) != 1 || !strings.Contains(text, "another: "+two) {
		t.Errorf("said %q", text)
	}
	places, err := (place{}).all(env)
	if err != nil || len(places) != 1 || places[0].config != one {
		t.Errorf("of one data directory there is one worker: %+v, %v", places, err)
	}

	remove(one)
	want("one is gone", two)
	remove(two)
	want("all are gone", one)
	run("uninstall", "gemini", "antigravity", "--yes")
	want("uninstalled", usual)
	remove(usual)
	want("uninstalled, and no config")
}
