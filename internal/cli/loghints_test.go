//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What log says when there is nothing to show depends on what is installed.
func TestLogOfNothingSaysWhy(t *testing.T) {
	i := newInstaller(t)
	i.has(i.run("", exitOK, "log"), "No event is recorded yet", "boathook install ")

	i.run("", exitOK, "install", "gemini", "--yes")
	config := filepath.Join(i.env.Home, ".config", "boathook", "config.toml")
	got := i.run("", exitOK, "log")
	i.has(got, "installed, no events yet: restart the agent, then use it")
	if strings.Contains(got, "boathook install") {
		t.Errorf("told to install what is installed: %s", got)
	}

	i.has(i.run("", exitFailed, "log", "--config", "gone.toml"),
		"config "+filepath.Join(i.env.Home, "gone.toml")+" is gone: hooks installed with it do nothing; run 'boathook install ")

	if err := os.Rename(config, config+".away"); err != nil {
		t.Fatal(err)
	}
	got = i.run("", exitOK, "log")
	i.has(got, "config "+config+" is gone: hooks installed with it do nothing; run 'boathook install gemini --config "+config+"'")
	if strings.Contains(got, "no events yet") || strings.Contains(got, "No event") {
		t.Errorf("more than the one reason: %s", got)
	}
	if err := os.Rename(config+".away", config); err != nil {
		t.Fatal(err)
	}

	i.run("", exitOK, "uninstall", "--yes")
	i.has(i.run("", exitOK, "log"), "No event is recorded yet", "boathook install ")
}

func TestLogOfNoDataDirectory(t *testing.T) {
	home := t.TempDir()
	file := filepath.Join(home, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{filepath.Join(home, "nope"), file} {
		code, _, stderr := runIn(t, home, "log", "--data", dir)
		if code != exitFailed || !strings.Contains(stderr, "no such data directory: "+dir) {
			t.Errorf("exit %d: %s", code, stderr)
		}
	}
	if code, _, stderr := runIn(t, home, "log", "--data", home); code != exitOK {
		t.Errorf("an empty directory: exit %d: %s", code, stderr)
	}
}

func TestLogWarnsOfSettingsThatOthersCanRead(t *testing.T) {
	for _, name := range []string{"config.toml", "boathook.env"} {
		i := newInstaller(t)
		dir := filepath.Join(i.env.Home, ".config", "boathook")
		i.write(filepath.Join(dir, "config.toml"), "")
		i.write(filepath.Join(dir, name), "")
		if got := i.run("", exitOK, "log"); strings.Contains(got, "chmod") {
			t.Errorf("%s of mode 0600: %s", name, got)
		}
		for _, mode := range []os.FileMode{0o644, 0o640, 0o604} {
			if err := os.Chmod(filepath.Join(dir, name), mode); err != nil {
				t.Fatal(err)
			}
			i.has(i.run("", exitOK, "log"), "may hold a token", "chmod 600 "+filepath.Join(dir, name))
		}
	}
}
