package store

import (
	"context"
	"fmt"
)

// The events that the cap of the store removed: all, and those of them that some destination had not taken, or the turns
// that they began.
const (
	CounterCapped = "dropped_stored"
	CounterUnsent = "dropped_unsent"
)

// Capped is what one step of keeping the cap removed. More says that another has something to do.
type Capped struct {
	Events, Turns, Unsent int
	More                  bool
}

// vacuumPages is how many free pages one step gives back: writers wait for it.
const vacuumPages = 2048

// CapStep removes some of the oldest events, with the turns that they began and whether they were sent or not, if what is
// stored takes more than limit bytes. It counts them.
func (s *Store) CapStep(ctx context.Context, limit int64) (Capped, error) {
	done, err := s.capStep(ctx, limit)
	if err != nil {
		return done, fmt.Errorf("keep the cap of %s: %w", s.path, classify(err))
	}
	return done, nil
}

func (s *Store) capStep(ctx context.Context, limit int64) (done Capped, err error) {
	if s.stmts.insert == nil {
		return done, errReadOnly
	}
	used, free, err := s.pages(ctx)
	if err != nil || used+free <= limit {
		return done, err
	}
	if used > limit {
		if done, err = s.dropOldest(ctx, used-limit); err != nil {
			return done, err
		}
	}
	return done, s.vacuumSome(ctx)
}

func (s *Store) vacuumSome(ctx context.Context) error {
	_, err := s.db.ExecContext(ctx, fmt.Sprintf("PRAGMA incremental_vacuum(%d)", vacuumPages))
	return err
}

// pages are the bytes of the file that are used, and that are free.
func (s *Store) pages(ctx context.Context) (used, free int64, err error) {
	row := s.reader().QueryRowContext(ctx, `SELECT (page_count - freelist_count) * page_size, freelist_count * page_size
FROM pragma_page_count, pragma_freelist_count, pragma_page_size`)
	err = row.Scan(&used, &free)
	return used, free, err
}

// dropOldest removes about so many bytes, or a part of them.
func (s *Store) dropOldest(ctx context.Context, excess int64) (done Capped, err error) {
	sent, err := s.taken(ctx)
	if err != nil {
		return done, err
	}
	found, err := s.removable(ctx, " ORDER BY seq", nil, removeRows)
	if err != nil || len(found) == 0 {
		return done, err
	}
	found = found[:step(found, excess)]
	for _, row := range found {
		unsent := row.seq > sent.event
		if !unsent {
			if unsent, err = s.unsentTurn(ctx, row.id, sent.turn); err != nil {
				return done, err
			}
		}
		if unsent {
			done.Unsent++
		}
	}
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return done, err
	}
	defer func() { _ = tx.Rollback() }()
	if done.Turns, err = removeIn(ctx, tx, found, allTurns); err != nil {
		return done, err
	}
	done.Events = len(found)
	for name, n := range map[string]int{CounterCapped: done.Events, CounterUnsent: done.Unsent} {
		if n == 0 {
			continue
		}
		if _, err := tx.ExecContext(ctx, addCounter, name, n); err != nil {
			return done, err
		}
	}
	done.More = true
	return done, tx.Commit()
}

// unsentTurn tells whether an event began a turn that is behind a sequence number.
func (s *Store) unsentTurn(ctx context.Context, id string, turn int64) (is bool, err error) {
	row := s.reader().QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM turns WHERE id = ? AND seq > ?)", id, turn)
	err = row.Scan(&is)
	return is, err
}
