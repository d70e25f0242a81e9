//go:build unix

package wake

import (
	"os"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// passed names the variables that the worker gets.
func passed() []string { return []string{"PATH", "HOME", "LANG", "TMPDIR"} }

// startDetached starts argv in a session of its own, without a terminal, with nothing but /dev/null open. It doesn't go
// through package os, which would first fork a process to learn what the kernel's pidfds can do. Hardly anybody waits for
// it: ended does.
func startDetached(exe string, argv []string, dir string, env []string) (ended func(), err error) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer null.Close()
	fd := null.Fd()
	pid, _, err := syscall.StartProcess(exe, argv, &syscall.ProcAttr{
		Dir: dir, Env: env, Files: []uintptr{fd, fd, fd}, Sys: &syscall.SysProcAttr{Setsid: true},
	})
	if err != nil {
		return nil, &os.PathError{Op: "exec", Path: exe, Err: err}
	}
	return func() {
		for {
			if _, err := syscall.Wait4(pid, nil, 0, nil); err != syscall.EINTR {
				return
			}
		}
	}, nil
}

// sealDescriptors keeps what the agent left open for the hook from the worker: a pipe that a worker inherits never ends
// for its reader, and the agent would wait for the worker instead of the hook.
func sealDescriptors() {
	if !closeRange() {
		sealEach()
	}
}

func sealEach() {
	d, err := os.Open("/dev/fd")
	if err != nil {
		return
	}
	defer d.Close()
	names, _ := d.Readdirnames(-1)
	for _, name := range names {
		if fd, err := strconv.Atoi(name); err == nil && fd >= 3 {
			unix.CloseOnExec(fd)
		}
	}
}

func setTime(path string, now time.Time) error {
	at := unix.NsecToTimespec(now.UnixNano())
	err := unix.UtimesNanoAt(unix.AT_FDCWD, path, []unix.Timespec{at, at}, unix.AT_SYMLINK_NOFOLLOW)
	if err != nil {
		return &os.PathError{Op: "set time of", Path: path, Err: err}
	}
	return nil
}
