package postgres

import (
	"context"
	"time"

	"github.com/boathook/boathook/internal/memory"
)

func (s *Store) Write(ctx context.Context, b memory.Batch) (memory.Written, error) {
	return memory.Written{}, memory.ErrOlder
}
func (s *Store) Find(ctx context.Context, q memory.Query) (memory.Found, error) {
	return memory.Found{}, memory.ErrOlder
}
func (s *Store) Sessions(ctx context.Context, f memory.Filter, at memory.Page, limit int) ([]memory.Session, memory.Page, error) {
	return nil, "", memory.ErrOlder
}
func (s *Store) Entries(ctx context.Context, f memory.Filter, at memory.Page, limit int) ([]memory.Entry, memory.Page, error) {
	return nil, "", memory.ErrOlder
}
func (s *Store) Get(ctx context.Context, f memory.Filter, ids []string) ([]memory.Entry, error) {
	return nil, memory.ErrOlder
}
func (s *Store) Unembedded(ctx context.Context, model string, width, limit int) ([]memory.Chunk, error) {
	return nil, memory.ErrOlder
}
func (s *Store) Embed(ctx context.Context, model string, width int, vectors []memory.Embedding) error {
	return memory.ErrOlder
}
func (s *Store) Forget(ctx context.Context, sel memory.Selection) (memory.Removed, error) {
	return memory.Removed{}, memory.ErrOlder
}
func (s *Store) Retain(ctx context.Context, r memory.Retention, now time.Time) (memory.Removed, bool, error) {
	return memory.Removed{}, false, memory.ErrOlder
}
func (s *Store) Occurs(ctx context.Context, text string) (int, error) { return 0, memory.ErrOlder }
func (s *Store) Stats(ctx context.Context, f memory.Filter) (memory.Stats, error) {
	return memory.Stats{}, memory.ErrOlder
}

// Migrate brings the schema up to date.
func (s *Store) Migrate(ctx context.Context) error { return memory.ErrOlder }
