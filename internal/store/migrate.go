package store

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
)

// Each file is one step; SQLite's user_version is the number of steps taken. A file that was released is never changed.
//
//go:embed migrations/*.sql
var migrations embed.FS

// migrate brings the tables up to date, in one transaction: several processes may try at once, and one that is killed
// leaves the old version.
func (s *Store) migrate(ctx context.Context) error {
	steps, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	have, err := version(ctx, s.db)
	if err != nil || have == len(steps) {
		return err
	}
	if have > len(steps) {
		return fmt.Errorf("version %d, this program knows %d: %w", have, len(steps), ErrNewer)
	}
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if have, err = version(ctx, tx); err != nil { // another process may have been faster
		return err
	}
	for _, name := range steps[min(have, len(steps)):] {
		step, err := migrations.ReadFile(name)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, string(step)); err != nil {
			return fmt.Errorf("migrate with %s: %w", name, err)
		}
	}
	if have < len(steps) {
		if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", len(steps))); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// placesStep is the version since which there are places, turns and cursors. Later steps changed nothing that is read.
const placesStep = 2

// check is migrate for readers, who leave older tables as they are: a worker may be using them.
func (s *Store) check(ctx context.Context) error {
	steps, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	have, err := version(ctx, s.db)
	switch {
	case err != nil:
		return err
	case have > len(steps):
		return fmt.Errorf("version %d, this program knows %d: %w", have, len(steps), ErrNewer)
	case have < 1:
		return fmt.Errorf("no tables yet: %w", fs.ErrNotExist)
	}
	s.older = have < placesStep
	return nil
}

type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func version(ctx context.Context, q querier) (int, error) {
	var n int
	err := q.QueryRowContext(ctx, "PRAGMA user_version").Scan(&n)
	return n, err
}
