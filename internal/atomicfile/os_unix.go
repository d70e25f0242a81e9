//go:build unix

package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// Rename moves from to to, replacing what is there.
func Rename(from, to string) error {
	return os.Rename(from, to)
}

// SyncDir makes renames within dir survive a loss of power, where the file system can do that for a directory.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.EBADF) {
		return nil
	}
	return err
}

// keepOwner gives f the owner and the group of old, and tells whether it has the group. The owner matters when root edits a
// user's file, and only root can give it, so that a refusal is no error.
func keepOwner(f *os.File, old fs.FileInfo) (sameGroup bool) {
	st, ok := old.Sys().(*syscall.Stat_t)
	if !ok {
		return true
	}
	if f.Chown(int(st.Uid), int(st.Gid)) == nil {
		return true
	}
	_ = f.Chown(-1, int(st.Gid)) // one of the user's own groups
	now, err := f.Stat()
	if err != nil {
		return false
	}
	have, ok := now.Sys().(*syscall.Stat_t)
	return ok && have.Gid == st.Gid
}
