package spool

import (
	"errors"
	"io/fs"
	"os"
	"strings"
)

// list names a directory's entries; a directory that isn't there has none.
func list(dir string) ([]string, error) {
	d, err := os.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.Readdirnames(-1)
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
