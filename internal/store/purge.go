package store

import (
	"context"
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

// One transaction of a removal takes so many rows, and no more once their JSON has so many bytes, so that an insert never
// waits for long. What goes is found before, and outside of it: so many rows at once.
const (
	removeRows  = 200
	removeBytes = 8 << 20
	findRows    = 10_000
)

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
	last, more := int64(-1), true
	for more {
		// What was looked at isn't looked at again.
		found, err := s.removable(ctx, cond+" AND seq > ? ORDER BY seq", append(args[:len(args):len(args)], last), findRows)
		if err != nil {
			return done, err
		}
		more = len(found) == findRows
		for len(found) > 0 {
			n := step(found, removeBytes)
			turns, err := s.remove(ctx, found[:n], allTurns)
			if err != nil {
				return done, err
			}
			for _, row := range found[:n] {
				if row.key.session != "" {
					sessions[row.key] = true
				}
			}
			done.Events, done.Turns, last, found = done.Events+n, done.Turns+turns, found[n-1].seq, found[n:]
		}
	}
	if err := s.forgetSessions(ctx, sessions, &done); err != nil {
		return done, err
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

// forgetSessions removes what is remembered of the sessions without events, and the turns that are left of those.
func (s *Store) forgetSessions(ctx context.Context, sessions map[sessionKey]bool, done *Purged) error {
	for key := range sessions {
		gone, err := s.forgetSession(ctx, key)
		if err != nil {
			return err
		}
		if !gone {
			delete(sessions, key)
			continue
		}
		done.Sessions++
	}
	if len(sessions) == 0 {
		return nil
	}
	turns, err := s.turnsOf(ctx, sessions)
	for _, seq := range turns {
		if _, err := s.db.ExecContext(ctx, "DELETE FROM turns WHERE seq = ?", seq); err != nil {
			return err
		}
		done.Turns++
	}
	return err
}

func (s *Store) forgetSession(ctx context.Context, key sessionKey) (gone bool, err error) {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return false, err
	}
	defer func() { _ = tx.Rollback() }()
	var left int
	row := tx.QueryRowContext(ctx, "SELECT count(*) FROM (SELECT 1 FROM events WHERE session_id = ? AND agent = ? LIMIT 1)", key.session, key.agent)
	if err := row.Scan(&left); err != nil || left > 0 {
		return false, err
	}
	if _, err := tx.ExecContext(ctx, "DELETE FROM sessions WHERE key = ?", key.agent+"\x00"+key.session); err != nil {
		return false, err
	}
	return true, tx.Commit()
}

func (s *Store) turnsOf(ctx context.Context, sessions map[sessionKey]bool) ([]int64, error) {
	rows, err := s.db.QueryContext(ctx, "SELECT seq, json_extract(json, '$.agent'), json_extract(json, '$.session_id') FROM turns")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []int64
	for rows.Next() {
		var seq int64
		var key sessionKey
		if err := rows.Scan(&seq, &key.agent, &key.session); err != nil {
			return nil, err
		}
		if sessions[key] {
			out = append(out, seq)
		}
	}
	return out, rows.Err()
}

// shrink gives free pages back, some at once, and empties the write-ahead log, which still has what was removed. busy says
// that a reader stood in the way.
func (s *Store) shrink(ctx context.Context) (busy bool, err error) {
	for before := int64(-1); ; {
		_, free, err := s.pages(ctx)
		if err != nil {
			return false, err
		}
		if free == 0 || free == before {
			break
		}
		if err := s.vacuumSome(ctx); err != nil {
			return false, err
		}
		before = free
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
