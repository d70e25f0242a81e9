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

// CounterCursors counts the cursors that could not be read, and were removed for that: their sinks began anew.
const CounterCursors = "damaged_cursors"

// soundCursor holds where each column has the type that it was written with: SQLite would store any.
const soundCursor = `typeof(name) = 'text' AND typeof(event) = 'integer' AND typeof(turn) = 'integer' AND typeof(moved_ns) = 'integer'
AND typeof(tries) = 'integer' AND typeof(next_ns) = 'integer'`

const selectCursors = "SELECT name, event, turn, state, moved_ns, tries, next_ns, error FROM cursors WHERE " + soundCursor

// Cursor reads a cursor; ok is false where there is none. One that is damaged is removed.
func (s *Store) Cursor(ctx context.Context, name string) (c Cursor, ok bool, err error) {
	if s.older {
		return Cursor{Name: name}, false, nil
	}
	err = c.scan(s.db.QueryRowContext(ctx, selectCursors+" AND name = ?", name))
	if errors.Is(err, sql.ErrNoRows) {
		err = s.dropDamaged(ctx)
		c = Cursor{Name: name}
	} else {
		ok = err == nil
	}
	if err != nil {
		return Cursor{Name: name}, false, fmt.Errorf("read cursor %s of %s: %w", name, s.path, classify(err))
	}
	return c, ok, nil
}

// dropDamaged removes the cursors that are none, so that new ones can be made; a reader leaves them.
func (s *Store) dropDamaged(ctx context.Context) error {
	if s.stmts.insert == nil {
		return nil
	}
	var damaged int
	const among = " FROM cursors WHERE NOT (" + soundCursor + ")"
	if err := s.db.QueryRowContext(ctx, "SELECT count(*)"+among).Scan(&damaged); err != nil || damaged == 0 {
		return err
	}
	if _, err := s.db.ExecContext(ctx, "DELETE"+among); err != nil {
		return err
	}
	_, err := s.db.ExecContext(ctx, addCounter, CounterCursors, damaged)
	return err
}

func (c *Cursor) scan(row scanner) error {
	var moved, next int64
	err := row.Scan(&c.Name, &c.Event, &c.Turn, &c.State, &moved, &c.Tries, &next, &c.Error)
	c.Moved, c.Next = fromNano(moved), fromNano(next)
	return err
}

// Cursors reads all but damaged ones, in the order of their names.
func (s *Store) Cursors(ctx context.Context) ([]Cursor, error) {
	if s.older {
		return nil, nil
	}
	rows, err := s.db.QueryContext(ctx, selectCursors+" ORDER BY name")
	if err != nil {
		return nil, fmt.Errorf("read cursors of %s: %w", s.path, classify(err))
	}
	defer rows.Close()
	var out []Cursor
	for rows.Next() {
		var c Cursor
		if err := c.scan(rows); err != nil {
			return nil, fmt.Errorf("read cursors of %s: %w", s.path, classify(err))
		}
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
	return s.forgetDone(ctx, absence(name))
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
