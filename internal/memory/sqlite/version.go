package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Versions are the version of a file's tables, 0 where there is no file, and the one that this program writes. Nothing is changed.
func Versions(ctx context.Context, path string) (have, want int, err error) {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return 0, latest, nil
	}
	c, err := newStore(path).dialReader(ctx)
	if err != nil {
		return 0, latest, fmt.Errorf("open memory %s: %w", path, classify(err))
	}
	defer func() { _ = c.close() }() // it was only read
	n, _, err := c.number("PRAGMA user_version")
	if err != nil {
		return 0, latest, fmt.Errorf("open memory %s: %w", path, classify(err))
	}
	return int(n), latest, nil
}
