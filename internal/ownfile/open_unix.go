//go:build unix

package ownfile

import (
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// foreign are the errors of open for a link, a directory, a FIFO, a socket and a device.
var foreign = []error{unix.ELOOP, unix.EMLINK, unix.EISDIR, unix.ENXIO, unix.ENODEV}

// open does not wait for the other end of a FIFO.
func open(path string, flag int) (*os.File, error) { return openFor(path, flag, mine) }

func mine(st *unix.Stat_t) error {
	if int(st.Uid) != os.Geteuid() {
		return ErrForeign
	}
	return nil
}

// trusted takes this user's files, and for root also those of whoever owns what lies beside them; none that others may
// write.
func trusted(beside string) func(*unix.Stat_t) error {
	return func(st *unix.Stat_t) error {
		if err := mine(st); err != nil && (os.Geteuid() != 0 || int(st.Uid) != Acting(beside)) {
			return err
		}
		if st.Mode&0o022 != 0 {
			return ErrShared
		}
		return nil
	}
}

func openFor(path string, flag int, allowed func(*unix.Stat_t) error) (*os.File, error) {
	fd, err := openRetry(path, flag|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC)
	if slices.Contains(foreign, err) {
		return nil, ErrForeign
	}
	if err != nil {
		return nil, err
	}
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		_ = unix.Close(fd)
		return nil, err
	}
	err = ErrForeign
	if st.Mode&unix.S_IFMT == unix.S_IFREG {
		err = allowed(&st)
	}
	if err != nil {
		_ = unix.Close(fd)
		return nil, err
	}
	if flag&unix.O_CREAT != 0 && st.Mode&0o600 != 0o600 {
		_ = unix.Fchmod(fd, 0o600) // a umask took it, or a user, who may
	}
	_ = unix.SetNonblock(fd, false) // package os would hand it to the poller
	return os.NewFile(uintptr(fd), path), nil
}

func openRetry(path string, flags int) (int, error) {
	for {
		fd, err := unix.Open(path, flags, 0o600)
		if err != unix.EINTR {
			return fd, err
		}
	}
}
