package install

import (
	"os"
	"path/filepath"
)

// writable refuses changes that would fail: one agent that can't be written keeps no other that was found from being
// installed, and no other from being undone.
func writable(changes []Change) error {
	for _, c := range changes {
		dir := filepath.Dir(c.Path)
		for !isPlace(dir) && dir != filepath.Dir(dir) {
			dir = filepath.Dir(dir)
		}
		if err := mayWrite(dir); err != nil {
			return refuse("write %s: %w%s", c.Path, &os.PathError{Op: "change", Path: dir, Err: err}, cure(err))
		}
		if err := mayReplace(c.Path); err != nil {
			return refuse("write %s: %w%s", c.Path, err, cure(err))
		}
	}
	return nil
}
