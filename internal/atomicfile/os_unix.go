//go:build unix

package atomicfile

import (
	"io/fs"
	"os"
	"syscall"
)

// Rename moves from to to, replacing what is there.
func Rename(from, to string) error {
	return os.Rename(from, to)
}

// SyncDir makes renames within dir survive a loss of power.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// keepOwner gives f the owner of old. It matters when root edits a user's file, and only root can do it, so that a
// refusal is no error.
func keepOwner(f *os.File, old fs.FileInfo) {
	if st, ok := old.Sys().(*syscall.Stat_t); ok {
		_ = f.Chown(int(st.Uid), int(st.Gid))
	}
}
