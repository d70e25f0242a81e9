package store

import (
	"context"
	"fmt"
	"strconv"
)

// totalPrefix begins the tokens by which the table "counted" remembers totals: total:NAME:N.
const totalPrefix = "total:"

// AddGrowth adds to the counter of that name what total has grown by since the last call: total is kept elsewhere and only
// grows. One that is smaller than it was began anew. Killed at any point, the caller may repeat the call.
func (s *Store) AddGrowth(ctx context.Context, name string, total int64) (growth int64, err error) {
	if growth, err = s.addGrowth(ctx, name, total); err != nil {
		return 0, fmt.Errorf("count %s in %s: %w", name, s.path, classify(err))
	}
	return growth, nil
}

func (s *Store) addGrowth(ctx context.Context, name string, total int64) (growth int64, err error) {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer func() { _ = tx.Rollback() }()
	prefix := totalPrefix + name + ":"
	var before int64
	row := tx.QueryRowContext(ctx, "SELECT ifnull(max(CAST(substr(token, ?) AS INTEGER)), 0) FROM counted WHERE substr(token, 1, ?) = ?",
		len(prefix)+1, len(prefix), prefix)
	if err := row.Scan(&before); err != nil || total == before {
		return 0, err
	}
	if growth = total - before; growth < 0 {
		growth = total
	}
	if _, err := tx.ExecContext(ctx, "DELETE FROM counted WHERE substr(token, 1, ?) = ?", len(prefix), prefix); err != nil {
		return 0, err
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO counted (token) VALUES (?)", prefix+strconv.FormatInt(total, 10)); err != nil {
		return 0, err
	}
	if growth > 0 {
		if _, err := tx.ExecContext(ctx, addCounter, name, growth); err != nil {
			return 0, err
		}
	}
	return growth, tx.Commit()
}

// Stored returns which of the ids are in the store.
func (s *Store) Stored(ctx context.Context, ids []string) (map[string]bool, error) {
	out := map[string]bool{}
	stmt, err := s.db.PrepareContext(ctx, "SELECT count(*) FROM events WHERE id = ?")
	if err != nil {
		return nil, fmt.Errorf("look up events of %s: %w", s.path, classify(err))
	}
	defer stmt.Close()
	for _, id := range ids {
		var n int
		if err := stmt.QueryRowContext(ctx, id).Scan(&n); err != nil {
			return nil, fmt.Errorf("look up events of %s: %w", s.path, classify(err))
		}
		if n > 0 {
			out[id] = true
		}
	}
	return out, nil
}
