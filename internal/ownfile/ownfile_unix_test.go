//go:build unix

package ownfile

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

func TestOpenRefusesWhatIsForeign(t *testing.T) {
	for name, plant := range map[string]func(t *testing.T, path, target string) error{
		"link":          func(_ *testing.T, path, target string) error { return os.Symlink(target, path) },
		"dangling link": func(_ *testing.T, path, target string) error { return os.Symlink(target+".not", path) },
		"directory":     func(_ *testing.T, path, _ string) error { return os.Mkdir(path, 0o700) },
		"fifo":          func(_ *testing.T, path, _ string) error { return unix.Mkfifo(path, 0o600) },
		"other owner": func(t *testing.T, path, _ string) error {
			err := os.WriteFile(path, nil, 0o666)
			if cerr := os.Chown(path, os.Geteuid()+1, -1); cerr != nil {
				t.Skipf("can't give a file away: %v", cerr)
			}
			return err
		},
	} {
		for _, flag := range []int{os.O_RDONLY, os.O_RDWR | os.O_CREATE, os.O_WRONLY | os.O_CREATE | os.O_APPEND} {
			t.Run(name, func(t *testing.T) {
				dir := t.TempDir()
				path, target := filepath.Join(dir, "f"), filepath.Join(dir, "target")
				must(t, os.WriteFile(target, []byte("mine"), 0o600))
				must(t, plant(t, path, target))
				if f, err := Open(path, flag); !errors.Is(err, ErrForeign) {
					t.Errorf("opened %v, %v", f, err)
				}
				if b, err := os.ReadFile(target); err != nil || string(b) != "mine" {
					t.Errorf("the target is %q, %v", b, err)
				}
				if _, err := os.Lstat(target + ".not"); err == nil {
					t.Error("the target of a dangling link was made")
				}
			})
		}
	}
}

func TestUmaskTakesNothing(t *testing.T) {
	old := unix.Umask(0o777)
	defer unix.Umask(old)
	dir := filepath.Join(os.TempDir(), "ownfile-"+filepath.Base(t.Name()), "a", "b")
	defer os.RemoveAll(filepath.Dir(filepath.Dir(dir)))
	must(t, MkdirAll(dir))
	must(t, MkdirAll(dir))
	path := filepath.Join(dir, "f")
	f, err := Open(path, os.O_RDWR|os.O_CREATE)
	must(t, err)
	f.Close()
	for path, want := range map[string]os.FileMode{dir: 0o700, filepath.Dir(dir): 0o700, path: 0o600} {
		if fi, err := os.Stat(path); err != nil || fi.Mode().Perm() != want {
			t.Errorf("%s has mode %v, %v", path, fi.Mode(), err)
		}
	}
}

func TestMkdirAllOverWhatIsThere(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, "real"), 0o755))
	must(t, os.Symlink("real", filepath.Join(dir, "link")))
	must(t, MkdirAll(filepath.Join(dir, "link")))
	must(t, MkdirAll(filepath.Join(dir, "link", "below")))
	if fi, err := os.Stat(filepath.Join(dir, "real")); err != nil || fi.Mode().Perm() != 0o755 {
		t.Errorf("a directory that was there has mode %v, %v", fi.Mode(), err)
	}
	must(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
	if err := MkdirAll(filepath.Join(dir, "file")); err == nil {
		t.Error("a file passes for a directory")
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
