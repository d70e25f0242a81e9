package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/boathook/boathook/internal/correlate"
	"github.com/boathook/boathook/internal/record"
)

// Row is one event: its record for the columns, and the record's JSON as it was spooled.
type Row struct {
	Record record.Record
	JSON   []byte
}

const insertRow = `INSERT INTO events (id, time_ns, agent, event, host_event, session_id, turn_id, call_id, tool, rule, action,
expressed, source, latency_ms, json, trace_id, parent_id, pairing, before_id)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`

// statements are prepared once: an insert needs them for every row.
type statements struct {
	insert, known, session, saveSession, saveTurn *sql.Stmt
}

func (s *Store) prepareStatements(ctx context.Context) (err error) {
	for _, of := range []struct {
		to    **sql.Stmt
		query string
	}{
		{&s.stmts.insert, insertRow},
		{&s.stmts.known, "SELECT count(*) FROM events WHERE id = ?"},
		{&s.stmts.session, "SELECT json FROM sessions WHERE key = ?"},
		{&s.stmts.saveSession, `INSERT INTO sessions (key, last_ns, open, json) VALUES (?, ?, ?, ?)
ON CONFLICT (key) DO UPDATE SET last_ns = excluded.last_ns, open = excluded.open, json = excluded.json`},
		{&s.stmts.saveTurn, "INSERT INTO turns (id, end_ns, json) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING"},
	} {
		if *of.to, err = s.db.PrepareContext(ctx, of.query); err != nil {
			return err
		}
	}
	return nil
}

var errReadOnly = errors.New("opened for reading only")

// Insert adds rows in one transaction, each with its place, and returns how many are new: a row whose id is there already
// is left as it is, and doesn't count in its session. On an error none is added; ErrRejected means that at least one of
// them never can be.
func (s *Store) Insert(ctx context.Context, rows []Row) (inserted int, err error) {
	inserted, err = s.insert(ctx, rows)
	if err != nil {
		return 0, fmt.Errorf("insert events into %s: %w", s.path, classify(err))
	}
	return inserted, nil
}

func (s *Store) insert(ctx context.Context, rows []Row) (int, error) {
	if s.stmts.insert == nil {
		return 0, errReadOnly
	}
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer func() { _ = tx.Rollback() }()
	stmt, knows := tx.StmtContext(ctx, s.stmts.insert), tx.StmtContext(ctx, s.stmts.known)
	places := s.placing(ctx, tx)
	var added []Placed
	for i := range rows {
		known, err := isKnown(ctx, knows, rows[i].Record.ID)
		if err != nil {
			return 0, err
		}
		if known {
			continue
		}
		place, err := places.next(ctx, &rows[i].Record)
		if err != nil {
			return 0, err
		}
		s.noteSize(len(rows[i].JSON))
		seq, err := addRow(ctx, stmt, rows[i], place)
		if err != nil {
			return 0, err
		}
		added = append(added, Placed{Seq: seq, Record: rows[i].Record, Place: place, Bytes: len(rows[i].JSON)})
	}
	if err := places.save(ctx); err != nil {
		return 0, err
	}
	if err := tx.Commit(); err != nil {
		return 0, err
	}
	s.recent.add(added)
	return len(added), nil
}

func addRow(ctx context.Context, stmt *sql.Stmt, row Row, at correlate.Place) (seq int64, err error) {
	res, err := stmt.ExecContext(ctx, columns(row, at)...)
	if err != nil {
		return 0, err
	}
	return res.LastInsertId()
}

func isKnown(ctx context.Context, knows *sql.Stmt, id string) (bool, error) {
	var n int
	err := knows.QueryRowContext(ctx, id).Scan(&n)
	return n > 0, err
}

func columns(row Row, at correlate.Place) []any {
	r := row.Record
	tool := ""
	if r.Tool != nil {
		tool = r.Tool.Name
	}
	latency := r.Hook.LatencyMS
	if math.IsNaN(latency) {
		latency = 0 // SQLite would make it NULL
	}
	return []any{
		r.ID, unixNano(r.Time), r.Agent, string(r.Event.Event), r.HostEvent, r.SessionID, at.TurnID, r.CallID, tool,
		r.Decision.Rule, string(r.Decision.Action), string(r.Decision.Expressed), r.Decision.Source, latency, textOf(row.JSON),
		at.TraceID, at.ParentID, string(at.Pairing), at.Before,
	}
}

// unixNano is t's place in the time index. Years that don't fit sort to the ends.
func unixNano(t time.Time) int64 {
	switch {
	case t.Before(time.Unix(0, math.MinInt64)):
		return math.MinInt64
	case t.After(time.Unix(0, math.MaxInt64)):
		return math.MaxInt64
	}
	return t.UnixNano()
}
