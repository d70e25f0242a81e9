//go:build unix

package ownfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// patience is how long a disk may take to say whose a directory is.
const patience = 150 * time.Millisecond

// Acting is the user whose files are made in a directory: this one, but for root in a directory of another's.
func Acting(dir string) int {
	if o, err := others(dir); err == nil && o.other {
		return o.uid
	}
	return os.Geteuid()
}

// Yield makes root act as the owner of a directory, or of the nearest one above it that is there, for the rest of the
// process: what root would leave there, its owner could neither read nor remove. It does nothing where that is root, or for
// another user. With an error nothing may be written there.
func Yield(dir string) error {
	o, err := others(dir)
	if err != nil {
		return fmt.Errorf("find the owner of %s: %w", dir, err)
	}
	if !o.other {
		return nil
	}
	// The groups first: without root's rights they stay.
	for _, step := range []func() error{
		func() error { return syscall.Setgroups([]int{o.gid}) },
		func() error { return syscall.Setgid(o.gid) },
		func() error { return syscall.Setuid(o.uid) },
	} {
		if err := step(); err != nil {
			return fmt.Errorf("act as user %d, who owns %s: %w", o.uid, dir, err)
		}
	}
	return nil
}

// owner is whose a directory is, and whether this is root and that is not.
type owner struct {
	uid, gid int
	other    bool
}

// others looks at nothing for anybody but root, and waits for no disk that hangs.
func others(dir string) (owner, error) {
	if os.Geteuid() != 0 {
		return owner{}, nil
	}
	answer := make(chan owner, 1)
	go func() { answer <- ownerOf(dir) }()
	select {
	case o := <-answer:
		return o, nil
	case <-time.After(patience):
		return owner{}, ErrHangs
	}
}

func ownerOf(dir string) owner {
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if errors.Is(err, fs.ErrNotExist) && at != filepath.Dir(at) {
			continue
		}
		if err != nil {
			return owner{}
		}
		st, ok := info.Sys().(*syscall.Stat_t)
		if !ok {
			return owner{}
		}
		return owner{int(st.Uid), int(st.Gid), st.Uid != 0}
	}
}
