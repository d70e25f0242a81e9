package lock

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockedByte is one byte far behind the content: Windows locks are mandatory, and the process id must stay readable.
const lockedByte = 0x7fffffff

// acquire takes the lock on f, exclusive or shared, or returns ErrHeld at once.
func acquire(f *os.File, exclusive bool) error {
	var flags uint32 = windows.LOCKFILE_FAIL_IMMEDIATELY
	if exclusive {
		flags |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &windows.Overlapped{Offset: lockedByte})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return ErrHeld
	}
	return err
}

func release(f *os.File) {
	_ = windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, &windows.Overlapped{Offset: lockedByte})
}
