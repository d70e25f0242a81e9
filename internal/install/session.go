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

// Another install may take half a minute.
const (
	lockTries = 1500
	lockPause = 20 * time.Millisecond
)

// Install makes the changes of a plan that was shown, if they are still the right ones. One process at a time does so.
func Install(env Env, req Request, shown *Plan) (*Plan, error) {
	s, err := hold(env.Home, shown.DataDir)
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
		if s, err = hold(env.Home, shown.DataDir); err != nil {
			return shown, err
		}
		defer s.release()
	}
	p, err := planUninstall(env, req)
	if err != nil {
		return p, err
	}
	if !p.Same(shown) {
		return p, ErrChanged
	}
	return p, s.uninstall(p, req.Purge)
}

// session holds the installer's locks.
type session struct {
	dataDir    string
	lock       *lock.Lock
	unlockHome func()
	// made are the directories that had to be made for the lock, outermost first.
	made []string
}

// hold takes two locks. That on the home directory itself needs no file, so that no two installs make the directories
// which the other one needs; where the file system can't do it, that on the file has to do.
func hold(home, dataDir string) (*session, error) {
	s := &session{dataDir: dataDir}
	var err error
	if s.unlockHome, err = lockDir(home); err != nil {
		return nil, fmt.Errorf("wait for another install in %s: %w", home, err)
	}
	if err = s.makeDirs(installDir(dataDir)); err != nil {
		err = fmt.Errorf("create directory: %w", err)
	} else {
		err = s.lockData()
	}
	if err != nil {
		defer s.release()
		return nil, s.abandon(err)
	}
	return s, nil
}

func (s *session) lockData() (err error) {
	for range lockTries {
		if s.lock, err = lock.TryLock(lockPath(s.dataDir)); !errors.Is(err, lock.ErrHeld) {
			return err
		}
		time.Sleep(lockPause)
	}
	return fmt.Errorf("wait for another install: %w", err)
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
	if s.unlockHome != nil {
		s.unlockHome()
	}
}

// abandon removes what was made to hold the lock.
func (s *session) abandon(cause error) error {
	if len(s.made) > 0 && s.lock != nil && !exists(manifestPath(s.dataDir)) {
		_ = os.Remove(lockPath(s.dataDir))
	}
	for _, dir := range slices.Backward(s.made) {
		_ = os.Remove(dir) // one that is not empty is in use by others
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
	return s.undo(p)
}

// undo runs the plan. What removes the data comes last and can't be taken back.
func (s *session) undo(p *Plan) error {
	final := slices.IndexFunc(p.Changes, func(c Change) bool { return c.Op == RemoveTree })
	if final < 0 {
		final = len(p.Changes)
	}
	undo, err := run(p.Changes[:final])
	if err != nil {
		return rollBack(err, undo)
	}
	if _, err := run(p.Changes[final:]); err != nil {
		return fmt.Errorf("remove data in %s: %w%s; the hooks are out already", s.dataDir, err, cure(err))
	}
	if !exists(installDir(s.dataDir)) {
		return nil
	}
	next := p.next.clone()
	next.Entries = slices.DeleteFunc(next.Entries, func(e entry) bool { return e.Kind == kindDir && !exists(e.Path) })
	if err := atomicfile.WriteSync(manifestPath(s.dataDir), next.encode(), 0o600); err != nil {
		return rollBack(err, undo)
	}
	return nil
}
