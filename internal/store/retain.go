package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/boathook/boathook/internal/record"
)

// Retain says what has become too old: contents of events before Body, rows before Metadata. A zero time keeps all.
type Retain struct {
	Body, Metadata time.Time
}

// Retained is what one step did. More says that another step has something to do.
type Retained struct {
	Expired, Events, Turns, Sessions int
	More                             bool
}

// RetainStep does a small part of the work, in a transaction for which no insert waits long: it takes the contents out of
// rows, or removes rows. Nothing is touched that a sink has still to take.
func (s *Store) RetainStep(ctx context.Context, r Retain) (Retained, error) {
	done, err := s.retainStep(ctx, r)
	if err != nil {
		return done, fmt.Errorf("remove what is too old from %s: %w", s.path, classify(err))
	}
	return done, nil
}

func (s *Store) retainStep(ctx context.Context, r Retain) (done Retained, err error) {
	if s.stmts.insert == nil {
		return done, errReadOnly
	}
	event, turn, err := s.taken(ctx)
	if err != nil {
		return done, err
	}
	if !r.Metadata.IsZero() {
		n, err := s.removeSome(ctx, " AND time_ns < ? AND seq <= ? ORDER BY time_ns", []any{unixNano(r.Metadata), event}, nil)
		if done.Events, done.Turns, done.More = n.events, n.turns, n.events == removeRows; err != nil || done.More {
			return done, err
		}
		if err := s.removeRest(ctx, unixNano(r.Metadata), turn, &done); err != nil || done.More {
			return done, err
		}
	}
	if !r.Body.IsZero() {
		done.Expired, err = s.expireSome(ctx, unixNano(r.Body), event)
		done.More = done.Expired == removeRows
	}
	return done, err
}

// taken is what all sinks have taken.
func (s *Store) taken(ctx context.Context) (event, turn int64, err error) {
	if event, turn, err = s.Head(ctx); err != nil {
		return 0, 0, err
	}
	all, err := s.Cursors(ctx)
	for _, c := range all {
		event, turn = min(event, c.Event), min(turn, c.Turn)
	}
	return event, turn, err
}

// removeRest removes turns and what is remembered of sessions in which no turn is open.
func (s *Store) removeRest(ctx context.Context, before, turn int64, done *Retained) error {
	for _, of := range []struct {
		n     *int
		query string
		args  []any
	}{
		{&done.Turns, "DELETE FROM turns WHERE seq IN (SELECT seq FROM turns WHERE end_ns < ? AND seq <= ? LIMIT ?)", []any{before, turn, removeRows}},
		{&done.Sessions, "DELETE FROM sessions WHERE key IN (SELECT key FROM sessions WHERE last_ns < ? AND open = 0 LIMIT ?)", []any{before, removeRows}},
	} {
		res, err := s.db.ExecContext(ctx, of.query, of.args...)
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		if err != nil {
			return err
		}
		*of.n += int(n)
		done.More = done.More || n == removeRows
	}
	return nil
}

// expireSome takes the contents out of rows.
func (s *Store) expireSome(ctx context.Context, before, event int64) (int, error) {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer func() { _ = tx.Rollback() }()
	found, err := contents(ctx, tx, before, event)
	if err != nil || len(found) == 0 {
		return 0, err
	}
	for _, row := range found {
		if _, err := tx.ExecContext(ctx, "UPDATE events SET json = ?, expired = 1 WHERE seq = ?", string(expired(row.json)), row.seq); err != nil {
			return 0, err
		}
	}
	if _, err := tx.ExecContext(ctx, addCounter, CounterRemovals, 1); err != nil {
		return 0, err
	}
	return len(found), tx.Commit()
}

type content struct {
	seq  int64
	json []byte
}

func contents(ctx context.Context, tx *sql.Tx, before, event int64) ([]content, error) {
	rows, err := tx.QueryContext(ctx, "SELECT seq, json FROM events WHERE expired = 0 AND time_ns < ? AND seq <= ? ORDER BY time_ns LIMIT ?", before, event, removeRows)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []content
	for rows.Next() {
		var c content
		if err := rows.Scan(&c.seq, &c.json); err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, rows.Err()
}

// PrivacyExpired is hook.privacy of a record whose contents were removed for their age.
const PrivacyExpired = "expired"

// expired is a record without what a person or a program wrote: what names the call stays. A record that can't be read has
// nothing that could be told apart.
func expired(text []byte) []byte {
	r, err := record.Parse(text)
	if err != nil {
		return []byte("{}")
	}
	e := &r.Event
	e.Raw, e.Prompt, e.Response, e.TranscriptPath = nil, "", "", ""
	r.Decision.Reason, r.Notes = "", nil
	if r.Guard != nil {
		r.Guard.Reason = ""
	}
	if n := e.Notification; n != nil {
		n.Message, n.Details = "", nil
	}
	if t := e.Tool; t != nil {
		t.Input, t.Output, t.Error, t.Command, t.Paths, t.URLs = nil, nil, "", "", nil, nil
	}
	r.Hook.Privacy = PrivacyExpired
	out, err := json.Marshal(r)
	if err != nil {
		return []byte("{}")
	}
	return out
}

// DoneAt is when Done was last said of something; the zero time where it never was.
func (s *Store) DoneAt(ctx context.Context, name string) (time.Time, error) {
	var at int64
	err := s.db.QueryRowContext(ctx, "SELECT at_ns FROM done WHERE name = ?", name).Scan(&at)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return time.Time{}, fmt.Errorf("read %s of %s: %w", name, s.path, classify(err))
	}
	return fromNano(at), nil
}

// Done notes when something was done that is done now and then.
func (s *Store) Done(ctx context.Context, name string, at time.Time) error {
	_, err := s.db.ExecContext(ctx, "INSERT INTO done (name, at_ns) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET at_ns = excluded.at_ns", name, unixNano(at))
	if err != nil {
		return fmt.Errorf("note %s in %s: %w", name, s.path, classify(err))
	}
	return nil
}
