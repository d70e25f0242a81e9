package sqlite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ncruces/go-sqlite3"

	"github.com/boathook/boathook/internal/memory"
)

var errPage = errors.New("no such page")

// page is where a list goes on: after the row of a time and an id.
func page(at int64, id string) memory.Page {
	return memory.Page(strconv.FormatInt(at, 10) + " " + id)
}

func parsePage(p memory.Page) (at int64, id string, err error) {
	n, id, ok := strings.Cut(string(p), " ")
	at, err = strconv.ParseInt(n, 10, 64)
	if err != nil || !ok {
		return 0, "", fmt.Errorf("%w: %.60q", errPage, string(p))
	}
	return at, id, nil
}

// Sessions lists sessions, the newest first.
func (s *Store) Sessions(ctx context.Context, f memory.Filter, at memory.Page, limit int) (out []memory.Session, next memory.Page, err error) {
	var w where
	w.sessions(f)
	w.times("s.sort_at", f)
	if at != "" {
		ts, id, err := parsePage(at)
		if err != nil {
			return nil, "", err
		}
		w.and("(s.sort_at, s.session_id) < (?, ?)", ts, id)
	}
	limit = max(limit, 0)
	err = s.reading(ctx, "list the sessions of", func(c *conn) error {
		return c.each("SELECT "+sessionColumns+", s.sort_at FROM ltm_sessions s JOIN ltm_projects p USING (project) WHERE "+w.String()+
			" ORDER BY s.sort_at DESC, s.session_id DESC LIMIT ?", append(w.args, limit+1), func(row *sqlite3.Stmt) error {
			if len(out) == limit {
				next = "more"
				return nil
			}
			out = append(out, sessionRow(row).Session)
			at = page(row.ColumnInt64(9), row.ColumnText(0))
			return nil
		})
	})
	if next != "" {
		next = at
	}
	return out, next, err
}

// Entries lists messages and calls in the order of their time.
func (s *Store) Entries(ctx context.Context, f memory.Filter, at memory.Page, limit int) (out []memory.Entry, next memory.Page, err error) {
	var m, c where
	m.messages(f)
	c.calls(f)
	if at != "" {
		ts, id, err := parsePage(at)
		if err != nil {
			return nil, "", err
		}
		m.and("(m.ts, m.message_id) > (?, ?)", ts, id)
		c.and("(c.ts, c.tool_call_id) > (?, ?)", ts, id)
	}
	limit = max(limit, 0)
	query := `SELECT m.ts AS at, m.message_id AS id FROM ltm_messages m JOIN ltm_sessions s USING (session) WHERE ` + m.String() + `
UNION ALL SELECT c.ts, c.tool_call_id FROM ltm_tool_calls c JOIN ltm_sessions s USING (session) WHERE ` + c.String() + `
ORDER BY at, id LIMIT ?`
	err = s.reading(ctx, "list the entries of", func(db *conn) error {
		var ids []string
		var times []int64
		err := db.each(query, slices.Concat(m.args, c.args, []any{limit + 1}), func(row *sqlite3.Stmt) error {
			times, ids = append(times, row.ColumnInt64(0)), append(ids, row.ColumnText(1))
			return nil
		})
		if len(ids) > limit {
			ids = ids[:limit]
			if limit > 0 {
				next = page(times[limit-1], ids[limit-1])
			}
		}
		for i := 0; err == nil && i < len(ids); i++ {
			var e memory.Entry
			e, _, err = db.entry(ids[i])
			out = append(out, e)
		}
		return err
	})
	return out, next, err
}

// entry reads a message or a tool call.
func (c *conn) entry(id string) (e memory.Entry, ok bool, err error) {
	if strings.HasPrefix(id, "t") {
		err = c.each("SELECT "+callColumns+`, s.session_id, p.project_hash, s.source FROM ltm_tool_calls c JOIN ltm_sessions s USING (session)
JOIN ltm_projects p USING (project) WHERE c.tool_call_id = ? AND c.hidden = 0`, []any{id}, func(s *sqlite3.Stmt) error {
			found := call(s, s.ColumnText(17))
			e, ok = memory.Entry{Call: &found, Project: s.ColumnText(18), Agent: s.ColumnText(19)}, true
			return nil
		})
		return e, ok, err
	}
	err = c.each("SELECT "+messageColumns+`, s.session_id, p.project_hash, s.source FROM ltm_messages m JOIN ltm_sessions s USING (session)
JOIN ltm_projects p USING (project) WHERE m.message_id = ? AND m.hidden = 0`, []any{id}, func(s *sqlite3.Stmt) error {
		found := message(s, s.ColumnText(11))
		e, ok = memory.Entry{Message: &found, Project: s.ColumnText(12), Agent: s.ColumnText(13)}, true
		return nil
	})
	return e, ok, err
}

// Get reads messages and calls by their ids, in that order, those of the filter's projects alone.
func (s *Store) Get(ctx context.Context, f memory.Filter, ids []string) (out []memory.Entry, err error) {
	err = s.reading(ctx, "read rows of", func(c *conn) error {
		for _, id := range ids {
			e, ok, err := c.entry(id)
			if err != nil {
				return err
			}
			if ok && (f.AllProjects || slices.Contains(f.Projects, e.Project)) {
				out = append(out, e)
			}
		}
		return nil
	})
	return out, err
}
