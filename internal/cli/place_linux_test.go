package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/boathook/boathook/internal/netfs"
)

// TestWhoIsToldItsDataLooksAtNoOther: a worker of data that were moved does not ask the server that they were moved from.
func TestWhoIsToldItsDataLooksAtNoOther(t *testing.T) {
	home, hung := t.TempDir(), t.TempDir()
	fd, err := syscall.Open("/dev/fuse", syscall.O_RDWR|syscall.O_CLOEXEC, 0)
	if err != nil {
		t.Skipf("SKIPPED LOUDLY: a server that hangs needs /dev/fuse: %v", err)
	}
	if err := syscall.Mount("hang", hung, "fuse.sshfs", 0, fmt.Sprintf("fd=%d,rootmode=40000,user_id=0,group_id=0", fd)); err != nil {
		_ = syscall.Close(fd)
		t.Skipf("SKIPPED LOUDLY: mounting needs privileges that are missing: %v", err)
	}
	t.Cleanup(func() {
		_ = syscall.Close(fd) // what still waits fails
		if err := syscall.Unmount(hung, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	config, other := filepath.Join(home, "config.toml"), t.TempDir()
	if err := os.WriteFile(config, []byte("data_dir = '"+hung+"/data'\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	env := testEnv(home)
	told := place{data: other, config: config}
	if dir, s, err := told.find(env); err != nil || dir != other || s.DataDir != hung+"/data" || s.DataDirMoved != "" {
		t.Errorf("told: %s, %q moved from %q, %v", dir, s.DataDir, s.DataDirMoved, err)
	}
	if netfs.Remote("/var/tmp") {
		t.Skip("SKIPPED LOUDLY: this machine has no local place")
	}
	asks := place{config: config}
	if dir, s, err := asks.find(env); err != nil || !netfs.IsLocal(dir) || s.DataDirMoved != hung+"/data" {
		t.Errorf("asks: %s, moved from %q, %v", dir, s.DataDirMoved, err)
	}
}
