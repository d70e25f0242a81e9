package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/boathook/boathook/internal/memory"
)

// ErrCorrupt says that the file is no database, or a damaged one.
var ErrCorrupt = errors.New("memory is corrupt")

// classify marks SQLite's errors as what the caller has to tell apart. The result wraps both.
func classify(err error) error {
	switch {
	case err == nil, errors.Is(err, memory.ErrPoison), errors.Is(err, memory.ErrNewer):
		return err
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, sqlite3.CORRUPT), errors.Is(err, sqlite3.NOTADB), errors.Is(err, sqlite3.CANTOPEN_ISDIR):
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	case errors.Is(err, sqlite3.TOOBIG), errors.Is(err, sqlite3.CONSTRAINT), errors.Is(err, sqlite3.MISMATCH):
		return fmt.Errorf("%w: %w", memory.ErrPoison, err)
	case errors.Is(err, sqlite3.BUSY), errors.Is(err, sqlite3.FULL), errors.Is(err, sqlite3.IOERR), errors.Is(err, sqlite3.CANTOPEN),
		errors.Is(err, sqlite3.LOCKED), errors.Is(err, sqlite3.NOMEM):
		return fmt.Errorf("%w: %w", memory.ErrUnavailable, err)
	}
	return err
}

// MoveAside renames a corrupt file, so that a new one can be made in its place and nothing of the old is lost. The write-ahead log goes
// first: left behind, SQLite would replay it into the new file. Nobody has it open.
func MoveAside(path string, now time.Time) (to string, err error) {
	to = path + ".corrupt-" + now.UTC().Format("20060102T150405.000000000Z")
	for _, suffix := range []string{"-wal", "-shm", ""} {
		if err := os.Rename(path+suffix, to+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("move corrupt memory %s aside: %w", path, err)
		}
	}
	return to, nil
}
