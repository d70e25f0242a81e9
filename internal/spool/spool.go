// Package spool is a queue of files between the hooks, which append, and the worker, which drains. One event is one file,
// written aside and renamed, so that a reader sees whole events only and writers need no lock. Many processes may append
// at once; Read, Done, Quarantine and TakeDropped are the worker's, under the worker's lock. It must not import
// database/sql or net/http.
//
//	tmp/<id>.json   being written
//	new/<id>.json   an event that waits for the worker
//	bad/<id>.json   a file that is no event, with a .reason beside it
//	dropped         what the disk cap removed: "<id> <bytes>" per line
//	failed          how many events could not be appended
//	quarantined     how many files were put into bad/
package spool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/boathook/boathook/internal/atomicfile"
	"github.com/boathook/boathook/internal/ownfile"
)

// MaxRecord is the largest event that Append and Read take.
const MaxRecord = 64 << 20

// suffix ends the name of every event's file.
const suffix = ".json"

// Why a file can't be an event, whatever is tried: the caller should quarantine it. Any other error of Read is the
// system's and may pass.
var (
	ErrForeign    = ownfile.ErrForeign
	ErrTooBig     = errors.New("larger than a record may be")
	ErrUnreadable = errors.New("not readable by its owner")
)

// ErrID says that an event's id or a file's name isn't a ULID, so that it can't be a path either.
var ErrID = errors.New("not a ULID")

// Spool is the queue in Dir. The zero MaxBytes means no cap.
type Spool struct {
	Dir      string
	MaxBytes int64
	// Fsync makes Append return only when the event would survive a loss of power.
	Fsync bool
	// Now is the clock against which temporary files age; nil is the system's.
	Now func() time.Time
}

// Append adds one event. It creates the directories when they are missing, and leaves nothing behind when it fails.
func (s Spool) Append(id string, b []byte) error {
	if !isULID(id) {
		return fmt.Errorf("append event %q: %w", id, ErrID)
	}
	if len(b) > MaxRecord {
		return fmt.Errorf("append event %s of %d bytes: %w", id, len(b), ErrTooBig)
	}
	err := s.straight("tmp", "new")
	if err == nil {
		err = s.append(id+suffix, b)
	}
	if errors.Is(err, fs.ErrNotExist) {
		// The first event of this directory, or somebody cleaned up while the file was on its way.
		if err = s.makeDirs(); err == nil {
			err = s.append(id+suffix, b)
		}
	}
	if err != nil {
		return fmt.Errorf("append event %s: %w", id, err)
	}
	return nil
}

func (s Spool) append(name string, b []byte) error {
	tmp, to := s.path("tmp", name), s.path("new", name)
	if err := writeFile(tmp, b, s.Fsync); err != nil {
		return err
	}
	if err := atomicfile.Rename(tmp, to); err != nil {
		_ = os.Remove(tmp)
		return err
	}
	if s.Fsync {
		return atomicfile.SyncDir(s.path("new", ""))
	}
	return nil
}

// Pending lists the events that wait, in the order of their ids. What isn't named like an event is left alone.
func (s Spool) Pending() ([]string, error) {
	names, err := s.list("new")
	if err != nil {
		return nil, fmt.Errorf("list spool %s: %w", s.Dir, err)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !isEventName(name) })
	slices.Sort(names)
	return names, nil
}

// Read returns one event's bytes. It opens nothing but a regular file of this user, never through a link.
func (s Spool) Read(name string) ([]byte, error) {
	if !isEventName(name) {
		return nil, fmt.Errorf("read event %q: %w", name, ErrID)
	}
	b, err := readOwn(s.path("new", name), MaxRecord)
	if err != nil {
		return nil, fmt.Errorf("read event %s: %w", name, err)
	}
	return b, nil
}

// Done removes an event that is stored. It is no error when the file is gone already.
func (s Spool) Done(name string) error {
	if !isEventName(name) {
		return fmt.Errorf("remove event %q: %w", name, ErrID)
	}
	if err := os.Remove(s.path("new", name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove event %s: %w", name, err)
	}
	return nil
}

// Usage counts the files that wait, their bytes, and when the oldest was written.
func (s Spool) Usage() (files int, bytes int64, oldest time.Time, err error) {
	waiting, err := s.waiting()
	if err != nil {
		return 0, 0, time.Time{}, err
	}
	for _, w := range waiting {
		files++
		bytes += w.size
		if oldest.IsZero() || w.modified.Before(oldest) {
			oldest = w.modified
		}
	}
	return files, bytes, oldest, nil
}

// entry is a waiting file.
type entry struct {
	name     string
	size     int64
	modified time.Time
}

// waiting is Pending with sizes. Files that the worker finishes meanwhile are left out.
func (s Spool) waiting() ([]entry, error) {
	names, err := s.Pending()
	if err != nil {
		return nil, err
	}
	out := make([]entry, 0, len(names))
	for _, name := range names {
		fi, err := os.Lstat(s.path("new", name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("stat event %s: %w", name, err)
		}
		out = append(out, entry{name: name, size: fi.Size(), modified: fi.ModTime()})
	}
	return out, nil
}

func (s Spool) makeDirs() error {
	if err := ownfile.MakeRecorded(filepath.Dir(s.Dir)); err != nil {
		return err
	}
	for _, sub := range []string{"tmp", "new"} {
		if err := ownfile.MkdirAll(s.path(sub, "")); err != nil {
			return err
		}
	}
	// Both are needed when the disk is full, where no file can be made. That one of them is in a bad state is no reason to
	// lose the event.
	if f, err := ownfile.Open(s.path("", lockName), os.O_WRONLY|os.O_CREATE); err == nil {
		_ = f.Close()
	}
	_, _ = s.total(failedName)
	if !s.Fsync {
		return nil
	}
	if err := atomicfile.SyncDir(s.Dir); err != nil {
		return err
	}
	return atomicfile.SyncDir(filepath.Dir(s.Dir))
}

func (s Spool) path(sub, name string) string {
	return filepath.Join(s.Dir, sub, name)
}

func (s Spool) now() time.Time {
	if s.Now == nil {
		return time.Now()
	}
	return s.Now()
}
