package audit

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestRemove takes lines out of both logs, and leaves another program's alone.
func TestRemove(t *testing.T) {
	dir := t.TempDir()
	line := func(text string) []byte { return []byte(`{"boathook":1,"text":"` + text + `"}` + "\n") }
	old := append(line("secret old"), line("kept old")...)
	if err := os.WriteFile(filepath.Join(dir, File+".old"), old, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"kept one", "secret two", "kept three"} {
		if err := Append(dir, line(text), 1<<20); err != nil {
			t.Fatal(err)
		}
	}
	n, err := Remove(dir, func(l []byte) bool { return bytes.Contains(l, []byte("secret")) })
	if n != 2 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	for name, want := range map[string][]byte{
		File: append(line("kept one"), line("kept three")...), File + ".old": line("kept old"),
	} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	other := t.TempDir()
	foreign := []byte(`{"secret":"another program's"}` + "\n")
	if err := os.WriteFile(filepath.Join(other, File), foreign, 0o600); err != nil {
		t.Fatal(err)
	}
	if n, err := Remove(other, func([]byte) bool { return true }); n != 0 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if got, err := os.ReadFile(filepath.Join(other, File)); err != nil || !bytes.Equal(got, foreign) {
		t.Errorf("%q, %v", got, err)
	}
	if n, err := Remove(t.TempDir(), func([]byte) bool { return true }); n != 0 || err != nil {
		t.Errorf("of none: %d, %v", n, err)
	}
}
