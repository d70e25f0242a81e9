//go:build unix

package install

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// owner is the user id that a file belongs to.
func owner(info fs.FileInfo) (int, bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(st.Uid), true
}

// terminate asks a process to end.
func terminate(pid int) error {
	return syscall.Kill(pid, syscall.SIGTERM)
}

// lockDir takes an advisory lock on a directory. It takes none, without an error, where there can be none.
func lockDir(dir string) (unlock func(), err error) {
	f, err := os.Open(dir)
	if err != nil {
		return func() {}, nil
	}
	for range lockTries {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return func() { _ = f.Close() }, nil
		}
		time.Sleep(lockPause)
	}
	_ = f.Close()
	return nil, err
}

// mayWrite tells why names in a directory can't be changed.
func mayWrite(dir string) error {
	const write, search = 2, 1
	return syscall.Access(dir, write|search)
}

// mayReplace tells why a file can't be replaced, whatever its mode and its directory say: it is immutable, say.
func mayReplace(path string) error {
	const write = 2
	if err := syscall.Access(path, write); errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EROFS) {
		return err
	}
	return nil
}
