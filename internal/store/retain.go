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
	taken, err := s.taken(ctx)
	if err != nil {
		return done, err
	}
	if !r.Metadata.IsZero() {
		if err := s.removeOld(ctx, unixNano(r.Metadata), taken, &done); err != nil || done.More {
			return done, err
		}
		if err := s.removeRest(ctx, unixNano(r.Metadata), taken.turn, &done); err != nil || done.More {
			return done, err
		}
	}
	if !r.Body.IsZero() {
		err = s.expireSome(ctx, unixNano(r.Body), taken, &done)
	}
	return done, err
}

// removeOld removes events. Their turns have a sequence, and an age, of their own.
func (s *Store) removeOld(ctx context.Context, before int64, t taken, done *Retained) error {
	cond, args := t.done()
	found, err := s.removable(ctx, " AND time_ns < ?"+cond+" ORDER BY time_ns", append([]any{before}, args...), removeRows)
	if err != nil {
		return err
	}
	n := step(found, removeBytes)
	if _, err := s.remove(ctx, found[:n], noTurns); err != nil {
		return err
	}
	done.Events, done.More = n, n == removeRows || n < len(found)
	return nil
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
		n, err := affected(s.db.ExecContext(ctx, of.query, of.args...))
		if err != nil {
			return err
		}
		*of.n += n
		done.More = done.More || n == removeRows
	}
	return nil
}

// expireSome takes the contents out of rows. What is written is made before the transaction.
func (s *Store) expireSome(ctx context.Context, before int64, t taken, done *Retained) error {
	found, more, err := s.contents(ctx, before, t)
	if err != nil || len(found) == 0 {
		return err
	}
	for i := range found {
		found[i].json = expired(found[i].json)
	}
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	for _, row := range found {
		if _, err := tx.ExecContext(ctx, "UPDATE events SET json = ?, expired = 1 WHERE seq = ?", string(row.json), row.seq); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, addCounter, CounterRemovals, 1); err != nil {
		return err
	}
	done.Expired, done.More = len(found), more
	return tx.Commit()
}

type content struct {
	seq  int64
	json []byte
}

// contents reads rows that have some.
func (s *Store) contents(ctx context.Context, before int64, t taken) (out []content, more bool, err error) {
	cond, args := t.done()
	query := "SELECT seq, json FROM events WHERE expired = 0 AND time_ns < ?" + cond + " ORDER BY time_ns LIMIT ?"
	rows, err := s.reader().QueryContext(ctx, query, append(append([]any{before}, args...), removeRows)...)
	if err != nil {
		return nil, false, err
	}
	defer rows.Close()
	for size := 0; rows.Next(); {
		if size >= removeBytes {
			return out, true, nil
		}
		var c content
		if err := rows.Scan(&c.seq, &c.json); err != nil {
			return nil, false, err
		}
		out = append(out, c)
		size += len(c.json)
	}
	return out, len(out) == removeRows, rows.Err()
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
	r.Decision.Reason, r.Decision.Input, r.Decision.Context, r.Notes = "", nil, "", nil
	if p := r.Policy; p != nil {
		p.Problems = nil
		for i := range p.Effects {
			p.Effects[i].Target = ""
		}
	}
	for i := range r.UserHooks {
		r.UserHooks[i].Reason = ""
	}
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

// DoneAt is when Done was last said of something; the zero time where it never was, or that can't be read any more.
func (s *Store) DoneAt(ctx context.Context, name string) (time.Time, error) {
	var at int64
	err := s.db.QueryRowContext(ctx, "SELECT at_ns FROM done WHERE name = ? AND typeof(at_ns) = 'integer'", name).Scan(&at)
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
