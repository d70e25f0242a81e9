package off

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/ownfile"
)

// LockFile is beside the switch while somebody changes it.
const LockFile = "off.lock"

// lockTime and lockPause are how long, and how often, somebody tries who has to wait for another.
const (
	lockTime  = 30 * time.Second
	lockPause = 5 * time.Millisecond
)

// Change reads the state beside a config, has it changed and writes it, while nobody else does. What cannot be read is
// replaced; unread is told why. It may have the change made twice.
func Change(config string, c Clock, unread func(error), change func(*State)) (State, error) {
	path := Path(config)
	if path == "" {
		return State{}, errors.New("write switch: the config has no absolute path")
	}
	if _, err := os.Lstat(filepath.Dir(path)); errors.Is(err, fs.ErrNotExist) {
		s := State{}
		if change(&s); s.All == nil && len(s.Projects) == 0 {
			return s, nil // no directory is made for nothing
		}
	}
	free, err := hold(filepath.Dir(path))
	if err != nil {
		return State{}, err
	}
	defer free()
	s, err := Load(config)
	if err != nil {
		unread(err)
	}
	s = s.Current(c)
	change(&s)
	return s, Save(config, s, c)
}

// hold keeps others from changing what is in a directory. Where it is not there, and is to be made, that is recorded.
func hold(dir string) (free func(), err error) {
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		if err := ownfile.MakeRecorded(dir); err != nil {
			return nil, err
		}
	}
	path := filepath.Join(dir, LockFile)
	for end := time.Now().Add(lockTime); ; time.Sleep(lockPause) {
		l, err := lock.TryLock(path)
		if err == nil {
			return func() {
				_ = os.Remove(path) // while it is held: whoever waits for it sees that it is gone
				_ = l.Unlock()
			}, nil
		}
		if !errors.Is(err, lock.ErrHeld) || time.Now().After(end) {
			return nil, err
		}
	}
}
