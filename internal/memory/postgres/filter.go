package postgres

import (
	"fmt"
	"strings"

	"github.com/boathook/boathook/internal/memory"
)

// where is a condition, with the values of its parameters. The first is always the tenant.
type where struct {
	cond []string
	args []any
}

// in are the conditions for the tenant's rows of a table.
func (f *features) in(table string) *where {
	return &where{cond: []string{table + ".tenant_id = $1"}, args: []any{f.tenant}}
}

// arg is the place of a value.
func (w *where) arg(v any) string {
	w.args = append(w.args, v)
	return fmt.Sprintf("$%d", len(w.args))
}

// and adds a condition; each %s in it is the place of a value.
func (w *where) and(cond string, values ...any) *where {
	places := make([]any, len(values))
	for i, v := range values {
		places[i] = w.arg(v)
	}
	w.cond = append(w.cond, fmt.Sprintf(cond, places...))
	return w
}

func (w *where) String() string { return strings.Join(w.cond, " AND ") }

// projects are those of a filter. In none of them there is nothing.
func (w *where) projects(column string, f memory.Filter) {
	switch {
	case f.AllProjects:
	case len(f.Projects) == 0:
		w.and("false")
	default:
		w.and(column+" = ANY (ARRAY(SELECT project_no FROM ltm_projects WHERE tenant_id = $1 AND project_hash = ANY (%s::text[])))", f.Projects)
	}
}

// sessions are the conditions on a session s.
func (w *where) sessions(f memory.Filter) *where {
	w.projects("s.project_no", f)
	if f.Session != "" {
		w.and("s.session_id = %s", f.Session)
	}
	if f.Agent != "" {
		w.and("s.source = %s", f.Agent)
	}
	if f.NotSession != "" {
		w.and("s.session_id <> %s", f.NotSession)
	}
	if !f.OpenSince.IsZero() {
		w.and("NOT coalesce(s.active_at > %s AND (s.ended_at IS NULL OR s.ended_at < s.active_at), false)", f.OpenSince)
	}
	return w
}

// times are those on a column of times.
func (w *where) times(column string, f memory.Filter) *where {
	if !f.Since.IsZero() {
		w.and(column+" >= %s", f.Since)
	}
	if !f.Until.IsZero() {
		w.and(column+" < %s", f.Until)
	}
	return w
}

// messages are those on messages m and their sessions s, calls those on tool calls m, chunks those on chunks c.
func (w *where) messages(f memory.Filter) *where {
	w.sessions(f).and("NOT m.hidden AND NOT m.gone")
	if f.Tool != "" || f.Status != "" {
		w.and("false")
	}
	w.role("m.role", f)
	return w.times("m.ts", f).tag("m.message_id", f)
}

// role is what memory.Filter.TakesRole says.
func (w *where) role(column string, f memory.Filter) {
	switch f.Role {
	case "":
	case memory.RoleAssistant:
		w.and(column+" IN (%s, %s)", memory.RoleAssistant, memory.RoleGemini)
	default:
		w.and(column+" = %s", f.Role)
	}
}

func (w *where) calls(f memory.Filter) *where {
	w.sessions(f).and("NOT m.hidden AND NOT m.gone")
	if f.Role != "" && f.Role != memory.RoleTool {
		w.and("false")
	}
	if f.Tool != "" {
		w.and("m.tool_name = %s", f.Tool)
	}
	if f.Status != "" {
		w.and("m.status = %s", f.Status)
	}
	return w.times("m.ts", f).tag("m.tool_call_id", f)
}

func (w *where) tag(id string, f memory.Filter) *where {
	if f.Tag != "" {
		w.and("EXISTS (SELECT FROM ltm_chunks t WHERE t.tenant_id = $1 AND t.row_id = "+id+
			" AND NOT t.gone AND t.metadata @> jsonb_build_object('tags', jsonb_build_array(%s::text)))", f.Tag)
	}
	return w
}

func (w *where) chunks(f memory.Filter) *where {
	w.sessions(f)
	return w.chunk(f)
}

// chunk are the conditions on a chunk c itself.
func (w *where) chunk(f memory.Filter) *where {
	w.and("NOT c.gone")
	w.role("c.role", f)
	if f.Tool != "" {
		w.and("c.tool_name = %s", f.Tool)
	}
	if f.Status != "" {
		w.and("c.status = %s", f.Status)
	}
	if f.Tag != "" {
		w.and("c.metadata @> jsonb_build_object('tags', jsonb_build_array(%s::text))", f.Tag)
	}
	return w.times("c.ts", f)
}

// alone are those on a chunk c whose session is not joined, for a search that has to follow an index of vectors.
func (w *where) alone(f memory.Filter) *where {
	w.projects("c.project_no", f)
	if f.Session != "" {
		w.and("c.session_id = %s", f.Session)
	}
	if f.NotSession != "" {
		w.and("c.session_id <> %s", f.NotSession)
	}
	if f.Agent != "" {
		w.and("c.session_id IN (SELECT session_id FROM ltm_sessions WHERE tenant_id = $1 AND source = %s)", f.Agent)
	}
	if !f.OpenSince.IsZero() {
		w.and("c.session_id <> ALL (ARRAY(SELECT session_id FROM ltm_sessions WHERE tenant_id = $1 AND active_at > %s "+
			"AND (ended_at IS NULL OR ended_at < active_at)))", f.OpenSince)
	}
	return w.chunk(f)
}
