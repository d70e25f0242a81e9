package sqlite

import (
	"context"
	"errors"
	"time"
)

// OpenFresh is Open, but a file that is corrupt is moved aside, and a new one begun in its place. Aside is where the corrupt one went, empty
// where nothing was wrong. Nobody else has the file open.
func OpenFresh(ctx context.Context, path string, now time.Time) (s *Store, aside string, err error) {
	s, err = Open(ctx, path)
	if !errors.Is(err, ErrCorrupt) {
		return s, "", err
	}
	if aside, err = MoveAside(path, now); err != nil {
		return nil, "", err
	}
	s, err = Open(ctx, path)
	return s, aside, err
}
