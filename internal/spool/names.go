package spool

import (
	"errors"
	"io/fs"
	"os"
	"strings"
)

// list names the entries of the spool or of a directory in it; one that isn't there has none.
func (s Spool) list(sub string) ([]string, error) {
	if err := s.straight(sub); err != nil {
		return nil, err
	}
	d, err := os.Open(s.path(sub, ""))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.Readdirnames(-1)
}

// straight refuses a spool that is a link, or a link in the place of a directory in it: what it leads to is not ours to
// fill, nor to empty. The data directory may be one.
func (s Spool) straight(subs ...string) error {
	for _, sub := range append([]string{""}, subs...) {
		path := s.path(sub, "")
		if fi, err := os.Lstat(path); err == nil && fi.Mode()&fs.ModeSymlink != 0 {
			return &fs.PathError{Op: "open", Path: path, Err: ErrForeign}
		}
	}
	return nil
}

func isEventName(name string) bool {
	id, ok := strings.CutSuffix(name, suffix)
	return ok && isULID(id)
}

// isULID checks the 26 characters of Crockford's base32, upper case, as the ULID library writes them.
func isULID(id string) bool {
	if len(id) != 26 || id[0] > '7' {
		return false
	}
	for i := range len(id) {
		if !strings.Contains("0123456789ABCDEFGHJKMNPQRSTVWXYZ", id[i:i+1]) {
			return false
		}
	}
	return true
}
