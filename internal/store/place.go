package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/boathook/boathook/internal/correlate"
	"github.com/boathook/boathook/internal/record"
)

// CounterSessions counts the sessions of which nothing could be read any more: they began anew.
const CounterSessions = "damaged_sessions"

// placing places the events of one transaction.
type placing struct {
	tx                          *sql.Tx
	read, saveSession, saveTurn *sql.Stmt
	sessions                    map[string]*correlate.Session
	ended                       []*correlate.Turn
}

func (s *Store) placing(ctx context.Context, tx *sql.Tx) *placing {
	return &placing{
		tx: tx, read: tx.StmtContext(ctx, s.stmts.session), saveSession: tx.StmtContext(ctx, s.stmts.saveSession),
		saveTurn: tx.StmtContext(ctx, s.stmts.saveTurn), sessions: map[string]*correlate.Session{},
	}
}

func (p *placing) next(ctx context.Context, r *record.Record) (correlate.Place, error) {
	key := correlate.Key(r)
	if key == "" {
		return correlate.Alone(r), nil
	}
	session, err := p.session(ctx, key)
	if err != nil {
		return correlate.Place{}, err
	}
	place, ended := session.Next(r)
	if ended != nil {
		p.ended = append(p.ended, ended)
	}
	return place, nil
}

func (p *placing) session(ctx context.Context, key string) (*correlate.Session, error) {
	if s := p.sessions[key]; s != nil {
		return s, nil
	}
	s := &correlate.Session{}
	var text []byte
	err := p.read.QueryRowContext(ctx, key).Scan(&text)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, err
	}
	if err == nil && (json.Unmarshal(text, s) != nil || !s.Valid()) {
		// What was remembered is lost; the session's events are not.
		s = &correlate.Session{}
		if _, err := p.tx.ExecContext(ctx, addCounter, CounterSessions, 1); err != nil {
			return nil, err
		}
	}
	p.sessions[key] = s
	return s, nil
}

func (p *placing) save(ctx context.Context) error {
	for key, s := range p.sessions {
		text, err := json.Marshal(s)
		if err != nil {
			return err
		}
		if _, err := p.saveSession.ExecContext(ctx, key, unixNano(s.Last), s.Turn != nil, string(text)); err != nil {
			return err
		}
	}
	for _, t := range p.ended {
		text, err := json.Marshal(t)
		if err != nil {
			return err
		}
		if _, err := p.saveTurn.ExecContext(ctx, t.ID, unixNano(t.End), string(text)); err != nil {
			return err
		}
	}
	return nil
}

// Sweep ends the turns of which nothing was heard since before limit, and tells how many those were.
func (s *Store) Sweep(ctx context.Context, limit time.Time) (ended int, err error) {
	if ended, err = s.sweep(ctx, limit); err != nil {
		return 0, fmt.Errorf("end silent turns of %s: %w", s.path, classify(err))
	}
	return ended, nil
}

func (s *Store) sweep(ctx context.Context, limit time.Time) (int, error) {
	if s.stmts.insert == nil {
		return 0, errReadOnly
	}
	keys, err := s.texts(ctx, "SELECT key FROM sessions WHERE open = 1 AND last_ns < ? AND typeof(key) = 'text'", unixNano(limit))
	if err != nil || len(keys) == 0 {
		return 0, err
	}
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer func() { _ = tx.Rollback() }()
	p := s.placing(ctx, tx)
	for _, key := range keys {
		session, err := p.session(ctx, key)
		if err != nil {
			return 0, err
		}
		if ended := session.Sweep(limit); ended != nil {
			p.ended = append(p.ended, ended)
		}
	}
	if err := p.save(ctx); err != nil {
		return 0, err
	}
	return len(p.ended), tx.Commit()
}
