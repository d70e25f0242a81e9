package hookrun

import (
	"encoding/binary"
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

// TestAServerThatStopsAnswering: it has taken the mount on, so that who asks it anything can't even be killed. Neither the
// data nor the session's directory are asked for, and the process ends.
func TestAServerThatStopsAnswering(t *testing.T) {
	hung := t.TempDir()
	fd, err := syscall.Open("/dev/fuse", syscall.O_RDWR|syscall.O_CLOEXEC, 0)
	if err != nil {
		t.Skipf("SKIPPED LOUDLY: a server that hangs needs /dev/fuse: %v", err)
	}
	if err := syscall.Mount("hang", hung, "fuse.sshfs", 0, fmt.Sprintf("fd=%d,rootmode=40000,user_id=0,group_id=0", fd)); err != nil {
		_ = syscall.Close(fd)
		t.Skipf("SKIPPED LOUDLY: mounting needs privileges that are missing: %v", err)
	}
	served := make(chan struct{})
	go func() { // takes what is asked, and says nothing to it
		defer close(served)
		request := make([]byte, 1<<17)
		for n, err := syscall.Read(fd, request); err == nil; n, err = syscall.Read(fd, request) {
			if n >= 16 && binary.NativeEndian.Uint32(request[4:]) == 26 { // FUSE_INIT
				_, _ = syscall.Write(fd, initReply(request))
			}
		}
	}()
	t.Cleanup(func() {
		if err := syscall.Unmount(hung, syscall.MNT_FORCE|syscall.MNT_DETACH); err != nil { // what waits fails, the server's read too
			t.Error(err)
		}
		<-served
		_ = syscall.Close(fd)
	})
	for name, tc := range map[string]struct{ data, settings, payload, note string }{
		"the data":              {filepath.Join(hung, "data"), "", `{}`, ""},
		"the session":           {"", "", `{"cwd":"` + hung + `/w/x"}`, "it is on fuse.sshfs"},
		"a project that is off": {"", "[off]\nprojects = ['" + hung + "/other']\n", `{"cwd":"` + hung + `/w"}`, "it is on fuse.sshfs"},
	} {
		l := newLab(t, tc.settings)
		if tc.data != "" {
			must(t, os.WriteFile(l.config, []byte("data_dir = '"+tc.data+"'\n"), 0o600))
			if netfs.Remote("/var/tmp") {
				t.Log("SKIPPED LOUDLY: this machine has no local place")
				continue
			}
			local, moved := netfs.Local(l.config, tc.data)
			if !moved {
				t.Errorf("%s: it stays on the network", name)
				continue
			}
			l.data = local
			t.Cleanup(func() { _ = os.RemoveAll(local) })
		}
		if got := ends(t, l, "SessionStart", tc.payload); got != "{}\n" {
			t.Errorf("%s: %q", name, got)
		}
		if all := l.records(t); len(all) != 1 || tc.note != "" && !strings.Contains(strings.Join(all[0].Notes, "\n"), tc.note) {
			t.Errorf("%s: %+v", name, all)
		}
		l.seen(t, "worker")
	}
}

func initReply(request []byte) []byte {
	reply := make([]byte, 16+24)
	binary.NativeEndian.PutUint32(reply, uint32(len(reply)))
	copy(reply[8:16], request[8:16])                // whose answer it is
	binary.NativeEndian.PutUint32(reply[16:], 7)    // version 7.22
	binary.NativeEndian.PutUint32(reply[20:], 22)   // whose answer to INIT has this length
	binary.NativeEndian.PutUint32(reply[36:], 4096) // the largest write
	return reply
}
