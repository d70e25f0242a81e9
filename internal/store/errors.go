package store

import (
	"errors"
	"fmt"

	"github.com/ncruces/go-sqlite3"
)

// What the caller must tell apart. Every other error is the system's, such as a full disk or a lock, and may pass.
var (
	// ErrCorrupt says that the file is no database, or a damaged one.
	ErrCorrupt = errors.New("store is corrupt")
	// ErrRejected says that a row can't be stored, however often it is tried.
	ErrRejected = errors.New("row can't be stored")
)

// classify marks SQLite's errors. The result wraps both.
func classify(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, sqlite3.CORRUPT), errors.Is(err, sqlite3.NOTADB), errors.Is(err, sqlite3.CANTOPEN_ISDIR):
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	case errors.Is(err, sqlite3.TOOBIG), errors.Is(err, sqlite3.CONSTRAINT), errors.Is(err, sqlite3.MISMATCH):
		return fmt.Errorf("%w: %w", ErrRejected, err)
	}
	return err
}
