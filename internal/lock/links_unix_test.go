//go:build unix

package lock

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/boathook/boathook/internal/ownfile"
)

func TestALinkIsNoLock(t *testing.T) {
	dir := t.TempDir()
	target, path := filepath.Join(dir, "target"), filepath.Join(dir, "lock")
	for _, content := range []string{"mine", ""} {
		_ = os.Remove(target)
		_ = os.Remove(path)
		if content != "" {
			must(t, os.WriteFile(target, []byte(content), 0o600))
		}
		must(t, os.Symlink(target, path))
		if _, err := TryLock(path); !errors.Is(err, ownfile.ErrForeign) {
			t.Errorf("locked a link: %v", err)
		}
		if Held(path) {
			t.Error("a link is held")
		}
		if b, err := os.ReadFile(target); string(b) != content || (err == nil) != (content != "") {
			t.Errorf("the target is %q, %v", b, err)
		}
	}
}

// TestProbesDoNotWait: a FIFO without a writer would stop whoever opens it.
func TestProbesDoNotWait(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	must(t, unix.Mkfifo(path, 0o600))
	if Held(path) {
		t.Error("a FIFO is held")
	}
	if pid, _ := Holder(path); pid != 0 {
		t.Errorf("holder %d", pid)
	}
	if _, err := TryLock(path); !errors.Is(err, ownfile.ErrForeign) {
		t.Errorf("locked a FIFO: %v", err)
	}
}

// TestContentThatIsNoProcessIDStays: a hard link makes any file a lock file.
func TestContentThatIsNoProcessIDStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	text := strings.Repeat("precious ", 10)
	must(t, os.WriteFile(path, []byte(text), 0o600))
	l, err := TryLock(path)
	must(t, err)
	must(t, l.Unlock())
	if b, err := os.ReadFile(path); err != nil || string(b) != text {
		t.Errorf("the file is %q, %v", b, err)
	}
}

func TestLockUnderAnyUmask(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	old := unix.Umask(0o777)
	l, err := TryLock(path)
	unix.Umask(old)
	must(t, err)
	defer func() { _ = l.Unlock() }()
	if fi, err := os.Stat(path); err != nil || fi.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", fi.Mode(), err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
