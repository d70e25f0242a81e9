package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Filter selects events. A zero field selects all.
type Filter struct {
	Since, Until                                   time.Time // Since is included, Until isn't
	Agent, Event, HostEvent, Session, Tool, Action string
	// Trace and Turn are ids of where events were placed.
	Trace, Turn string
	// Text is a part of the record's JSON, in any case of ASCII letters.
	Text string
	// AfterSeq selects what was inserted after that event.
	AfterSeq int64
	// Limit is how many events are wanted: the first ones, or with Newest the last ones. Zero is all.
	Limit  int
	Newest bool
}

// A page is what Each reads before it calls back: so many rows, or less where they are large.
const (
	pageRows  = 64
	pageBytes = 4 << 20
)

type page struct {
	seq  []int64
	json [][]byte
}

// Each calls fn for every selected event, oldest insertion first, and stops with fn's error. No lock or transaction is
// held while fn runs: it may take its time and use the store. Events inserted meanwhile may or may not be seen.
func (s *Store) Each(ctx context.Context, f Filter, fn func(seq int64, json []byte) error) error {
	cond, args := f.where()
	last := int64(-1)
	if f.Newest && f.Limit > 0 {
		var err error
		if f.AfterSeq, last, err = s.newest(ctx, cond, args, f.AfterSeq, f.Limit); err != nil {
			return fmt.Errorf("read events of %s: %w", s.path, classify(err))
		}
	}
	for left := f.Limit; ; {
		p, err := s.page(ctx, cond, args, f.AfterSeq, last, left)
		if err != nil {
			return fmt.Errorf("read events of %s: %w", s.path, classify(err))
		}
		if len(p.seq) == 0 {
			return nil
		}
		for i, seq := range p.seq {
			if err := fn(seq, p.json[i]); err != nil {
				return err
			}
			f.AfterSeq = seq
		}
		if f.Limit > 0 {
			if left -= len(p.seq); left <= 0 {
				return nil
			}
		}
	}
}

// newest returns the bounds of the newest limit events: after that seq, up to that one.
func (s *Store) newest(
	ctx context.Context, cond string, args []any, after int64, limit int,
) (lower, upper int64, err error) {
	query := "SELECT min(seq), max(seq) FROM (SELECT seq FROM events WHERE seq > ?" + cond + " ORDER BY seq DESC LIMIT ?)"
	all := append(append([]any{after}, args...), limit)
	var first, last sql.NullInt64
	if err := s.db.QueryRowContext(ctx, query, all...).Scan(&first, &last); err != nil {
		return 0, 0, err
	}
	if !first.Valid {
		return after, after, nil
	}
	return first.Int64 - 1, last.Int64, nil
}

// page reads the next events after a seq, and up to last unless that is negative.
func (s *Store) page(ctx context.Context, cond string, args []any, after, last int64, left int) (page, error) {
	query := "SELECT seq, json FROM events WHERE seq > ?"
	all := []any{after}
	if last >= 0 {
		query += " AND seq <= ?"
		all = append(all, last)
	}
	limit := pageRows
	if left > 0 {
		limit = min(limit, left)
	}
	rows, err := s.db.QueryContext(ctx, query+cond+" ORDER BY seq LIMIT ?", append(append(all, args...), limit)...)
	if err != nil {
		return page{}, err
	}
	defer rows.Close()
	var p page
	for size := 0; size < pageBytes && rows.Next(); {
		var seq int64
		var b []byte
		if err := rows.Scan(&seq, &b); err != nil {
			return page{}, err
		}
		p.seq, p.json = append(p.seq, seq), append(p.json, b)
		size += len(b)
	}
	return p, errors.Join(rows.Err(), rows.Close())
}

// where is the filter's part of the condition, each term with a leading AND.
func (f Filter) where() (cond string, args []any) {
	add := func(term string, values ...any) {
		cond += " AND " + term
		args = append(args, values...)
	}
	if !f.Since.IsZero() {
		add("time_ns >= ?", unixNano(f.Since))
	}
	if !f.Until.IsZero() {
		add("time_ns < ?", unixNano(f.Until))
	}
	for _, eq := range []struct{ column, value string }{
		{"agent", f.Agent}, {"event", f.Event}, {"host_event", f.HostEvent}, {"session_id", f.Session}, {"tool", f.Tool},
		{"action", f.Action}, {"trace_id", f.Trace}, {"turn_id", f.Turn},
	} {
		if eq.value != "" {
			add(eq.column+" = ?", eq.value)
		}
	}
	if f.Text != "" {
		plain, escaped := likePatterns(f.Text)
		if plain == escaped {
			add(`json LIKE ? ESCAPE '\'`, plain)
		} else {
			add(`(json LIKE ? ESCAPE '\' OR json LIKE ? ESCAPE '\')`, plain, escaped)
		}
	}
	return cond, args
}

// likePatterns are patterns for text as it stands in JSON: <, > and & may be escaped there or not.
func likePatterns(text string) (plain, escaped string) {
	quoted := func(html bool) string {
		var b strings.Builder
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(html)
		_ = e.Encode(text) // a string can always be encoded
		inner := strings.TrimSuffix(strings.TrimPrefix(strings.TrimSuffix(b.String(), "\n"), `"`), `"`)
		return "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(inner) + "%"
	}
	return quoted(false), quoted(true)
}
