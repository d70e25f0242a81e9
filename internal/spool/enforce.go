package spool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/ownfile"
)

// staleAfter is the age at which a temporary file belongs to a hook that was killed.
const staleAfter = time.Hour

// lockName is the file that serializes Enforce and TakeDropped.
const lockName = "enforce.lock"

// Enforce keeps the cap: when the waiting files exceed MaxBytes, the oldest are removed until they don't, and each is
// counted in the file "dropped". It also removes temporary files that killed hooks left. Any process may call it at any
// time; while another is at it, it does nothing.
func (s Spool) Enforce() (dropped int, err error) {
	if err := s.straight("tmp", "new"); err != nil {
		return 0, fmt.Errorf("enforce cap of spool %s: %w", s.Dir, err)
	}
	l, err := lock.TryLock(s.path("", lockName))
	if errors.Is(err, lock.ErrHeld) || errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("enforce cap of spool %s: %w", s.Dir, err)
	}
	defer func() { _ = l.Unlock() }()
	s.removeStale()
	if dropped, err = s.dropOldest(); err != nil {
		return dropped, fmt.Errorf("enforce cap of spool %s: %w", s.Dir, err)
	}
	return dropped, nil
}

func (s Spool) dropOldest() (dropped int, err error) {
	if s.MaxBytes <= 0 {
		return 0, nil
	}
	waiting, err := s.waiting()
	if err != nil {
		return 0, err
	}
	var total int64
	for _, w := range waiting {
		total += w.size
	}
	for _, w := range waiting {
		if total <= s.MaxBytes {
			break
		}
		done, err := s.drop(w)
		if err != nil {
			return dropped, err
		}
		if done {
			dropped++
		}
		total -= w.size
	}
	return dropped, nil
}

// drop counts first and removes then: after a crash in between, TakeDropped sees that the file is still there. On a full
// disk the line may not fit; then the removal comes first, since only that makes room.
func (s Spool) drop(w entry) (bool, error) {
	line := fmt.Sprintf("%s %d\n", strings.TrimSuffix(w.name, suffix), w.size)
	undo, cerr := s.appendDropped(line)
	err := os.Remove(s.path("new", w.name))
	if err != nil {
		undo()
		if errors.Is(err, fs.ErrNotExist) {
			return false, nil // the worker took it
		}
		return false, err
	}
	if cerr != nil {
		_, cerr = s.appendDropped(line)
	}
	return true, cerr
}

// appendDropped adds a whole line or nothing. The caller holds the lock, so that undo takes away that line and no other.
func (s Spool) appendDropped(line string) (undo func(), err error) {
	path := s.path("", droppedName)
	f, err := ownfile.Open(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND)
	if err != nil {
		return func() {}, err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return func() {}, err
	}
	undo = func() { _ = os.Truncate(path, fi.Size()) }
	if _, err := f.WriteString(line); err != nil {
		undo()
		return func() {}, err
	}
	return undo, nil
}

// removeStale removes what hooks left in tmp/ that were killed while they wrote.
func (s Spool) removeStale() {
	names, _ := s.list("tmp")
	for _, name := range names {
		path := filepath.Join(s.Dir, "tmp", name)
		if fi, err := os.Lstat(path); err == nil && s.now().Sub(fi.ModTime()) > staleAfter {
			_ = os.Remove(path)
		}
	}
}
