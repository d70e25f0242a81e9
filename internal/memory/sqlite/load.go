package sqlite

import (
	"strings"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/boathook/boathook/internal/memory"
)

// loader reads chunks that were found, those that the filter selects.
type loader struct {
	*conn
	in       scope
	q        memory.Query
	sessions map[int64]owner
}

// owner is what a hit says of its session.
type owner struct {
	id, agent, outcome string
	ended              time.Time
	// selected says that the filter takes it.
	selected bool
}

func newLoader(c *conn, in scope, q memory.Query) *loader {
	return &loader{conn: c, in: in, q: q, sessions: map[int64]owner{}}
}

// load reads as many as are wanted, in the order of the candidates.
func (l *loader) load(all []candidate, limit int) (hits []memory.Hit, err error) {
	for _, c := range all {
		if len(hits) == limit {
			break
		}
		hit, ok, err := l.hit(c.chunk)
		if err != nil {
			return nil, err
		}
		if ok {
			hits = append(hits, hit)
		}
	}
	return hits, nil
}

const chunkColumns = "chunk_id, session, project, row_id, piece, role, ts, tool, status, tags, command, chunk_text"

// hit reads one chunk; ok is false where the filter does not select it.
func (l *loader) hit(id int64) (h memory.Hit, ok bool, err error) {
	var session int64
	err = l.each("SELECT "+chunkColumns+" FROM ltm_chunks WHERE chunk_id = ?", []any{id}, func(s *sqlite3.Stmt) error {
		session = s.ColumnInt64(1)
		name, in := l.in.names[s.ColumnInt64(2)]
		if ok = in && l.takes(s); ok {
			h.Chunk = chunkOf(s)
			h.Project = name
		}
		return nil
	})
	if err != nil || !ok {
		return h, false, err
	}
	o, err := l.owner(session)
	if err != nil || !o.selected {
		return h, false, err
	}
	h.Session, h.Agent, h.Outcome, h.Ended = o.id, o.agent, o.outcome, o.ended
	if err := l.around(&h, session); err != nil {
		return h, false, err
	}
	return h, true, nil
}

// takes tells whether the filter selects the row, as far as that is known without its session.
func (l *loader) takes(s *sqlite3.Stmt) bool {
	f := l.q.Filter
	at := s.ColumnInt64(6)
	return f.TakesRole(s.ColumnText(5)) && (f.Since.IsZero() || at >= nano(f.Since)) && (f.Until.IsZero() || at < nano(f.Until)) &&
		(f.Tool == "" || s.ColumnText(7) == f.Tool) && (f.Status == "" || s.ColumnText(8) == f.Status) &&
		(f.Tag == "" || strings.Contains(s.ColumnText(9), joinTags([]string{f.Tag})))
}

// chunkOf reads the chunk's own columns.
func chunkOf(s *sqlite3.Stmt) memory.Chunk {
	c := memory.Chunk{
		ID: s.ColumnInt64(0), Piece: s.ColumnInt(4), Role: s.ColumnText(5), Time: fromNano(s.ColumnInt64(6)), Tool: s.ColumnText(7),
		Status: s.ColumnText(8), Command: s.ColumnText(10), Text: s.ColumnText(11),
	}
	if tags := s.ColumnText(9); tags != "" {
		c.Tags = strings.Fields(tags)
	}
	if row := s.ColumnText(3); strings.HasPrefix(row, "t") {
		c.Call = row
	} else {
		c.Message = row
	}
	return c
}

func (l *loader) owner(session int64) (owner, error) {
	if o, known := l.sessions[session]; known {
		return o, nil
	}
	var o owner
	f := l.q.Filter
	err := l.each("SELECT session_id, source, outcome, ended_at, active_at FROM ltm_sessions WHERE session = ?", []any{session}, func(s *sqlite3.Stmt) error {
		ended, active := s.ColumnInt64(3), s.ColumnInt64(4)
		o = owner{id: s.ColumnText(0), agent: s.ColumnText(1), outcome: s.ColumnText(2), ended: fromNano(ended)}
		open := !f.OpenSince.IsZero() && active > nano(f.OpenSince) && (ended == 0 || ended < active)
		o.selected = !open && (f.Session == "" || o.id == f.Session) && (f.NotSession == "" || o.id != f.NotSession) &&
			(f.Agent == "" || o.agent == f.Agent)
		return nil
	})
	l.sessions[session] = o
	return o, err
}

// The chunks before and after another in the session's order, which is that of the times and not of the writing.
const (
	termsOf     = "SELECT terms FROM ltm_terms WHERE chunk_id = ?"
	termsBefore = `SELECT terms FROM ltm_terms WHERE chunk_id = (SELECT chunk_id FROM ltm_chunks WHERE session = ?1 AND (ts, row_id, piece) < (?2, ?3, ?4)
ORDER BY ts DESC, row_id DESC, piece DESC LIMIT 1)`
	termsAfter = `SELECT terms FROM ltm_terms WHERE chunk_id = (SELECT chunk_id FROM ltm_chunks WHERE session = ?1 AND (ts, row_id, piece) > (?2, ?3, ?4)
ORDER BY ts, row_id, piece LIMIT 1)`
)

// around reads the terms of a hit, and those of its neighbours.
func (l *loader) around(h *memory.Hit, session int64) error {
	read := func(into *[]string) func(*sqlite3.Stmt) error {
		return func(s *sqlite3.Stmt) error {
			*into = splitTerms(s.ColumnText(0))
			return nil
		}
	}
	if err := l.each(termsOf, []any{h.ID}, read(&h.Terms)); err != nil {
		return err
	}
	place := []any{session, nano(h.Time), h.Message + h.Call, h.Piece}
	if err := l.each(termsBefore, place, read(&h.Before)); err != nil {
		return err
	}
	return l.each(termsAfter, place, read(&h.After))
}
