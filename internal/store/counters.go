package store

import (
	"context"
	"fmt"
)

const addCounter = `INSERT INTO counters (name, n) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET n = CAST(n AS INTEGER) + excluded.n`

// AddCounter adds n to the counter of that name.
func (s *Store) AddCounter(ctx context.Context, name string, n int64) error {
	if _, err := s.db.ExecContext(ctx, addCounter, name, n); err != nil {
		return fmt.Errorf("count %s in %s: %w", name, s.path, classify(err))
	}
	return nil
}

// AddCountersOnce adds to several counters in one transaction, unless its last call had the same token: a caller that was
// killed before it could note its success may repeat the call.
func (s *Store) AddCountersOnce(ctx context.Context, token string, add map[string]int64) error {
	if err := s.addOnce(ctx, token, add); err != nil {
		return fmt.Errorf("count in %s: %w", s.path, classify(err))
	}
	return nil
}

func (s *Store) addOnce(ctx context.Context, token string, add map[string]int64) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(ctx, "DELETE FROM counted WHERE token <> ? AND substr(token, 1, ?) <> ?", token, len(totalPrefix), totalPrefix); err != nil {
		return err
	}
	res, err := tx.ExecContext(ctx, "INSERT INTO counted (token) VALUES (?) ON CONFLICT DO NOTHING", token)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	for name, n := range add {
		if _, err := tx.ExecContext(ctx, addCounter, name, n); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// Counters returns every counter. One that was never added to is not there, nor one that is damaged.
func (s *Store) Counters(ctx context.Context) (map[string]int64, error) {
	out := map[string]int64{}
	rows, err := s.db.QueryContext(ctx, "SELECT name, n FROM counters WHERE typeof(n) = 'integer'")
	if err != nil {
		return nil, fmt.Errorf("read counters of %s: %w", s.path, classify(err))
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		var n int64
		if err := rows.Scan(&name, &n); err != nil {
			return nil, fmt.Errorf("read counters of %s: %w", s.path, err)
		}
		out[name] = n
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read counters of %s: %w", s.path, classify(err))
	}
	return out, nil
}
