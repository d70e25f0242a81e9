package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boathook/boathook/internal/selfwatch"
)

// What a command changes is known afterwards, and what somebody changed before it is not.
func TestCommandsNoteWhatTheyChange(t *testing.T) {
	home := t.TempDir()
	conf, data := filepath.Join(home, ".config", "boathook"), filepath.Join(home, ".local", "share", "boathook")
	for _, dir := range []string{conf, data} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	config, off := filepath.Join(conf, "config.toml"), filepath.Join(conf, "off")
	write := func(text string) {
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("")
	book, _ := selfwatch.Read(data)
	book.Learn(selfwatch.Look([]string{config, off}))
	if err := book.Write(data); err != nil {
		t.Fatal(err)
	}
	write("# by others\n")
	if code, _, stderr := runIn(t, home, "off"); code != 0 {
		t.Fatal(code, stderr)
	}
	after, err := selfwatch.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	now := selfwatch.Look([]string{config, off})
	if now[off] == selfwatch.Absent || after.Files[off] != now[off] {
		t.Errorf("the switch is not known: %v, now %v", after.Files, now)
	}
	if after.Files[config] != book.Files[config] || after.Files[config] == now[config] {
		t.Errorf("the command covers for what others changed: %v, now %v", after.Files, now)
	}
}

// Each command that is said to change files is one.
func TestChangingCommandsAreThere(t *testing.T) {
	root := newRoot(testEnv(t.TempDir()))
	for _, name := range changing() {
		if c, rest, err := root.Find(strings.Fields(name)); err != nil || len(rest) > 0 || c == root {
			t.Errorf("%s: %v %q", name, err, rest)
		}
	}
}
