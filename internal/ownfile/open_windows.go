package ownfile

import (
	"errors"
	"io/fs"
	"os"
)

// open looks before and after. Whose the file is follows from the access list of the directory, which is below the user's
// profile.
func open(path string, flag int) (*os.File, error) { return openFor(path, flag, nil) }

// trusted believes the access list.
func trusted(string) func(os.FileInfo) error { return nil }

func openFor(path string, flag int, _ func(os.FileInfo) error) (*os.File, error) {
	before, err := os.Lstat(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err == nil && !before.Mode().IsRegular() {
		return nil, ErrForeign
	}
	f, err := os.OpenFile(path, flag&^os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	after, err := f.Stat()
	if there, lerr := os.Lstat(path); err != nil || lerr != nil || !there.Mode().IsRegular() || !os.SameFile(after, there) {
		_ = f.Close()
		return nil, ErrForeign
	}
	return f, nil
}
