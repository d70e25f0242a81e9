package install

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/boathook/boathook/internal/atomicfile"
	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/wake"
)

// ErrChanged says that what there is to do is no longer what was shown. The new plan comes with it.
var ErrChanged = errors.New("something changed while this was running")

// lockWait is how long another install may take.
const lockWait = 30 * time.Second

// Install makes the changes of a plan that was shown, if they are still the right ones. One process at a time does so.
func Install(env Env, req Request, shown *Plan) (*Plan, error) {
	s, err := hold(shown.DataDir)
	if err != nil {
		return shown, err
	}
	defer s.release()
	p, err := planInstall(env, req, s.made)
	if err == nil && !p.Same(shown) {
		err = ErrChanged
	}
	if err == nil {
		err = s.install(p)
	}
	if err != nil {
		return p, s.abandon(err)
	}
	return p, nil
}

// Uninstall does the same for a plan that undoes.
func Uninstall(env Env, req Request, shown *Plan) (*Plan, error) {
	s := &session{dataDir: shown.DataDir}
	if exists(installDir(shown.DataDir)) {
		var err error
		if s, err = hold(shown.DataDir); err != nil {
			return shown, err
		}
		defer s.release()
	}
	p, err := PlanUninstall(env, req)
	if err != nil {
		return p, err
	}
	if !p.Same(shown) {
		return p, ErrChanged
	}
	return p, s.uninstall(p, req.Purge)
}

// session holds the installer's lock.
type session struct {
	dataDir string
	lock    *lock.Lock
	// made are the directories that had to be made for the lock, outermost first.
	made []string
}

func hold(dataDir string) (*session, error) {
	s := &session{dataDir: dataDir}
	for until := time.Now().Add(lockWait); ; time.Sleep(20 * time.Millisecond) {
		if err := s.makeDirs(installDir(dataDir)); err != nil {
			return nil, s.abandon(fmt.Errorf("create directory: %w", err))
		}
		l, err := lock.TryLock(lockPath(dataDir))
		if err == nil && l.Current() {
			s.lock = l
			return s, nil
		}
		if err == nil {
			_ = l.Unlock() // its directory went away: another install was taken back
			continue
		}
		again := errors.Is(err, lock.ErrHeld) || errors.Is(err, fs.ErrNotExist)
		if !again || time.Now().After(until) {
			return nil, s.abandon(fmt.Errorf("wait for another install: %w", err))
		}
	}
}

func (s *session) makeDirs(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil
	}
	if up := filepath.Dir(path); up != path {
		if err := s.makeDirs(up); err != nil {
			return err
		}
	}
	err := os.Mkdir(path, 0o700)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err == nil && !slices.Contains(s.made, path) {
		s.made = append(s.made, path)
	}
	return err
}

func (s *session) release() {
	if s.lock != nil {
		_ = s.lock.Unlock()
	}
}

// abandon removes what was made to hold the lock. Another process may be using it by now; then it stays.
func (s *session) abandon(cause error) error {
	if len(s.made) > 0 && s.lock != nil && !exists(manifestPath(s.dataDir)) {
		_ = os.Remove(lockPath(s.dataDir))
	}
	for _, dir := range slices.Backward(s.made) {
		_ = os.Remove(dir)
	}
	if errors.Is(cause, ErrChanged) {
		return cause
	}
	return fmt.Errorf("%w%s", cause, cure(cause))
}

// install writes the manifest first: a crash half way leaves something that uninstall knows how to undo.
func (s *session) install(p *Plan) error {
	path := manifestPath(s.dataDir)
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read manifest: %w", err)
	}
	if err := atomicfile.WriteSync(path, p.next.encode(), 0o600); err != nil {
		return err
	}
	back := func() error { return os.Remove(path) }
	if old != nil {
		back = func() error { return atomicfile.WriteSync(path, old, 0o600) }
	}
	undo, err := run(p.Changes)
	if err != nil {
		return rollBack(err, append([]func() error{back}, undo...))
	}
	return nil
}

func (s *session) uninstall(p *Plan, purge bool) error {
	if purge {
		free, err := stopWorker(s.dataDir)
		if err != nil {
			return err
		}
		defer free()
		defer func() { _ = os.Remove(filepath.Join(s.dataDir, wake.LockFile)) }()
	}
	undo, err := run(p.Changes)
	if err != nil {
		return rollBack(err, undo)
	}
	if !exists(installDir(s.dataDir)) {
		return nil
	}
	next := p.next.clone()
	next.Entries = slices.DeleteFunc(next.Entries, func(e entry) bool { return e.Kind == kindDir && !exists(e.Path) })
	return atomicfile.WriteSync(manifestPath(s.dataDir), next.encode(), 0o600)
}
