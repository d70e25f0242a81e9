//go:build unix

package ownfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Acting is the user whose files are made in a directory: this one, but for root in a directory of another's.
func Acting(dir string) int {
	if uid, _, other := others(dir); other {
		return uid
	}
	return os.Geteuid()
}

// Yield makes root act as the owner of a directory, or of the nearest one above it that is there, for the rest of the
// process: what root would leave there, its owner could neither read nor remove. It does nothing where that is root, or for
// another user. With an error nothing may be written there.
func Yield(dir string) error {
	uid, gid, other := others(dir)
	if !other {
		return nil
	}
	// The groups first: without root's rights they stay.
	for _, step := range []func() error{
		func() error { return syscall.Setgroups([]int{gid}) },
		func() error { return syscall.Setgid(gid) },
		func() error { return syscall.Setuid(uid) },
	} {
		if err := step(); err != nil {
			return fmt.Errorf("act as user %d, who owns %s: %w", uid, dir, err)
		}
	}
	return nil
}

// others tells whether this is root and the directory is not.
func others(dir string) (uid, gid int, other bool) {
	if os.Geteuid() != 0 {
		return 0, 0, false
	}
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if errors.Is(err, fs.ErrNotExist) && at != filepath.Dir(at) {
			continue
		}
		if err != nil {
			return 0, 0, false
		}
		st, ok := info.Sys().(*syscall.Stat_t)
		if !ok {
			return 0, 0, false
		}
		return int(st.Uid), int(st.Gid), st.Uid != 0
	}
}
