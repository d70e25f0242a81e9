package store

import (
	"context"
	"fmt"
	"time"
)

// AbsentFor is how long a sink has to be without configuration until that is believed: its cursor is forgotten then, so
// that it begins anew. A config that is just being written, or was mistaken for a moment, costs nothing.
const AbsentFor = 10 * time.Minute

// absence is the name under which it is noted since when a sink is not configured.
func absence(name string) string { return "absent:" + name }

// Absent notes that a sink is not configured, and forgets its cursor if it has been so for long enough.
func (s *Store) Absent(ctx context.Context, name string, now time.Time) error {
	c, ok, err := s.Cursor(ctx, name)
	if err != nil || !ok {
		return err
	}
	since, err := s.DoneAt(ctx, absence(name))
	switch {
	case err != nil:
		return err
	case since.IsZero() || since.After(now): // the clock was set back
		return s.Done(ctx, absence(name), now)
	case now.Sub(since) < AbsentFor:
		return nil
	}
	return s.DropCursor(ctx, c.Name)
}

// Present notes that a sink is configured, and gives it a cursor at the head if it has none, or was without configuration
// for long. One that is beyond the head, since the store is an older copy, is put there.
func (s *Store) Present(ctx context.Context, name string, now time.Time) error {
	since, err := s.DoneAt(ctx, absence(name))
	if err != nil {
		return err
	}
	c, ok, err := s.Cursor(ctx, name)
	if err != nil {
		return err
	}
	if !since.IsZero() && now.Sub(since) >= AbsentFor {
		ok = false
	}
	event, turn, err := s.Head(ctx)
	if err != nil {
		return err
	}
	switch {
	case !ok:
		err = s.SetCursor(ctx, nil, Cursor{Name: name, Event: event, Turn: turn})
	case c.Event > event || c.Turn > turn:
		at := c
		at.Event, at.Turn = min(c.Event, event), min(c.Turn, turn)
		err = s.SetCursor(ctx, nil, at)
	}
	if err != nil || since.IsZero() {
		return err
	}
	return s.forgetDone(ctx, absence(name))
}

func (s *Store) forgetDone(ctx context.Context, name string) error {
	if _, err := s.db.ExecContext(ctx, "DELETE FROM done WHERE name = ?", name); err != nil {
		return fmt.Errorf("forget %s in %s: %w", name, s.path, classify(err))
	}
	return nil
}
