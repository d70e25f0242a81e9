//go:build unix

package spool

import (
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// writeFile makes a new file with b in it: three system calls. os.File would register the descriptor with the poller,
// which costs a hook as much again. The file is gone if anything fails.
func writeFile(path string, b []byte, sync bool) error {
	fd, err := openRetry(path, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW|unix.O_CLOEXEC)
	if err != nil {
		return &os.PathError{Op: "create", Path: path, Err: err}
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

// readOwn reads a file of this user of at most limit bytes. O_NONBLOCK keeps a FIFO from blocking the open.
func readOwn(path string, limit int64) ([]byte, error) {
	fd, err := openRetry(path, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC)
	switch {
	case errors.Is(err, unix.ELOOP), errors.Is(err, unix.EMLINK), errors.Is(err, unix.ENXIO), errors.Is(err, unix.ENODEV):
		return nil, ErrForeign // a link, a socket, a device without a driver
	case errors.Is(err, unix.EACCES):
		return nil, ErrUnreadable
	case err != nil:
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	f := os.NewFile(uintptr(fd), path)
	defer f.Close()
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return nil, err
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG || int(st.Uid) != os.Geteuid() {
		return nil, ErrForeign
	}
	return readBounded(f, st.Size, limit)
}

func readBounded(f io.Reader, size, limit int64) ([]byte, error) {
	if size > limit {
		return nil, fmt.Errorf("%d bytes: %w", size, ErrTooBig)
	}
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(b)) > limit {
		return nil, ErrTooBig
	}
	return b, nil
}

func openRetry(path string, flags int) (int, error) {
	for {
		fd, err := unix.Open(path, flags, 0o600)
		if err != unix.EINTR {
			return fd, err
		}
	}
}
