package netfs

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
)

const mounts = `22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
23 22 0:21 / /home rw shared:2 - nfs4 server:/home rw,vers=4.2
24 23 0:22 / /home/u/my\040disk rw - ext4 /dev/sdb1 rw
25 22 0:23 / /mnt/s rw master:3 propagate_from:2 - fuse.sshfs me@host:/ rw
26 22 0:24 / /over rw - nfs server:/a rw
27 26 0:25 / /over rw - tmpfs tmpfs rw
28 22 0:26 / /odd\134name rw - cifs //server/share rw
broken line
29 22 0:27 / /short
`

func TestMountKind(t *testing.T) {
	for path, want := range map[string]string{
		"/": "ext4", "/etc": "ext4", "/home": "nfs4", "/home/u/.local": "nfs4", "/homes": "ext4", "/home/u/my disk/data": "ext4",
		"/mnt/s/x": "fuse.sshfs", "/over/x": "tmpfs", `/odd\name/x`: "cifs", "/short": "ext4",
	} {
		if got := mountKind(mounts, path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

func FuzzMountKind(f *testing.F) {
	f.Add(mounts, "/home/u")
	f.Add(`1 1 0:1 / /\04 - x`, "/")
	f.Fuzz(func(t *testing.T, table, path string) {
		if kind := mountKind(table, path); !strings.Contains(table, kind) {
			t.Fatalf("%q is in no line", kind)
		}
		if len(unescape(path)) > len(path) {
			t.Fatalf("%q grows", path)
		}
	})
}

// TestAFilesystemThatHangs: nobody serves it, so that every question to it waits; the mount table knows what it is.
func TestAFilesystemThatHangs(t *testing.T) {
	for kind, want := range map[string]bool{"fuse.sshfs": true, "fuse.ntfs": false} {
		dir := t.TempDir()
		hang(t, dir, kind)
		if got := network(dir + "/data"); got != want {
			t.Errorf("%s: network %v", kind, got)
		}
	}
}

func hang(t *testing.T, dir, kind string) {
	t.Helper()
	fd, err := syscall.Open("/dev/fuse", syscall.O_RDWR|syscall.O_CLOEXEC, 0)
	if err != nil {
		t.Skipf("SKIPPED LOUDLY: a disk that hangs needs /dev/fuse: %v", err)
	}
	if err := syscall.Mount("hang", dir, kind, 0, fmt.Sprintf("fd=%d,rootmode=40000,user_id=0,group_id=0", fd)); err != nil {
		_ = syscall.Close(fd)
		t.Skipf("SKIPPED LOUDLY: mounting needs privileges that are missing: %v", err)
	}
	t.Cleanup(func() {
		_ = syscall.Close(fd) // what still waits fails
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Errorf("unmount %s: %v", dir, err)
		}
	})
}
