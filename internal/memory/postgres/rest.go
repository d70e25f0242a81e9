package postgres

import (
	"context"
	"time"

	"github.com/boathook/boathook/internal/memory"
)

func (s *Store) Forget(ctx context.Context, sel memory.Selection) (memory.Removed, error) {
	return memory.Removed{}, memory.ErrOlder
}
func (s *Store) Retain(ctx context.Context, r memory.Retention, now time.Time) (memory.Removed, bool, error) {
	return memory.Removed{}, false, memory.ErrOlder
}
func (s *Store) Occurs(ctx context.Context, text string) (int, error) { return 0, memory.ErrOlder }
