package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Cursor is how far a sink is.
type Cursor struct {
	Name string
	// Event and Turn are the sequence numbers of the last event and the last turn that the destination took.
	Event, Turn int64
	// State is the sink's own.
	State []byte
	Moved time.Time
	// Tries counts the failures since the last success, Next is when the next try is due, Error what the last one was.
	Tries int
	Next  time.Time
	Error string
}

// ErrCursorMoved says that somebody else has set the cursor meanwhile: it has to be read again.
var ErrCursorMoved = errors.New("cursor was moved by another process")

// Cursor reads a cursor; ok is false where there is none.
func (s *Store) Cursor(ctx context.Context, name string) (c Cursor, ok bool, err error) {
	all, err := s.Cursors(ctx)
	for _, c := range all {
		if c.Name == name {
			return c, true, err
		}
	}
	return Cursor{Name: name}, false, err
}

// Cursors reads all, in the order of their names.
func (s *Store) Cursors(ctx context.Context) ([]Cursor, error) {
	if s.older {
		return nil, nil
	}
	rows, err := s.db.QueryContext(ctx, "SELECT name, event, turn, state, moved_ns, tries, next_ns, error FROM cursors ORDER BY name")
	if err != nil {
		return nil, fmt.Errorf("read cursors of %s: %w", s.path, classify(err))
	}
	defer rows.Close()
	var out []Cursor
	for rows.Next() {
		var c Cursor
		var moved, next int64
		if err := rows.Scan(&c.Name, &c.Event, &c.Turn, &c.State, &moved, &c.Tries, &next, &c.Error); err != nil {
			return nil, fmt.Errorf("read cursors of %s: %w", s.path, classify(err))
		}
		c.Moved, c.Next = fromNano(moved), fromNano(next)
		out = append(out, c)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read cursors of %s: %w", s.path, classify(err))
	}
	return out, nil
}

// SetCursor writes a cursor that was read as before; with a nil before it is written whatever is there. ErrCursorMoved
// says that it is no longer where before was, and that nothing is written. What there is to count goes with it or not at
// all.
func (s *Store) SetCursor(ctx context.Context, before *Cursor, c Cursor, counts ...map[string]int64) error {
	if err := s.setCursorAndCount(ctx, before, c, counts); err != nil {
		return fmt.Errorf("write cursor %s of %s: %w", c.Name, s.path, classify(err))
	}
	return nil
}

func (s *Store) setCursorAndCount(ctx context.Context, before *Cursor, c Cursor, counts []map[string]int64) error {
	n := 0
	for _, m := range counts {
		n += len(m)
	}
	if n == 0 {
		return setCursor(ctx, s.db, before, c)
	}
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if err := setCursor(ctx, tx, before, c); err != nil {
		return err
	}
	for _, m := range counts {
		for name, n := range m {
			if _, err := tx.ExecContext(ctx, addCounter, name, n); err != nil {
				return err
			}
		}
	}
	return tx.Commit()
}

type execer interface {
	ExecContext(context.Context, string, ...any) (sql.Result, error)
}

func setCursor(ctx context.Context, db execer, before *Cursor, c Cursor) error {
	if c.State == nil {
		c.State = []byte{}
	}
	if before == nil {
		_, err := db.ExecContext(ctx, `INSERT INTO cursors (name, event, turn, state, moved_ns, tries, next_ns, error) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (name) DO UPDATE SET event = excluded.event, turn = excluded.turn, state = excluded.state, moved_ns = excluded.moved_ns,
tries = excluded.tries, next_ns = excluded.next_ns, error = excluded.error`,
			c.Name, c.Event, c.Turn, c.State, toNano(c.Moved), c.Tries, toNano(c.Next), c.Error)
		return err
	}
	res, err := db.ExecContext(ctx, `UPDATE cursors SET event = ?, turn = ?, state = ?, moved_ns = ?, tries = ?, next_ns = ?, error = ?
WHERE name = ? AND event = ? AND turn = ?`,
		c.Event, c.Turn, c.State, toNano(c.Moved), c.Tries, toNano(c.Next), c.Error, c.Name, before.Event, before.Turn)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, ErrCursorMoved)
	}
	return nil
}

// DropCursor forgets a cursor. It is no error when there is none.
func (s *Store) DropCursor(ctx context.Context, name string) error {
	if _, err := s.db.ExecContext(ctx, "DELETE FROM cursors WHERE name = ?", name); err != nil {
		return fmt.Errorf("drop cursor %s of %s: %w", name, s.path, classify(err))
	}
	return nil
}

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

func toNano(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return unixNano(t)
}

func fromNano(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.Unix(0, n).UTC()
}
