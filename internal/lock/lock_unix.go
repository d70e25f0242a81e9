//go:build unix

package lock

import (
	"os"

	"golang.org/x/sys/unix"
)

// acquire takes the lock on f, exclusive or shared, or returns ErrHeld at once.
func acquire(f *os.File, exclusive bool) error {
	how := unix.LOCK_SH
	if exclusive {
		how = unix.LOCK_EX
	}
	for {
		err := unix.Flock(int(f.Fd()), how|unix.LOCK_NB)
		switch err {
		case unix.EINTR:
		case unix.EWOULDBLOCK:
			return ErrHeld
		default:
			return err
		}
	}
}

func release(f *os.File) {
	_ = unix.Flock(int(f.Fd()), unix.LOCK_UN)
}
