// Package netfs keeps the data off network filesystems, where neither SQLite's write-ahead log nor locks can be trusted:
// a data directory there moves to one of this machine's own. Hook, worker and commands ask it, and get the same answer.
// It must not import the rest of boathook but ownfile.
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

// patience is how long a filesystem may take to say what it is. One that hangs is looked up among the mounts, which need
// no server.
const patience = 150 * time.Millisecond

// Local is where the data of a directory are: there, or where that is on a network filesystem, in a directory of this
// machine, which may not exist yet. Where there is no such place either, they stay.
func Local(dir string) (local string, moved bool) {
	local, _, moved = place(dir, base(), network)
	return local, moved
}

// Make is Local, and makes a directory that the data moved to. One that somebody else put there is not taken. It waits for
// a filesystem that hangs: the hook calls it, which has its own bound, and asks MakeHung beyond that.
func Make(dir string) (local string, moved bool, err error) {
	return makePlace(dir, base(), func(dir string) bool { return verdict(probe(dir), dir) })
}

// MakeHung is Make for a directory that does not answer: the mount table says what it is on.
func MakeHung(dir string) (local string, moved bool, err error) {
	return makePlace(dir, base(), mountedFromAfar)
}

func makePlace(dir, base string, network func(string) bool) (local string, moved bool, err error) {
	local, uid, moved := place(dir, base, network)
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

func place(dir, base string, network func(string) bool) (local string, uid int, moved bool) {
	if dir == "" || base == "" || !network(dir) || network(base) {
		return dir, 0, false
	}
	sum := sha256.Sum256([]byte(filepath.Clean(dir)))
	uid = ownfile.Acting(dir)
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

// network tells whether a directory, or the nearest one above it that is there, is on a network filesystem.
func network(dir string) bool {
	answer := make(chan kind, 1)
	go func() { answer <- probe(dir) }()
	select {
	case k := <-answer:
		return verdict(k, dir)
	case <-time.After(patience):
		return mountedFromAfar(dir)
	}
}

func verdict(k kind, dir string) bool {
	return k == remote || k == unsure && mountedFromAfar(dir)
}

type kind int

const (
	here kind = iota
	remote
	unsure
)

// existing is the nearest directory at or above dir that is there.
func existing(dir string) string {
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); err == nil || !os.IsNotExist(err) || at == filepath.Dir(at) {
			return at
		}
	}
}
