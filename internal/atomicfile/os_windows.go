package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// renameTries and renameWait bound the wait for a virus scanner or an indexer to let go of the target: about 2 s.
const (
	renameTries = 20
	renameWait  = 10 * time.Millisecond
)

// Rename moves from to to, replacing what is there. It retries while another process has the target open.
func Rename(from, to string) error {
	var err error
	for i := range renameTries {
		err = os.Rename(from, to)
		if !errors.Is(err, windows.ERROR_ACCESS_DENIED) && !errors.Is(err, windows.ERROR_SHARING_VIOLATION) {
			return err
		}
		time.Sleep(time.Duration(i+1) * renameWait)
	}
	return err
}

// SyncDir does nothing: NTFS journals renames, and a directory can't be flushed.
func SyncDir(string) error { return nil }

// keepOwner does nothing: a new file takes the directory's access list.
func keepOwner(*os.File, fs.FileInfo) (sameGroup bool) { return true }
