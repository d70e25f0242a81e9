package config

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestChanged: whatever happens to a file that counts, or would, is seen.
func TestChanged(t *testing.T) {
	dir := t.TempDir()
	path, env := filepath.Join(dir, "config.toml"), filepath.Join(dir, "boathook.env")
	write := func(path, text string, age time.Duration) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(-age)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	load := func() Settings {
		return Load(Request{Path: path, Home: dir, AccountHome: func() string { return dir }, Env: func(string) (string, bool) { return "", false }})
	}
	remove := func(path string) func() { return func() { _ = os.Remove(path) } }
	for _, step := range []struct {
		name   string
		change func()
		want   bool
	}{
		{"nothing", func() {}, false},
		{"config comes", func() { write(path, "privacy = \"full\"\n", time.Hour) }, true},
		{"config is written again, the same", func() { write(path, "privacy = \"full\"\n", time.Minute) }, false},
		{"config says something else, as long", func() { write(path, "privacy = \"fill\"\n", time.Second) }, true},
		{"config is longer", func() { write(path, "privacy = \"minimal\"\n", time.Minute) }, true},
		{"config can be read by others", func() { _ = os.Chmod(path, 0o644) }, true},
		{"env file comes", func() { write(env, "A=b\n", time.Hour) }, true},
		{"env file goes", remove(env), true},
		{"another file", func() { write(filepath.Join(dir, "x"), "", 0) }, false},
		{"another env file is named", func() { write(path, "env_files = [\""+filepath.Join(dir, "other.env")+"\"]\n", time.Hour) }, true},
		{"that one comes", func() { write(filepath.Join(dir, "other.env"), "A=b\n", time.Hour) }, true},
		{"the old one counts no more", func() { write(env, "A=b\n", 0) }, false},
		{"config goes", remove(path), true},
		{"a directory comes", func() { _ = os.Mkdir(path, 0o700) }, true},
		{"something is in it", func() { write(filepath.Join(path, "x"), "", 0) }, false},
	} {
		s := load()
		if s.Changed() {
			t.Fatalf("%s: changed before it", step.name)
		}
		if step.change(); s.Changed() != step.want {
			t.Errorf("%s: changed %v", step.name, s.Changed())
		}
	}
}

func TestUnsettled(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	at := func(age time.Duration) Settings {
		return Settings{Files: []File{{Path: "a"}, {Path: "b", There: true, Mod: now.Add(-age).UnixNano()}}}
	}
	for age, want := range map[time.Duration]bool{0: true, time.Millisecond: true, time.Second: false, time.Hour: false, -time.Hour: false} {
		if got := at(age).Unsettled(now, time.Second); got != want {
			t.Errorf("written %s ago: %v", age, got)
		}
	}
}
