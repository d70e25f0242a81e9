// Package ownfile opens files in the data directory, and makes its directories. A link, a device or another user's file in
// the place of ours is neither read nor written, and a umask that takes bits from the owner takes none. A data directory
// that is itself a link is fine. It must not import the rest of boathook.
package ownfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrForeign says that what is there is not a regular file of this user.
var ErrForeign = errors.New("not a regular file of this user")

// ErrHangs says that a disk does not answer.
var ErrHangs = errors.New("the disk hangs")

// Open opens a regular file of this user, as os.OpenFile does. What it makes has the mode 0600.
func Open(path string, flag int) (*os.File, error) {
	f, err := open(path, flag)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return f, nil
}

// MkdirAll makes a directory and those above it that are missing, with the mode 0700.
func MkdirAll(dir string) error {
	err := os.Mkdir(dir, 0o700)
	if up := filepath.Dir(dir); errors.Is(err, fs.ErrNotExist) && up != dir {
		if err := MkdirAll(up); err != nil {
			return err
		}
		err = os.Mkdir(dir, 0o700)
	}
	if err == nil {
		return usable(dir)
	}
	if errors.Is(err, fs.ErrExist) {
		if fi, serr := os.Stat(dir); serr == nil && fi.IsDir() {
			return nil
		}
	}
	return fmt.Errorf("make directory: %w", err)
}

// usable gives a new directory what the umask took.
func usable(dir string) error {
	fi, err := os.Stat(dir)
	if err != nil || fi.Mode().Perm()&0o700 == 0o700 {
		return err
	}
	return os.Chmod(dir, 0o700)
}
