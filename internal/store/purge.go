package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"
)

// PurgeFilter selects what is removed: events that match every field that is set. The zero filter selects all.
type PurgeFilter struct {
	Before                  time.Time
	Session, Project, Agent string
}

// Purged counts what was removed.
type Purged struct {
	Events, Turns, Sessions int
	// Spooled counts the events that had not been stored yet.
	Spooled int
	// Lingers says that removed bytes may still be in the write-ahead log, since another process was reading: they go when
	// the last one closes the store.
	Lingers bool
}

// removeRows is how many rows one transaction of a removal takes, so that an insert never waits for long.
const removeRows = 200

// sessionKey is a session of an agent.
type sessionKey struct{ agent, session string }

// Purge removes the events that match, the turns that they began, and what is remembered of sessions that have none left.
// Their bytes are overwritten in the file. It works beside a worker, in small transactions: one that is interrupted
// leaves the rest, and may be repeated.
func (s *Store) Purge(ctx context.Context, f PurgeFilter) (Purged, error) {
	done, err := s.purge(ctx, f)
	if err != nil {
		return done, fmt.Errorf("purge %s: %w", s.path, classify(err))
	}
	return done, nil
}

func (s *Store) purge(ctx context.Context, f PurgeFilter) (done Purged, err error) {
	if s.stmts.insert == nil {
		return done, errReadOnly
	}
	sessions := map[sessionKey]bool{}
	cond, args := f.where()
	for {
		var n removal
		if n, err = s.removeSome(ctx, cond, args, sessions); err != nil {
			return done, err
		}
		done.Events += n.events
		done.Turns += n.turns
		if n.events < removeRows {
			break
		}
	}
	for key := range sessions {
		if err := s.forgetSession(ctx, key, &done); err != nil {
			return done, err
		}
	}
	done.Lingers, err = s.shrink(ctx)
	return done, err
}

func (f PurgeFilter) where() (cond string, args []any) {
	add := func(term string, value any) {
		cond += " AND " + term
		args = append(args, value)
	}
	if !f.Before.IsZero() {
		add("time_ns < ?", unixNano(f.Before))
	}
	if f.Session != "" {
		add("session_id = ?", f.Session)
	}
	if f.Agent != "" {
		add("agent = ?", f.Agent)
	}
	if f.Project != "" {
		add("CASE WHEN json_valid(json) THEN json_extract(json, '$.project') END = ?", f.Project)
	}
	return cond, args
}

type removal struct{ events, turns int }

// removeSome removes the first rows that match, and notes their sessions.
func (s *Store) removeSome(ctx context.Context, cond string, args []any, sessions map[sessionKey]bool) (removal, error) {
	var n removal
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return n, err
	}
	defer func() { _ = tx.Rollback() }()
	query := fmt.Sprintf("SELECT seq, id, agent, session_id FROM events WHERE 1%s ORDER BY seq LIMIT %d", cond, removeRows)
	found, err := removable(ctx, tx, query, args)
	if err != nil || len(found) == 0 {
		return n, err
	}
	for _, row := range found {
		if row.key.session != "" && sessions != nil {
			sessions[row.key] = true
		}
		res, err := tx.ExecContext(ctx, "DELETE FROM turns WHERE id = ?", row.id)
		if err != nil {
			return n, err
		}
		turns, err := res.RowsAffected()
		if err != nil {
			return n, err
		}
		n.turns += int(turns)
		if _, err := tx.ExecContext(ctx, "DELETE FROM events WHERE seq = ?", row.seq); err != nil {
			return n, err
		}
		n.events++
	}
	if _, err := tx.ExecContext(ctx, addCounter, CounterRemovals, 1); err != nil {
		return n, err
	}
	return n, tx.Commit()
}

type removableRow struct {
	seq int64
	id  string
	key sessionKey
}

func removable(ctx context.Context, tx *sql.Tx, query string, args []any) ([]removableRow, error) {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []removableRow
	for rows.Next() {
		var r removableRow
		if err := rows.Scan(&r.seq, &r.id, &r.key.agent, &r.key.session); err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, rows.Err()
}

// forgetSession removes what is remembered of a session without events, and the turns that are left of it.
func (s *Store) forgetSession(ctx context.Context, key sessionKey, done *Purged) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	var left int
	row := tx.QueryRowContext(ctx, "SELECT count(*) FROM (SELECT 1 FROM events WHERE session_id = ? AND agent = ? LIMIT 1)", key.session, key.agent)
	if err := row.Scan(&left); err != nil || left > 0 {
		return err
	}
	for _, of := range []struct {
		n     *int
		query string
		args  []any
	}{
		{&done.Sessions, "DELETE FROM sessions WHERE key = ?", []any{key.agent + "\x00" + key.session}},
		{&done.Turns, "DELETE FROM turns WHERE json_extract(json, '$.session_id') = ? AND json_extract(json, '$.agent') = ?",
			[]any{key.session, key.agent}},
	} {
		res, err := tx.ExecContext(ctx, of.query, of.args...)
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		if err != nil {
			return err
		}
		*of.n += int(n)
	}
	return tx.Commit()
}

// shrink gives free pages back and empties the write-ahead log, which still has what was removed. busy says that a reader
// stood in the way.
func (s *Store) shrink(ctx context.Context) (busy bool, err error) {
	if _, err := s.db.ExecContext(ctx, "PRAGMA incremental_vacuum"); err != nil {
		return false, err
	}
	var blocked, frames, moved int
	err = s.db.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&blocked, &frames, &moved)
	return blocked != 0, err
}

// Matches tells whether the filter selects an event that isn't stored yet.
func (f PurgeFilter) Matches(row []byte) bool {
	var e struct {
		Time           time.Time
		Agent, Project string
		Session        string `json:"session_id"`
	}
	if json.Unmarshal(row, &e) != nil {
		return false
	}
	return (f.Before.IsZero() || e.Time.Before(f.Before)) && (f.Session == "" || e.Session == f.Session) &&
		(f.Project == "" || e.Project == f.Project) && (f.Agent == "" || e.Agent == f.Agent)
}
