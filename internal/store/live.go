package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/boathook/boathook/hook/canon"
)

// LiveSession is a session of which something was heard lately, and not its end.
type LiveSession struct {
	Agent, Session string
	// CWD and Project are those of its newest event.
	CWD, Project string
	// Noted says that an event of the name that was asked for is among its own.
	Noted bool
}

// Live lists the sessions that go on, among the newest 2,000 events and since a time. noted is the name of an event that does
// not count, and of which it is only told whether it is there; other is one that does not count either.
func (s *Store) Live(ctx context.Context, since time.Time, noted, other string) ([]LiveSession, error) {
	rows, err := s.reader().QueryContext(ctx, `SELECT agent, session_id,
ifnull(max(CASE WHEN host_event NOT IN (?1, ?5) THEN seq END), -1), ifnull(max(CASE WHEN event = ?2 THEN seq END), -1), max(host_event = ?1)
FROM (SELECT seq, agent, session_id, event, host_event, time_ns FROM events ORDER BY seq DESC LIMIT ?3)
WHERE time_ns >= ?4 AND session_id <> '' GROUP BY agent, session_id ORDER BY max(seq) DESC`,
		noted, string(canon.SessionStop), newestRows, unixNano(since), other)
	if err != nil {
		return nil, fmt.Errorf("look for sessions in %s: %w", s.path, classify(err))
	}
	defer func() { _ = rows.Close() }() // Err says what there is to say
	var out []LiveSession
	var seqs []int64
	for rows.Next() {
		var l LiveSession
		var last, stopped int64
		if err := rows.Scan(&l.Agent, &l.Session, &last, &stopped, &l.Noted); err != nil {
			return nil, fmt.Errorf("look for sessions in %s: %w", s.path, classify(err))
		}
		if last > stopped {
			out, seqs = append(out, l), append(seqs, last)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("look for sessions in %s: %w", s.path, classify(err))
	}
	for i := range out {
		var text []byte
		var at struct{ CWD, Project string }
		if s.reader().QueryRowContext(ctx, "SELECT json FROM events WHERE seq = ?", seqs[i]).Scan(&text) == nil && json.Unmarshal(text, &at) == nil {
			out[i].CWD, out[i].Project = at.CWD, at.Project // else it was removed meanwhile
		}
	}
	return out, nil
}

// Named reads the newest events of a name since a time, among the newest 2,000 events, the newest first.
func (s *Store) Named(ctx context.Context, name string, since time.Time) ([]string, error) {
	texts, err := s.texts(ctx, `SELECT json FROM (SELECT seq, host_event, time_ns, json FROM events ORDER BY seq DESC LIMIT ?)
WHERE host_event = ? AND time_ns >= ?`, newestRows, name, unixNano(since))
	if err != nil {
		return nil, fmt.Errorf("read events of %s: %w", s.path, classify(err))
	}
	return texts, nil
}
