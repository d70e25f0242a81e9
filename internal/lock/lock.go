// Package lock is an advisory lock on a file, held by at most one process and freed by the kernel when that process ends,
// however it ends. The worker holds one for its life; hooks probe it. The file is never unlinked, since two processes
// could then hold "the" lock on two files of one name. What is no lock file of this user is not touched. Of boathook it
// imports internal/ownfile alone.
package lock

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/ownfile"
)

// ErrHeld says that another process, or another Lock of this process, holds the lock.
var ErrHeld = errors.New("lock is held")

// Probes hold a shared lock for some microseconds; contenders that meet only probes try again this often.
const (
	tries   = 100
	tryWait = 2 * time.Millisecond
)

// Lock is a held lock. Its methods may not be called concurrently.
type Lock struct {
	f    *os.File
	path string
}

// TryLock takes the lock at path without waiting for its holder, and writes the process id into the file so that a person
// can see who holds it. It returns ErrHeld when the lock is held.
func TryLock(path string) (*Lock, error) {
	for range tries {
		l, err := tryOnce(path)
		if err != nil {
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		if l != nil {
			return l, nil
		}
		time.Sleep(tryWait/2 + rand.N(tryWait))
	}
	return nil, fmt.Errorf("lock %s: %w", path, ErrHeld)
}

// tryOnce returns no lock and no error when only probes, or a file that was replaced meanwhile, stood in the way.
func tryOnce(path string) (*Lock, error) {
	f, err := ownfile.Open(path, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return nil, err
	}
	err = acquire(f, true)
	if err == nil {
		l := &Lock{f: f, path: path}
		if l.Current() {
			l.writePID()
			return l, nil
		}
		_ = f.Close()
		return nil, nil
	}
	// A probe is shared and a holder exclusive: when a shared lock can be had, nobody holds the lock.
	if errors.Is(err, ErrHeld) {
		if err = acquire(f, false); err == nil {
			release(f)
		}
	}
	_ = f.Close()
	return nil, err
}

// maxPID is the longest content that can be a process id. What is longer is somebody's, and stays.
const maxPID = 20

var errNotOurs = errors.New("holds more than a process id")

// writePID is for people only, so that a full disk is no reason to go without the lock.
func (l *Lock) writePID() {
	if l.clear() == nil {
		_, _ = l.f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	}
}

func (l *Lock) clear() error {
	fi, err := l.f.Stat()
	if err != nil || fi.Size() > maxPID {
		return errors.Join(err, errNotOurs)
	}
	return l.f.Truncate(0)
}

// File waits a little for an exclusive lock on an open file, for what several processes write in place.
func File(f *os.File) (unlock func(), err error) {
	for range tries {
		if err = acquire(f, true); !errors.Is(err, ErrHeld) {
			return func() { release(f) }, err
		}
		time.Sleep(tryWait/2 + rand.N(tryWait))
	}
	return func() {}, err
}

// Current reports whether the lock's path still names the locked file. It is false after somebody removed the file or its
// directory; the lock then keeps nobody out.
func (l *Lock) Current() bool {
	mine, err := l.f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(l.path)
	return err == nil && os.SameFile(mine, there)
}

// Unlock frees the lock. The file stays, emptied of the process id.
func (l *Lock) Unlock() error {
	_ = l.clear()
	release(l.f)
	if err := l.f.Close(); err != nil {
		return fmt.Errorf("unlock %s: %w", l.path, err)
	}
	return nil
}

// Held reports whether somebody holds the lock at path. It may be called at any time by any process, and never takes the
// lock away from a contender. A lock that can't be probed counts as free: to start a second worker is harmless.
func Held(path string) bool {
	f, err := ownfile.Open(path, os.O_RDONLY)
	if err != nil {
		return false
	}
	defer f.Close()
	err = acquire(f, false)
	if err == nil {
		release(f)
	}
	return errors.Is(err, ErrHeld)
}

// Holder is the process id that the lock's holder wrote, or 0. It is for display: only Held tells whether it is alive.
func Holder(path string) (int, error) {
	f, err := ownfile.Open(path, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("read lock: %w", err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxPID))
	if err != nil {
		return 0, fmt.Errorf("read lock %s: %w", path, err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil {
		return 0, nil
	}
	return pid, nil
}
