package ownfile_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/boathook/boathook/internal/ownfile"
)

func TestReplace(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	path := filepath.Join(dir, "file")
	for _, text := range []string{"one", "two"} {
		if err := ownfile.Replace(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%q, %v; want %q", got, err, text)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "taken"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := ownfile.Replace(filepath.Join(dir, "taken"), []byte("x")); err == nil {
		t.Error("a directory was replaced")
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 2 {
		t.Errorf("left %v, %v", left, err)
	}
}
