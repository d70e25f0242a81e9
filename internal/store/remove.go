package store

import (
	"context"
	"database/sql"
	"fmt"
	"math"
)

// removable is a row that may be removed.
type removable struct {
	seq   int64
	id    string
	key   sessionKey
	bytes int
}

// removable finds rows to remove. It takes no lock: that may take seconds in a large store.
func (s *Store) removable(ctx context.Context, cond string, args []any, limit int) ([]removable, error) {
	const columns = "SELECT seq, id, agent, session_id, octet_length(json) FROM events WHERE 1"
	rows, err := s.reader().QueryContext(ctx, fmt.Sprintf("%s%s LIMIT %d", columns, cond, limit), args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []removable
	for rows.Next() {
		var r removable
		if err := rows.Scan(&r.seq, &r.id, &r.key.agent, &r.key.session, &r.bytes); err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, rows.Err()
}

// step is how many of the rows one transaction takes, to get rid of so many bytes.
func step(rows []removable, wanted int64) (n int) {
	wanted = min(wanted, removeBytes)
	for size := int64(0); n < len(rows) && n < removeRows && size < wanted; n++ {
		size += int64(rows[n].bytes)
	}
	return n
}

// Which turns go with the events that began them.
const (
	noTurns  = 0
	allTurns = math.MaxInt64
)

// remove removes rows in one transaction, and of the turns that they began those up to a sequence number.
func (s *Store) remove(ctx context.Context, rows []removable, turn int64) (turns int, err error) {
	if len(rows) == 0 {
		return 0, nil
	}
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer func() { _ = tx.Rollback() }()
	if turns, err = removeIn(ctx, tx, rows, turn); err != nil {
		return 0, err
	}
	return turns, tx.Commit()
}

func removeIn(ctx context.Context, tx *sql.Tx, rows []removable, turn int64) (turns int, err error) {
	for _, row := range rows {
		if turn != noTurns {
			n, err := affected(tx.ExecContext(ctx, "DELETE FROM turns WHERE id = ? AND seq <= ?", row.id, turn))
			if err != nil {
				return 0, err
			}
			turns += n
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM events WHERE seq = ?", row.seq); err != nil {
			return 0, err
		}
	}
	_, err = tx.ExecContext(ctx, addCounter, CounterRemovals, 1)
	return turns, err
}

func affected(res sql.Result, err error) (int, error) {
	if err != nil {
		return 0, err
	}
	n, err := res.RowsAffected()
	return int(n), err
}

// taken is what all sinks have taken; waits says that there are any.
type taken struct {
	event, turn int64
	waits       bool
}

func (s *Store) taken(ctx context.Context) (t taken, err error) {
	if t.event, t.turn, err = s.Head(ctx); err != nil {
		return t, err
	}
	all, err := s.Cursors(ctx)
	for _, c := range all {
		t.event, t.turn, t.waits = min(t.event, c.Event), min(t.turn, c.Turn), true
	}
	return t, err
}

// needed are events that were sent, and of which spans that weren't are made, too: the begin of a call whose end is still to
// be sent, and the first and the last event of a turn that is. Without them the same span would have other bytes when it is
// sent again.
const needed = `EXISTS (SELECT 1 FROM events u WHERE u.before_id = events.id AND u.before_id <> '' AND u.seq > ?)
OR EXISTS (SELECT 1 FROM turns t WHERE t.id = events.turn_id AND t.seq > ?
    AND (t.id = events.id OR CASE WHEN json_valid(t.json) THEN json_extract(t.json, '$.last') END = events.id))
OR id IN (SELECT ifnull(json_extract(json, '$.turn.first'), '') FROM sessions WHERE open = 1 AND json_valid(json)
    UNION SELECT ifnull(json_extract(json, '$.turn.last'), '') FROM sessions WHERE open = 1 AND json_valid(json))`

// done is the condition that no sink needs an event any more.
func (t taken) done() (cond string, args []any) {
	if !t.waits {
		return "", nil
	}
	return " AND seq <= ? AND NOT (" + needed + ")", []any{t.event, t.event, t.turn}
}
