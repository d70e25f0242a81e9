package hookrun

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/boathook/boathook/internal/netfs"
)

// TestDataOnANetworkFilesystem: the record is kept on this machine, also where the server does not answer, and the worker
// is sent there.
func TestDataOnANetworkFilesystem(t *testing.T) {
	l := newLab(t, "")
	remote := l.data
	must(t, os.Mkdir(remote, 0o700))
	fd, err := syscall.Open("/dev/fuse", syscall.O_RDWR|syscall.O_CLOEXEC, 0)
	if err != nil {
		t.Skipf("SKIPPED LOUDLY: a server that hangs needs /dev/fuse: %v", err)
	}
	if err := syscall.Mount("hang", remote, "fuse.sshfs", 0, fmt.Sprintf("fd=%d,rootmode=40000,user_id=0,group_id=0", fd)); err != nil {
		_ = syscall.Close(fd)
		t.Skipf("SKIPPED LOUDLY: mounting needs privileges that are missing: %v", err)
	}
	t.Cleanup(func() {
		_ = syscall.Close(fd) // what still waits fails
		if err := syscall.Unmount(remote, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	local, moved := netfs.Local("", remote)
	if !moved {
		t.Skip("SKIPPED LOUDLY: this machine has no local place")
	}
	t.Cleanup(func() { _ = os.RemoveAll(local) })
	if out, err := l.process("SessionStart", true).CombinedOutput(); err != nil || string(out) != "{}\n" {
		t.Fatalf("%q, %v", out, err)
	}
	l.data = local
	l.only(t)
	if seen := l.seen(t, "worker"); !strings.Contains(seen[0], "--data "+local) {
		t.Errorf("the worker is called as %q", seen[0])
	}
	if info, err := os.Stat(local); err != nil || info.Mode().Perm() != 0o700 || filepath.Dir(local) != "/var/tmp" {
		t.Errorf("%s: %v, %v", local, info, err)
	}
}
