// Package netfs keeps the data off network filesystems, where neither SQLite's write-ahead log nor locks can be trusted:
// a data directory there moves to one of this machine's own. Hook, worker and commands ask it, and get the same answer.
// What the mount table tells of a path is asked first, since it needs no server: who looks at a filesystem that hangs may
// wait for ever, and not even a kill ends it. It must not import the rest of boathook but ownfile.
package netfs

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/ownfile"
)

// patience is how long a filesystem that is no remote one by the mount table may take to say what it is.
const patience = 150 * time.Millisecond

// Mounts is the mount table as it was read. The zero table knows no mounts.
type Mounts struct{ table string }

// Local is where the data of a directory are: there, or where that is on a network filesystem, in a directory of this
// machine, which may not exist yet. Where there is no such place either, they stay. For root the owner of the config, and
// then that of the directory, says whose place it is.
func Local(config, dir string) (local string, moved bool) {
	m := ReadMounts()
	local, _, moved = place(config, dir, base(), asked{m, briefly})
	return local, moved
}

// Make is Local, and makes a directory that the data moved to. One that somebody else put there is not taken. It waits for
// a filesystem that hangs where the mount table doesn't know it for a remote one.
func (m Mounts) Make(config, dir string) (local string, moved bool, err error) {
	return makePlace(config, dir, base(), asked{m, probe})
}

// Remote tells whether a directory is on a network filesystem, for those who only want to say so.
func Remote(dir string) bool { return asked{ReadMounts(), briefly}.remote(dir) }

// asked is how to find out what a directory is on: by the table, and where that knows nothing of it, by a look.
type asked struct {
	mounts Mounts
	look   func(dir string) bool
}

func (a asked) remote(dir string) bool {
	return a.mounts.Far(dir) || a.mounts.Stuck(dir) == "" && a.look(dir)
}

// owner is whose data a directory has. Nothing on a remote filesystem is looked at for it.
func (a asked) owner(config, dir string) int {
	if a.mounts.Far(dir) || a.mounts.Stuck(dir) != "" {
		return ownfile.Acting(config)
	}
	return ownfile.Acting(config, dir)
}

// briefly does not wait for what hangs.
func briefly(dir string) bool {
	answer := make(chan bool, 1)
	go func() { answer <- probe(dir) }()
	select {
	case remote := <-answer:
		return remote
	case <-time.After(patience):
		return false
	}
}

func makePlace(config, dir, base string, a asked) (local string, moved bool, err error) {
	local, uid, moved := place(config, dir, base, a)
	if !moved {
		return local, false, nil
	}
	if err := ownfile.MkdirAll(local); err != nil {
		return dir, false, fmt.Errorf("move the data of %s: %w", dir, err)
	}
	if !usable(local, uid) {
		return dir, false, fmt.Errorf("move the data of %s: %s is somebody else's", dir, local)
	}
	return local, true, nil
}

// IsLocal tells whether a directory is one that Local chose.
func IsLocal(dir string) bool {
	up, name := filepath.Split(filepath.Clean(dir))
	return base() != "" && filepath.Clean(up) == base() && strings.HasPrefix(name, prefix)
}

const prefix = "boathook-"

func place(config, dir, base string, a asked) (local string, uid int, moved bool) {
	if dir == "" || base == "" || !a.remote(dir) || a.remote(base) {
		return dir, 0, false
	}
	sum := sha256.Sum256([]byte(filepath.Clean(dir)))
	uid = a.owner(config, dir)
	at := filepath.Join(base, fmt.Sprintf("%s%d-%s", prefix, uid, hex.EncodeToString(sum[:6])))
	if !usable(at, uid) {
		return dir, 0, false
	}
	return at, uid, true
}

// usable tells whether there is nothing yet, or a directory of that user's which is closed to others.
func usable(at string, uid int) bool {
	info, err := os.Lstat(at)
	if err != nil {
		return os.IsNotExist(err)
	}
	return info.IsDir() && private(info, uid)
}

// existing is the nearest directory at or above dir that is there.
func existing(dir string) string {
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); err == nil || !os.IsNotExist(err) || at == filepath.Dir(at) {
			return at
		}
	}
}
