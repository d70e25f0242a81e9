package sqlite

import (
	"context"
	"errors"
	"time"

	"github.com/boathook/boathook/internal/memory"
)

func (s *Store) Forget(context.Context, memory.Selection) (memory.Removed, error) {
	return memory.Removed{}, errors.ErrUnsupported
}
func (s *Store) Retain(context.Context, memory.Retention, time.Time) (memory.Removed, bool, error) {
	return memory.Removed{}, false, errors.ErrUnsupported
}
