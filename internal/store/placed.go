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

// Placed is a stored event with where it belongs. It is shared: nobody may change what it points to.
type Placed struct {
	Seq    int64
	Record record.Record
	Place  correlate.Place
	// Bytes is the length of the record's JSON.
	Bytes int
	// Damaged says that the record can't be read: all but Seq is empty. A sink moves over it.
	Damaged bool
}

// Ended is a turn that has ended.
type Ended struct {
	Seq  int64
	Turn correlate.Turn
	// Damaged says that the turn can't be read, and is empty.
	Damaged bool
}

// placed are the columns of a Placed.
func (s *Store) placed() string {
	if s.older {
		return "seq, json, '', '', '', '', ''"
	}
	return "seq, json, trace_id, parent_id, turn_id, pairing, before_id"
}

// raw is a row that isn't parsed yet: nobody should wait for that.
type raw struct {
	placed Placed
	json   []byte
}

type scanner interface{ Scan(...any) error }

func (r *raw) scan(row scanner) error {
	p, text := &r.placed, ""
	err := row.Scan(&p.Seq, &text, &p.Place.TraceID, &p.Place.ParentID, &p.Place.TurnID, &p.Place.Pairing, &p.Place.Before)
	r.json = bytesOf(text)
	p.Bytes = len(r.json)
	return err
}

func (r *raw) parse() (Placed, error) {
	var err error
	r.placed.Record, err = record.Parse(r.json)
	return r.placed, err
}

// After reads the events behind a sequence number, in its order: at most so many, and no more once their JSON has that many
// bytes. Damaged ones are among them: where they are the last, a sink has to get past them as well. Events that were just
// inserted need no look at the disk, if the store was told to Keep them.
func (s *Store) After(ctx context.Context, seq int64, limit, maxBytes int) ([]Placed, error) {
	if kept := s.keptAfter(ctx, seq, limit, maxBytes); len(kept) > 0 {
		return kept, nil
	}
	rows, err := s.after(ctx, seq, limit, maxBytes)
	if err != nil {
		return nil, fmt.Errorf("read events of %s: %w", s.path, classify(err))
	}
	out := make([]Placed, len(rows))
	for i := range rows {
		s.noteSize(rows[i].placed.Bytes)
		p, err := rows[i].parse()
		if err != nil {
			p = Placed{Seq: rows[i].placed.Seq, Damaged: true}
		}
		out[i], rows[i].json = p, nil
	}
	return out, nil
}

func (s *Store) after(ctx context.Context, seq int64, limit, maxBytes int) ([]raw, error) {
	rows, err := s.reader().QueryContext(ctx, "SELECT "+s.placed()+" FROM events WHERE seq > ? ORDER BY seq LIMIT ?", seq, limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []raw
	for size := 0; size < maxBytes && rows.Next(); {
		var r raw
		if err := r.scan(rows); err != nil {
			return nil, err
		}
		out = append(out, r)
		size += len(r.json)
	}
	return out, rows.Err()
}

// Event reads one event by its id; ok is false where it isn't, or no longer, in the store, or can't be read.
func (s *Store) Event(ctx context.Context, id string) (p Placed, ok bool, err error) {
	if p, ok := s.kept(ctx, id); ok {
		return p, true, nil
	}
	var r raw
	err = r.scan(s.reader().QueryRowContext(ctx, "SELECT "+s.placed()+" FROM events WHERE id = ?", id))
	if errors.Is(err, sql.ErrNoRows) {
		return Placed{}, false, nil
	}
	if err != nil {
		return Placed{}, false, fmt.Errorf("read event %s of %s: %w", id, s.path, classify(err))
	}
	s.noteSize(r.placed.Bytes)
	if p, err = r.parse(); err != nil {
		return Placed{}, false, nil // what can't be read must not keep a sink from all that needs it
	}
	return p, true, nil
}

// Turns reads the turns that ended behind a sequence number of theirs, in its order, damaged ones among them.
func (s *Store) Turns(ctx context.Context, seq int64, limit int) ([]Ended, error) {
	if s.older {
		return nil, nil
	}
	rows, err := s.reader().QueryContext(ctx, "SELECT seq, json FROM turns WHERE seq > ? ORDER BY seq LIMIT ?", seq, limit)
	if err != nil {
		return nil, fmt.Errorf("read turns of %s: %w", s.path, classify(err))
	}
	defer rows.Close()
	var out []Ended
	for rows.Next() {
		var e Ended
		var text []byte
		if err := rows.Scan(&e.Seq, &text); err != nil {
			return nil, fmt.Errorf("read turns of %s: %w", s.path, classify(err))
		}
		if json.Unmarshal(text, &e.Turn) != nil {
			e = Ended{Seq: e.Seq, Damaged: true}
		}
		out = append(out, e)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read turns of %s: %w", s.path, classify(err))
	}
	return out, nil
}

// SeqAt is the sequence number before the first event, and before the first turn, that ended at a time or later.
func (s *Store) SeqAt(ctx context.Context, at time.Time) (event, turn int64, err error) {
	event, turn, err = s.Head(ctx)
	if err != nil || s.older {
		return event, turn, err
	}
	for _, of := range []struct {
		query string
		to    *int64
	}{{"SELECT min(seq) - 1 FROM events WHERE time_ns >= ?", &event}, {"SELECT min(seq) - 1 FROM turns WHERE end_ns >= ?", &turn}} {
		var n sql.NullInt64
		if err := s.db.QueryRowContext(ctx, of.query, unixNano(at)).Scan(&n); err != nil {
			return 0, 0, fmt.Errorf("find %s in %s: %w", at.Format(time.RFC3339), s.path, classify(err))
		}
		if n.Valid {
			*of.to = n.Int64
		}
	}
	return event, turn, nil
}
