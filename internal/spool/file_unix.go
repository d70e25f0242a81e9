//go:build unix

package spool

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// writeFile makes a new file with b in it: four system calls. os.File would register the descriptor with the poller,
// which costs a hook as much again. The file is gone if anything fails.
func writeFile(path string, b []byte, sync bool) error {
	fd, err := openRetry(path, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW|unix.O_CLOEXEC)
	if err != nil {
		return &os.PathError{Op: "create", Path: path, Err: err}
	}
	var st unix.Stat_t
	if unix.Fstat(fd, &st) == nil && st.Mode&0o600 != 0o600 {
		_ = unix.Fchmod(fd, 0o600) // the umask took it: the worker could not read the file
	}
	err = writeAll(fd, b)
	if err == nil && sync {
		err = unix.Fsync(fd)
	}
	// Some file systems report a full disk or quota only here.
	if cerr := unix.Close(fd); err == nil && cerr != unix.EINTR {
		err = cerr
	}
	if err != nil {
		_ = unix.Unlink(path)
		return &os.PathError{Op: "write", Path: path, Err: err}
	}
	return nil
}

func writeAll(fd int, b []byte) error {
	for len(b) > 0 {
		n, err := unix.Write(fd, b)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return err
		case n == 0:
			return io.ErrShortWrite
		default:
			b = b[n:]
		}
	}
	return nil
}

func openRetry(path string, flags int) (int, error) {
	for {
		fd, err := unix.Open(path, flags, 0o600)
		if err != unix.EINTR {
			return fd, err
		}
	}
}
