package store

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAddGrowth(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), FileName))
	must(t, err)
	defer s.Close()
	for _, step := range []struct{ total, growth int64 }{{0, 0}, {3, 3}, {3, 0}, {5, 2}, {1, 1}, {1, 0}, {0, 0}, {2, 2}} {
		// The tokens of other counts keep out of the way.
		must(t, s.AddCountersOnce(t.Context(), "token", map[string]int64{"dropped": 1}))
		other, err := s.AddGrowth(t.Context(), "other", 7)
		must(t, err)
		if growth, err := s.AddGrowth(t.Context(), "n", step.total); err != nil || growth != step.growth || other%7 != 0 {
			t.Errorf("total %d grew by %d, %v", step.total, growth, err)
		}
	}
	got, err := s.Counters(t.Context())
	must(t, err)
	if diff := cmp.Diff(map[string]int64{"n": 8, "other": 7, "dropped": 1}, got); diff != "" {
		t.Error(diff)
	}
}

func TestStored(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), FileName))
	must(t, err)
	defer s.Close()
	one := row(t, 1, nil)
	insert(t, s, one)
	got, err := s.Stored(t.Context(), []string{one.Record.ID, "other"})
	must(t, err)
	if diff := cmp.Diff(map[string]bool{one.Record.ID: true}, got); diff != "" {
		t.Error(diff)
	}
}

func TestALinkIsNoStore(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, FileName)
	if err := os.Symlink(filepath.Join(dir, "target"), path); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	if _, err := Open(t.Context(), path); !errors.Is(err, ErrCorrupt) {
		t.Errorf("open: %v", err)
	}
	if _, err := OpenReadOnly(t.Context(), path); !errors.Is(err, ErrCorrupt) {
		t.Errorf("open to read: %v", err)
	}
	if _, err := os.Lstat(filepath.Join(dir, "target")); err == nil {
		t.Error("the target was made")
	}
}
