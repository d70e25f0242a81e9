package ownfile

import (
	"errors"
	"io"
	"os"
)

// ErrTooLong says that a file is longer than its reader takes.
var ErrTooLong = errors.New("longer than it may be")

// ErrShared says that others than the owner may write a file.
var ErrShared = errors.New("others may write it")

// Read reads a whole file of this user, or, where root asks, of whoever owns the file or directory beside it: root obeys
// those settings, too. What others may write is not read.
func Read(path, beside string, most int64) ([]byte, error) {
	f, err := openFor(path, os.O_RDONLY, trusted(beside))
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
