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

// keepOwner gives f the owner of old. It matters when root edits a user's file, and only root can do it, so that a
// refusal is no error.
func keepOwner(f *os.File, old fs.FileInfo) {
	if st, ok := old.Sys().(*syscall.Stat_t); ok {
		_ = f.Chown(int(st.Uid), int(st.Gid))
	}
}
