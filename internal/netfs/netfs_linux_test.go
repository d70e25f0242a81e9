package netfs

import (
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/netfs/netfstest"
)

const mounts = `22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
23 22 0:21 / /home rw shared:2 - nfs4 server:/home rw,vers=4.2
24 23 0:22 / /home/u/my\040disk rw - ext4 /dev/sdb1 rw
25 22 0:23 / /mnt/s rw master:3 propagate_from:2 - fuse.sshfs me@host:/ rw
26 22 0:24 / /over rw - nfs server:/a rw
27 26 0:25 / /over rw - tmpfs tmpfs rw
28 22 0:26 / /odd\134name rw - cifs //server/share rw
29 25 0:28 / /mnt/s/in rw - tmpfs tmpfs rw
broken line
29 22 0:27 / /short
`

func TestKinds(t *testing.T) {
	for path, want := range map[string]string{
		"/": "ext4", "/etc": "ext4", "/home": "ext4 nfs4", "/home/u/.local": "ext4 nfs4", "/homes": "ext4",
		"/home/u/my disk/data": "ext4 nfs4 ext4", "/mnt/s/x": "ext4 fuse.sshfs", "/mnt/s/../s/x/": "ext4 fuse.sshfs",
		"/over/x": "ext4 tmpfs", `/odd\name/x`: "ext4 cifs", "/short": "ext4", "/mnt/s/in/x": "ext4 fuse.sshfs tmpfs",
	} {
		if diff := cmp.Diff(want, strings.Join(Mounts{mounts}.kinds(path), " ")); diff != "" {
			t.Errorf("%s:%s", path, diff)
		}
	}
}

// TestFarAndStuck: what is another machine's, and what nobody may look at lest it waits for ever.
func TestFarAndStuck(t *testing.T) {
	for kind, want := range map[string][2]bool{ // far, stuck
		"ext4": {}, "btrfs": {}, "tmpfs": {}, "overlay": {}, "autofs": {}, "fuseblk": {}, "fuse.fuse-overlayfs": {}, "fuse.gocryptfs": {},
		"nfs4": {true, false}, "cifs": {true, false}, "9p": {true, false}, "virtiofs": {true, false}, "fuse.grpcfuse": {true, false},
		"fuse": {true, true}, "fuse.sshfs": {true, true}, "fuse.anything": {true, true}, "lustre": {true, true},
	} {
		m := Mounts{"1 0 0:1 / / rw - ext4 /dev/sda rw\n2 1 0:2 / /m rw - " + kind + " src rw\n3 2 0:3 / /m/disk rw - ext4 /dev/sdb rw\n"}
		if got := [2]bool{m.Far("/m/data"), m.Stuck("/m/data") == kind}; got != want {
			t.Errorf("%s: %v, want %v", kind, got, want)
		}
		if m.Far("/mm") || m.Stuck("/mm") != "" || m.Far("/m/disk/x") || (m.Stuck("/m/disk/x") == kind) != want[1] {
			t.Errorf("%s: others", kind)
		}
	}
}

func FuzzKinds(f *testing.F) {
	f.Add(mounts, "/home/u")
	f.Add(`1 1 0:1 / /\04 - x`, "/")
	f.Fuzz(func(t *testing.T, table, path string) {
		for _, kind := range (Mounts{table}).kinds(path) {
			if !strings.Contains(table, kind) {
				t.Fatalf("%q is in no line", kind)
			}
		}
		if len(unescape(path)) > len(path) {
			t.Fatalf("%q grows", path)
		}
	})
}

// TestAFilesystemThatHangs: nobody serves it, so that whoever asked it would wait.
func TestAFilesystemThatHangs(t *testing.T) {
	for kind, want := range map[string]bool{"fuse.sshfs": true, "fuse": true, "fuse.ntfs": false} {
		dir := t.TempDir()
		netfstest.Hang(t, dir, kind)
		if got := Remote(dir + "/data"); got != want {
			t.Errorf("%s: network %v", kind, got)
		}
		if !want {
			continue // Make waits, for the hook's own bound
		}
		local, moved, err := ReadMounts().Make("", dir+"/data")
		if again, _ := Local("", dir+"/data"); !moved || err != nil || again != local {
			t.Errorf("%s: moved to %s and %s, %v, %v", kind, local, again, moved, err)
		}
		must(t, syscall.Rmdir(local))
	}
}
