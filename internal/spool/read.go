package spool

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/boathook/boathook/internal/ownfile"
)

// readOwn reads a file of this user of at most limit bytes.
func readOwn(path string, limit int64) ([]byte, error) {
	f, err := ownfile.Open(path, os.O_RDONLY)
	if errors.Is(err, fs.ErrPermission) {
		return nil, ErrUnreadable
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if fi.Size() > limit {
		return nil, fmt.Errorf("%d bytes: %w", fi.Size(), ErrTooBig)
	}
	// Room for the end to be met without a larger buffer.
	b := bytes.NewBuffer(make([]byte, 0, fi.Size()+bytes.MinRead))
	if _, err := b.ReadFrom(io.LimitReader(f, limit+1)); err != nil {
		return nil, err
	}
	if int64(b.Len()) > limit {
		return nil, ErrTooBig
	}
	return b.Bytes(), nil
}
