package netfstest

import (
	"encoding/binary"
	"fmt"
	"syscall"
	"testing"
)

// Hang mounts a filesystem of this kind, like fuse.sshfs, that nobody serves: whoever asks it waits until a signal, or until
// the test ends. It skips the test where that can't be.
func Hang(tb testing.TB, dir, kind string) {
	tb.Helper()
	fd := mount(tb, dir, kind)
	tb.Cleanup(func() {
		_ = syscall.Close(fd) // what still waits fails
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			tb.Errorf("unmount %s: %v", dir, err)
		}
	})
}

// HangServed is Hang with a server that has taken the mount on and then says nothing: whoever asks it can't even be killed.
func HangServed(tb testing.TB, dir, kind string) {
	tb.Helper()
	fd := mount(tb, dir, kind)
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
	tb.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_FORCE|syscall.MNT_DETACH); err != nil { // what waits fails, the server's read too
			tb.Errorf("unmount %s: %v", dir, err)
		}
		<-served
		_ = syscall.Close(fd)
	})
}

// mount gives what the filesystem's server would read.
func mount(tb testing.TB, dir, kind string) (fd int) {
	tb.Helper()
	fd, err := syscall.Open("/dev/fuse", syscall.O_RDWR|syscall.O_CLOEXEC, 0)
	if err != nil {
		tb.Skipf("SKIPPED LOUDLY: a server that hangs needs /dev/fuse: %v", err)
	}
	if err := syscall.Mount("hang", dir, kind, 0, fmt.Sprintf("fd=%d,rootmode=40000,user_id=0,group_id=0", fd)); err != nil {
		_ = syscall.Close(fd)
		tb.Skipf("SKIPPED LOUDLY: mounting needs privileges that are missing: %v", err)
	}
	return fd
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
