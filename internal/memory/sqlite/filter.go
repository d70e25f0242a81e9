package sqlite

import (
	"strings"

	"github.com/ncruces/go-sqlite3"

	"github.com/boathook/boathook/internal/memory"
)

// scope are the projects of a filter, by their numbers.
type scope struct {
	names  map[int64]string
	chunks map[int64]int64
	order  []int64
}

func (c *conn) scope(f memory.Filter) (scope, error) {
	s := scope{names: map[int64]string{}, chunks: map[int64]int64{}}
	add := func(row *sqlite3.Stmt) error {
		n := row.ColumnInt64(0)
		if _, twice := s.names[n]; !twice {
			s.order = append(s.order, n)
		}
		s.names[n], s.chunks[n] = row.ColumnText(1), row.ColumnInt64(2)
		return nil
	}
	if f.AllProjects {
		return s, c.each("SELECT project, project_hash, chunks FROM ltm_projects ORDER BY project", nil, add)
	}
	for _, key := range f.Projects {
		if err := c.each("SELECT project, project_hash, chunks FROM ltm_projects WHERE project_hash = ?", []any{key}, add); err != nil {
			return s, err
		}
	}
	return s, nil
}

// where is a condition on rows of sessions s, and on one of the tables that hang on them.
type where struct {
	cond strings.Builder
	args []any
}

func (w *where) and(cond string, args ...any) {
	if w.cond.Len() > 0 {
		w.cond.WriteString(" AND ")
	}
	w.cond.WriteString(cond)
	w.args = append(w.args, args...)
}

func (w *where) String() string { return w.cond.String() }

// sessions are the conditions on a session. In none of a filter's projects there is nothing.
func (w *where) sessions(f memory.Filter) {
	switch {
	case f.AllProjects:
		w.and("1")
	case len(f.Projects) == 0:
		w.and("0")
	default:
		marks := strings.TrimSuffix(strings.Repeat("?, ", len(f.Projects)), ", ")
		w.and("s.project IN (SELECT project FROM ltm_projects WHERE project_hash IN (" + marks + "))")
		for _, p := range f.Projects {
			w.args = append(w.args, p)
		}
	}
	if f.Session != "" {
		w.and("s.session_id = ?", f.Session)
	}
	if f.Agent != "" {
		w.and("s.source = ?", f.Agent)
	}
	if f.NotSession != "" {
		w.and("s.session_id <> ?", f.NotSession)
	}
	if !f.OpenSince.IsZero() {
		w.and("NOT (s.active_at > ? AND (s.ended_at = 0 OR s.ended_at < s.active_at))", nano(f.OpenSince))
	}
}

// times are those on a column of times.
func (w *where) times(column string, f memory.Filter) {
	if !f.Since.IsZero() {
		w.and(column+" >= ?", nano(f.Since))
	}
	if !f.Until.IsZero() {
		w.and(column+" < ?", nano(f.Until))
	}
}

// messages are those on messages m, calls those on tool calls c, chunks those on chunks k.
func (w *where) messages(f memory.Filter) {
	w.sessions(f)
	w.and("m.hidden = 0")
	if f.Tool != "" || f.Status != "" {
		w.and("0")
	}
	w.role("m.role", f)
	w.times("m.ts", f)
	w.tag("m.message_id", f)
}

// role is what memory.Filter.TakesRole says.
func (w *where) role(column string, f memory.Filter) {
	switch f.Role {
	case "":
	case memory.RoleAssistant:
		w.and(column+" IN (?, ?)", memory.RoleAssistant, memory.RoleGemini)
	default:
		w.and(column+" = ?", f.Role)
	}
}

func (w *where) calls(f memory.Filter) {
	w.sessions(f)
	if f.Role != "" && f.Role != memory.RoleTool {
		w.and("0")
	}
	if f.Tool != "" {
		w.and("c.tool_name = ?", f.Tool)
	}
	if f.Status != "" {
		w.and("c.status = ?", f.Status)
	}
	w.times("c.ts", f)
	w.tag("c.tool_call_id", f)
}

func (w *where) tag(id string, f memory.Filter) {
	if f.Tag != "" {
		w.and("EXISTS (SELECT 1 FROM ltm_chunks t WHERE t.row_id = "+id+" AND instr(t.tags, ?))", joinTags([]string{f.Tag}))
	}
}

func (w *where) chunks(f memory.Filter) {
	w.sessions(f)
	w.role("k.role", f)
	if f.Tool != "" {
		w.and("k.tool = ?", f.Tool)
	}
	if f.Status != "" {
		w.and("k.status = ?", f.Status)
	}
	if f.Tag != "" {
		w.and("instr(k.tags, ?)", joinTags([]string{f.Tag}))
	}
	w.times("k.ts", f)
}
