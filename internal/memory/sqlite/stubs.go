package sqlite

import (
	"context"
	"errors"
	"time"

	"github.com/boathook/boathook/internal/memory"
)

func (s *Store) Write(context.Context, memory.Batch) (memory.Written, error) {
	return memory.Written{}, errors.ErrUnsupported
}
func (s *Store) Find(context.Context, memory.Query) (memory.Found, error) {
	return memory.Found{}, errors.ErrUnsupported
}
func (s *Store) Sessions(context.Context, memory.Filter, memory.Page, int) ([]memory.Session, memory.Page, error) {
	return nil, "", errors.ErrUnsupported
}
func (s *Store) Entries(context.Context, memory.Filter, memory.Page, int) ([]memory.Entry, memory.Page, error) {
	return nil, "", errors.ErrUnsupported
}
func (s *Store) Get(context.Context, memory.Filter, []string) ([]memory.Entry, error) {
	return nil, errors.ErrUnsupported
}
func (s *Store) Unembedded(context.Context, string, int, int) ([]memory.Chunk, error) {
	return nil, errors.ErrUnsupported
}
func (s *Store) Embed(context.Context, string, int, []memory.Embedding) error {
	return errors.ErrUnsupported
}
func (s *Store) Forget(context.Context, memory.Selection) (memory.Removed, error) {
	return memory.Removed{}, errors.ErrUnsupported
}
func (s *Store) Retain(context.Context, memory.Retention, time.Time) (memory.Removed, bool, error) {
	return memory.Removed{}, false, errors.ErrUnsupported
}
func (s *Store) Occurs(context.Context, string) (int, error) { return 0, errors.ErrUnsupported }
func (s *Store) Stats(context.Context, memory.Filter) (memory.Stats, error) {
	return memory.Stats{}, errors.ErrUnsupported
}
