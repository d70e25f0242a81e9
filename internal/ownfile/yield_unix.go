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

// Acting is the user whose files are made: this one, but for root the first other one to whom one of the paths belongs.
func Acting(paths ...string) int {
	if o, _, err := others(paths); err == nil && o.other {
		return o.uid
	}
	return os.Geteuid()
}

// Yield makes root act as somebody else for the rest of the process: the owner of the first of these paths, or of the
// nearest directory above it that is there, that is not root's. The settings come first: who wrote them must not choose
// where root writes. And what root would leave in another's directory, its owner could neither read nor remove. It does
// nothing where all are root's, or for another user. With an error nothing may be written there.
func Yield(paths ...string) error {
	o, path, err := others(paths)
	if err != nil {
		return fmt.Errorf("find the owner of %s: %w", path, err)
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
			return fmt.Errorf("act as user %d, who owns %s: %w", o.uid, path, err)
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
func others(paths []string) (o owner, path string, err error) {
	if os.Geteuid() != 0 {
		return owner{}, "", nil
	}
	for _, path := range paths {
		if path == "" {
			continue
		}
		answer := make(chan owner, 1)
		go func() { answer <- ownerOf(path) }()
		select {
		case o := <-answer:
			if o.other {
				return o, path, nil
			}
		case <-time.After(patience):
			return owner{}, path, ErrHangs
		}
	}
	return owner{}, "", nil
}

// ownerOf is who owns what is at a path. A link counts as the one who made it, and as what it leads to: who can choose one of
// them is not trusted more than the other.
func ownerOf(path string) owner {
	for at := filepath.Clean(path); ; at = filepath.Dir(at) {
		link, err := os.Lstat(at)
		if errors.Is(err, fs.ErrNotExist) && at != filepath.Dir(at) {
			continue
		}
		if err != nil {
			return owner{}
		}
		if link.Mode()&fs.ModeSymlink == 0 {
			return belongs(link)
		}
		if o := belongs(link); o.other {
			return o
		}
		target, err := os.Stat(at)
		if err != nil {
			return owner{}
		}
		return belongs(target)
	}
}

func belongs(info fs.FileInfo) owner {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return owner{}
	}
	return owner{int(st.Uid), int(st.Gid), st.Uid != 0}
}
