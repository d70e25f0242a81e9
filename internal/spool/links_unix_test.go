//go:build unix

package spool

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// TestOurFilesAreNoLinks: a link in the place of any file of the spool neither damages nor makes its target.
func TestOurFilesAreNoLinks(t *testing.T) {
	for _, name := range []string{lockName, droppedName, failedName, quarantinedName} {
		for _, dangling := range []bool{false, true} {
			s := newSpool(t)
			mustAppend(t, s, 1, "x")
			mustAppend(t, s, 2, "y")
			s.MaxBytes = 1
			target := secret(t)
			if dangling {
				must(t, os.Remove(target))
			}
			_ = os.Remove(s.path("", name))
			must(t, os.Symlink(target, s.path("", name)))
			_, _ = s.Enforce()
			_, _ = s.TakeDropped()
			_ = s.CountFailed()
			_, _ = s.Totals()
			_ = s.Quarantine(id(1)+suffix, "r")
			must(t, os.RemoveAll(s.path("new", "")))
			mustAppend(t, s, 3, "z")
			b, err := os.ReadFile(target)
			if dangling && err == nil || !dangling && string(b) != "secret" {
				t.Errorf("%s, dangling %v: the target is %q, %v", name, dangling, b, err)
			}
		}
	}
}

func TestUmaskTakesNothing(t *testing.T) {
	s := newSpool(t)
	old := unix.Umask(0o777)
	name := mustAppend(t, s, 1, "x")
	err := s.Quarantine(mustAppend(t, s, 2, "x"), "r")
	unix.Umask(old)
	must(t, err)
	for path, want := range map[string]os.FileMode{
		s.Dir: 0o700, s.path("new", ""): 0o700, s.path("tmp", ""): 0o700, s.path("bad", ""): 0o700, s.path("new", name): 0o600,
		s.path("bad", id(2)+suffix+reasonSuffix): 0o600, s.path("", lockName): 0o600, s.path("", failedName): 0o600,
	} {
		if fi, err := os.Stat(path); err != nil || fi.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", filepath.Base(path), fi.Mode(), err)
		}
	}
}

// TestALinkedDataDirectoryIsFine: people move their data to another disk.
func TestALinkedDataDirectoryIsFine(t *testing.T) {
	root := t.TempDir()
	must(t, os.Mkdir(filepath.Join(root, "real"), 0o700))
	must(t, os.Symlink("real", filepath.Join(root, "data")))
	s := Spool{Dir: filepath.Join(root, "data", "spool"), MaxBytes: 1}
	mustAppend(t, s, 1, "xx")
	if n := enforce(t, s); n != 1 || take(t, s).Count != 1 {
		t.Errorf("dropped %d", n)
	}
}

// TestNoDirectoryOfTheSpoolIsALink: what it leads to is neither filled nor emptied. The data directory itself may be one.
func TestNoDirectoryOfTheSpoolIsALink(t *testing.T) {
	for _, at := range []string{"", "new", "tmp", "bad"} {
		t.Run("spool/"+at, func(t *testing.T) {
			s, elsewhere := newSpool(t), t.TempDir()
			s.MaxBytes, s.Now = 1, func() time.Time { return time.Now().Add(24 * time.Hour) }
			waits := mustAppend(t, s, 1, "x")
			must(t, os.MkdirAll(s.path("bad", ""), 0o700))
			for _, dir := range []string{"new", "tmp", "bad"} { // as a spool that is elsewhere has them
				must(t, os.MkdirAll(filepath.Join(elsewhere, dir), 0o700))
				must(t, os.WriteFile(filepath.Join(elsewhere, dir, id(2)+".json"), []byte("theirs"), 0o600))
			}
			must(t, os.WriteFile(filepath.Join(elsewhere, id(2)+".json"), []byte("theirs"), 0o600))
			before := tree(t, elsewhere)
			must(t, os.Rename(s.path(at, ""), s.path(at, "")+".was"))
			must(t, os.Symlink(elsewhere, s.path(at, "")))

			err := s.Append(id(3), []byte("y"))
			if at != "bad" && !errors.Is(err, ErrForeign) {
				t.Errorf("append: %v", err)
			}
			if names, _, err := s.Oldest(10); at != "tmp" && at != "bad" && (err == nil || names != nil) {
				t.Errorf("lists %v, %v", names, err)
			}
			if names, err := s.Pending(); at != "tmp" && at != "bad" && (err == nil || names != nil) {
				t.Errorf("waiting %v, %v", names, err)
			}
			_, _ = s.Enforce()
			_, _ = s.TakeDropped()
			_, _ = s.PruneBad(time.Now().Add(time.Hour))
			if at == "" {
				_ = s.CountFailed()
			}
			if err := s.Quarantine(waits, "bad"); at != "tmp" && !errors.Is(err, ErrForeign) {
				t.Errorf("quarantine: %v", err)
			}
			if diff := cmp.Diff(before, tree(t, elsewhere)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func tree(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	must(t, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		out = append(out, path)
		return err
	}))
	return out
}
