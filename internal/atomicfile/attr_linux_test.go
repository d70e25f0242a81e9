package atomicfile

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// Whom an access list lets in is let in afterwards, and nobody else.
func TestWriteKeepsAttributes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	must(t, os.WriteFile(path, nil, 0o600))
	var list bytes.Buffer
	const some = 1234
	for _, part := range []any{uint32(2), entry(1, 6, -1), entry(2, 6, some), entry(4, 0, -1), entry(16, 6, -1), entry(32, 0, -1)} {
		must(t, binary.Write(&list, binary.LittleEndian, part))
	}
	want := map[string]string{acl: list.String(), "user.note": "mine"}
	for name, value := range want {
		if err := syscall.Setxattr(path, name, []byte(value), 0); err != nil {
			t.Skipf("SKIPPED: no attributes here: %v", err)
		}
	}
	must(t, Write(path, []byte("x"), 0o600))
	wantMode(t, path, 0o660) // the group's bits are the list's mask
	for name, value := range want {
		got := make([]byte, 1024)
		n, err := syscall.Getxattr(path, name, got)
		if err != nil || string(got[:n]) != value {
			t.Errorf("%s is %q (%v)", name, got[:max(n, 0)], err)
		}
	}
}

type aclEntry struct {
	Tag, Perm uint16
	ID        uint32
}

func entry(tag, perm uint16, id int) aclEntry { return aclEntry{tag, perm, uint32(id)} }

// A group that the user is not in can't be given to the new file: its own group gets no more than everybody.
func TestWriteGivesNoOtherGroupMore(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("SKIPPED: only root can make such a file")
	}
	const user, group = 1234, 4321
	dir := t.TempDir()
	must(t, os.Chmod(filepath.Dir(dir), 0o755))
	for mode, want := range map[os.FileMode]os.FileMode{0o660: 0o600, 0o664: 0o644, 0o640: 0o600, 0o644: 0o644} {
		path := filepath.Join(dir, mode.String())
		must(t, os.WriteFile(path, nil, 0o600))
		must(t, os.Chmod(path, mode))
		must(t, os.Chown(path, user, group))
		must(t, os.Chown(dir, user, user))
		failed := make(chan error)
		go func() {
			runtime.LockOSThread() // the thread ends with this: its identity is no other's
			err := unix.Setfsgid(user)
			if err == nil {
				err = unix.Setfsuid(user)
			}
			if err == nil {
				err = replace(path, []byte("x"), 0o600, false)
			}
			failed <- err
		}()
		must(t, <-failed)
		wantMode(t, path, want)
	}
}
