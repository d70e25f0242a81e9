package sqlite

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/boathook/boathook/internal/memory"
)

func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	if _, err := OpenReadOnly(context.Background(), path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenReadOnly(context.Background(), path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty file: %v", err)
	}
	for range 2 {
		s, err := Open(context.Background(), path)
		if err != nil {
			t.Fatal(err)
		}
		r, err := OpenReadOnly(context.Background(), path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Forget(context.Background(), memory.Selection{Filter: memory.Filter{AllProjects: true}}); err == nil {
			t.Error("a reader forgets")
		}
		for _, name := range []string{path, path + "-wal", path + "-shm"} {
			if fi, err := os.Stat(name); err != nil || fi.Mode().Perm() != 0o600 {
				t.Errorf("%s: %v, %v", name, fi, err)
			}
		}
		for range 2 {
			if err := errors.Join(r.Close(), s.Close()); err != nil {
				t.Error(err)
			}
		}
		if _, err := s.Write(context.Background(), memory.Batch{}); err == nil {
			t.Error("a closed store writes")
		}
	}
}
