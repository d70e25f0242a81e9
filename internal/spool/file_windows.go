package spool

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// writeFile makes a new file with b in it. The file is gone if anything fails.
func writeFile(path string, b []byte, sync bool) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err == nil && sync {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		_ = os.Remove(path)
	}
	return err
}

// readOwn reads a regular file of at most limit bytes. Whose it is follows from the access list of the directory, which
// is below the user's profile.
func readOwn(path string, limit int64) ([]byte, error) {
	fi, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !fi.Mode().IsRegular() {
		return nil, ErrForeign
	}
	if fi.Size() > limit {
		return nil, fmt.Errorf("%d bytes: %w", fi.Size(), ErrTooBig)
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrPermission) {
		return nil, ErrUnreadable
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if now, err := f.Stat(); err != nil || !os.SameFile(fi, now) {
		return nil, ErrForeign
	}
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(b)) > limit {
		err = ErrTooBig
	}
	return b, err
}
