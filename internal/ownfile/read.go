package ownfile

import (
	"errors"
	"io"
	"os"
)

// ErrTooLong says that a file is longer than its reader takes.
var ErrTooLong = errors.New("longer than it may be")

// Read reads a whole file of this user, or, where root asks, of anybody: root obeys the settings that lie beside it, too.
func Read(path string, most int64) ([]byte, error) {
	f, err := openFor(path, os.O_RDONLY, asRoot())
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		err = ErrTooLong
	}
	if err != nil {
		return nil, &os.PathError{Op: "read", Path: path, Err: err}
	}
	return data, nil
}
