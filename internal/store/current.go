package store

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"sync"
)

// logFile is the write-ahead log that the store writes to. It stays as long as the store is open.
type logFile struct {
	mu   sync.Mutex
	file fs.FileInfo
}

// current tells whether the path still names the log that was there when it was first asked.
func (l *logFile) current(path string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	fi, err := os.Lstat(path)
	if l.file == nil {
		if err == nil {
			l.file = fi
		}
		return true
	}
	return err == nil && os.SameFile(fi, l.file)
}

// forget is for when another one may have been made in order.
func (l *logFile) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.file = nil
}

// Current reports whether the store's path still names the file that was opened, and its log. It is false after somebody
// removed or replaced one of them: what is inserted then is lost with it.
func (s *Store) Current() bool {
	fi, err := os.Lstat(s.path)
	return err == nil && os.SameFile(fi, s.file) && s.log.current(s.path+"-wal")
}

// Checkpoint copies what the log has into the file.
func (s *Store) Checkpoint(ctx context.Context) error {
	if _, err := s.db.ExecContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)"); err != nil {
		return fmt.Errorf("fold the log into %s: %w", s.path, classify(err))
	}
	return nil
}
