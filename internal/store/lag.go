package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// Head is the sequence number of the last event, and of the last turn; zero where there never was one.
func (s *Store) Head(ctx context.Context) (event, turn int64, err error) {
	for _, of := range []struct {
		table string
		to    *int64
	}{{"events", &event}, {"turns", &turn}} {
		// The sequence goes on where the last rows are removed.
		row := s.db.QueryRowContext(ctx, "SELECT seq FROM sqlite_sequence WHERE name = ?", of.table)
		if err := row.Scan(of.to); err != nil && !errors.Is(err, sql.ErrNoRows) {
			return 0, 0, fmt.Errorf("read head of %s: %w", s.path, classify(err))
		}
	}
	return event, turn, nil
}

// maxCounted is up to where Lag counts rows one by one.
const maxCounted = 10_000

// Lag counts the events and the turns that are stored behind a cursor. Rows that were removed are none; of very many it is
// the distance in sequence numbers.
func (s *Store) Lag(ctx context.Context, c Cursor) (events, turns int64, err error) {
	if s.older {
		return 0, 0, nil
	}
	for _, of := range []struct {
		table string
		after int64
		to    *int64
	}{{"events", c.Event, &events}, {"turns", c.Turn, &turns}} {
		var first, last sql.NullInt64
		bounds := "SELECT (SELECT min(seq) FROM " + of.table + " WHERE seq > ?), (SELECT max(seq) FROM " + of.table + ")"
		err := s.reader().QueryRowContext(ctx, bounds, of.after).Scan(&first, &last)
		if err == nil && first.Valid {
			if *of.to = last.Int64 - first.Int64 + 1; *of.to <= maxCounted {
				err = s.reader().QueryRowContext(ctx, "SELECT count(*) FROM "+of.table+" WHERE seq > ?", of.after).Scan(of.to)
			}
		}
		if err != nil {
			return 0, 0, fmt.Errorf("count what is behind in %s: %w", s.path, classify(err))
		}
	}
	return events, turns, nil
}

// Behind tells whether anything is stored behind a cursor.
func (s *Store) Behind(ctx context.Context, c Cursor) (bool, error) {
	if s.older {
		return false, nil
	}
	var behind bool
	row := s.reader().QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM events WHERE seq > ?) OR EXISTS (SELECT 1 FROM turns WHERE seq > ?)", c.Event, c.Turn)
	if err := row.Scan(&behind); err != nil {
		return false, fmt.Errorf("look behind cursor %s of %s: %w", c.Name, s.path, classify(err))
	}
	return behind, nil
}
