package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// MoveAside renames a corrupt store, so that a new one can be made in its place and nothing of the old is lost. The
// write-ahead log goes first: left behind, SQLite would replay it into the new file. The caller has closed the store.
func MoveAside(path string, now time.Time) (to string, err error) {
	to = path + ".corrupt-" + now.UTC().Format("20060102T150405.000000000Z")
	for _, suffix := range []string{"-wal", "-shm", ""} {
		if err := os.Rename(path+suffix, to+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("move corrupt store %s aside: %w", path, err)
		}
	}
	return to, nil
}
