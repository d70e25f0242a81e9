package verify

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/wake"
)

// A throw-away directory is known by its name and by the lock in it, which its maker holds for as long as it lives.
const (
	sandboxPrefix = "boathook-verify-"
	sandboxMark   = ".boathook-verify.lock"
)

// sandbox is a throw-away home with a data directory.
type sandbox struct {
	root               string
	home, work, data   string
	held, workerLocked *lock.Lock
}

// newSandbox makes one below a directory. The worker's lock is held in it: hooks then start no worker, and nothing is left
// running, however the selftest ends.
func newSandbox(tmp string) (*sandbox, error) {
	root, err := os.MkdirTemp(tmp, sandboxPrefix)
	if err != nil {
		return nil, fmt.Errorf("make throw-away home: %w", err)
	}
	s := &sandbox{root: root}
	if s.held, err = lock.TryLock(filepath.Join(root, sandboxMark)); err != nil {
		return nil, errors.Join(err, os.Remove(root))
	}
	if err := s.fill(); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *sandbox) fill() error {
	root, err := filepath.EvalSymlinks(s.root) // agents report real paths (macOS: /tmp is a link)
	if err != nil {
		return fmt.Errorf("make throw-away home: %w", err)
	}
	s.root = root
	s.home = filepath.Join(root, "home")
	s.work, s.data = filepath.Join(s.home, "work"), filepath.Join(root, "data")
	for _, dir := range []string{s.work, s.data} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return fmt.Errorf("make throw-away home: %w", err)
		}
	}
	s.workerLocked, err = lock.TryLock(filepath.Join(s.data, wake.LockFile))
	return err
}

// free lets go of the worker's lock.
func (s *sandbox) free() {
	if s.workerLocked != nil {
		_ = s.workerLocked.Unlock()
		s.workerLocked = nil
	}
}

func (s *sandbox) close() error {
	s.free()
	err := clearSandbox(s.root)
	_ = s.held.Unlock() // its file is gone with the directory
	return err
}

// clearSandbox removes a throw-away directory, its mark last, so that one that was killed here is found again.
func clearSandbox(root string) error {
	entries, err := os.ReadDir(root)
	if err != nil {
		return fmt.Errorf("remove throw-away home: %w", err)
	}
	for _, e := range entries {
		if e.Name() == sandboxMark {
			continue
		}
		if err := os.RemoveAll(filepath.Join(root, e.Name())); err != nil {
			return fmt.Errorf("remove throw-away home: %w", err)
		}
	}
	if err := os.RemoveAll(root); err != nil {
		return fmt.Errorf("remove throw-away home: %w", err)
	}
	return nil
}

// Leftover is a throw-away directory that a selftest left behind.
type Leftover struct {
	Path string `json:"path"`
	// Kept says why it was not removed, empty where it was.
	Kept string `json:"kept,omitempty"`
	// Running says that it is kept because it is in use.
	Running bool `json:"running,omitempty"`
}

// Teardown removes what killed selftests left in a directory for temporary files: directories of this user alone that have
// the mark and whose maker no longer lives. What else there is, links above all, is not touched.
func Teardown(tmp string) ([]Leftover, error) {
	entries, err := os.ReadDir(tmp)
	if err != nil {
		return nil, fmt.Errorf("look for throw-away homes: %w", err)
	}
	var out []Leftover
	for _, e := range entries {
		path := filepath.Join(tmp, e.Name())
		if !strings.HasPrefix(e.Name(), sandboxPrefix) || !ownDir(path) {
			continue
		}
		l := Leftover{Path: path}
		l.Kept, l.Running = sweep(path)
		out = append(out, l)
	}
	return out, nil
}

// sweep removes one, or says why not.
func sweep(path string) (kept string, running bool) {
	mark := filepath.Join(path, sandboxMark)
	if fi, err := os.Lstat(mark); err != nil || !fi.Mode().IsRegular() {
		return "it does not have the mark of a selftest", false
	}
	held, err := lock.TryLock(mark)
	switch {
	case errors.Is(err, lock.ErrHeld):
		return "its selftest is running", true
	case err != nil:
		return err.Error(), false
	}
	defer func() { _ = held.Unlock() }()
	free, err := stopWorker(filepath.Join(path, "data"))
	if err != nil {
		return err.Error(), false
	}
	defer free()
	if err := clearSandbox(path); err != nil {
		return err.Error(), false
	}
	return "", false
}

// A worker may take ten seconds to end: it finishes the event that it has in hand.
const (
	stopTries = 60
	stopPause = 50 * time.Millisecond
)

// stopWorker ends the worker that a hook of a killed selftest has started, and keeps another from starting: its directory
// would be removed under it. The process id in the lock's file counts only while the lock is held.
func stopWorker(data string) (free func(), err error) {
	path := filepath.Join(data, wake.LockFile)
	if fi, err := os.Lstat(data); err != nil || !fi.IsDir() {
		return func() {}, nil
	}
	asked := 0
	for range stopTries {
		l, err := lock.TryLock(path)
		if err == nil {
			return func() { _ = l.Unlock() }, nil
		}
		if !errors.Is(err, lock.ErrHeld) {
			return func() {}, nil // no lock of this user's: nobody can hold it
		}
		if pid, _ := lock.Holder(path); pid > 1 && pid != os.Getpid() && pid != asked && lock.Held(path) {
			asked = pid
			terminate(pid)
		}
		time.Sleep(stopPause)
	}
	return nil, fmt.Errorf("its worker (process %d) does not end", asked)
}
