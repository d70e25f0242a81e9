package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/boathook/boathook/internal/memory"
)

var errPage = errors.New("no such page")

// page is where a list goes on: after the row of a time and an id.
func page(at time.Time, id string) memory.Page {
	return memory.Page(strconv.FormatInt(at.UnixMicro(), 10) + " " + id)
}

func parsePage(p memory.Page) (at time.Time, id string, err error) {
	n, id, ok := strings.Cut(string(p), " ")
	micros, err := strconv.ParseInt(n, 10, 64)
	if err != nil || !ok {
		return at, "", fmt.Errorf("%w: %.60q", errPage, string(p))
	}
	return time.UnixMicro(micros).UTC(), id, nil
}

// sortAt is what sessions are listed by.
const sortAt = "coalesce(s.started_at, s.active_at, 'epoch')"

// Sessions lists sessions, the newest first.
func (s *Store) Sessions(ctx context.Context, f memory.Filter, from memory.Page, limit int) (out []memory.Session, next memory.Page, err error) {
	const doing = "list the sessions of PostgreSQL"
	can, err := s.ready(ctx)
	if err != nil {
		return nil, "", failed(doing, err)
	}
	w := can.in("s").sessions(f).times(sortAt, f)
	if from != "" {
		ts, id, err := parsePage(from)
		if err != nil {
			return nil, "", err
		}
		w.and("("+sortAt+", s.session_id) < (%s, %s)", ts, id)
	}
	limit = max(limit, 0)
	var last memory.Page
	sql := "SELECT " + sessionColumns + ", " + sortAt + " FROM ltm_sessions s WHERE " + w.String() + " ORDER BY " + sortAt +
		" DESC, s.session_id DESC LIMIT " + w.arg(limit+1)
	err = s.ask(ctx, nil, statement{sql, w.args, func(r pgx.CollectableRow) error {
		var row memory.Session
		var at time.Time
		err := scanSession(r, &row, &at)
		if len(out) == limit {
			next = last
			return err
		}
		out, last = append(out, row), page(at, row.ID)
		return err
	}})
	return out, next, failed(doing, err)
}

// Entries lists messages and calls in the order of their time.
func (s *Store) Entries(ctx context.Context, f memory.Filter, from memory.Page, limit int) (out []memory.Entry, next memory.Page, err error) {
	const doing = "list the entries of PostgreSQL"
	can, err := s.ready(ctx)
	if err != nil {
		return nil, "", failed(doing, err)
	}
	m, c := can.in("m").messages(f), can.in("m").calls(f)
	if from != "" {
		ts, id, err := parsePage(from)
		if err != nil {
			return nil, "", err
		}
		m.and("(m.ts, m.message_id) > (%s, %s)", ts, id)
		c.and("(m.ts, m.tool_call_id) > (%s, %s)", ts, id)
	}
	limit = max(limit, 0)
	err = s.ask(ctx, nil,
		statement{entrySQL("ltm_messages", "message_id", messageColumns, m, limit+1), m.args, collectEntries(&out, true)},
		statement{entrySQL("ltm_tool_calls", "tool_call_id", callColumns, c, limit+1), c.args, collectEntries(&out, false)})
	slices.SortStableFunc(out, func(a, b memory.Entry) int {
		at, id := placeOf(a)
		bt, bid := placeOf(b)
		if n := at.Compare(bt); n != 0 {
			return n
		}
		return strings.Compare(id, bid)
	})
	if len(out) > limit {
		if out = out[:limit]; limit > 0 {
			next = page(placeOf(out[limit-1]))
		}
	}
	return out, next, failed(doing, err)
}

// placeOf is where an entry stands in the order.
func placeOf(e memory.Entry) (time.Time, string) {
	if e.Message != nil {
		return stored(e.Message.Time), e.Message.ID
	}
	return stored(e.Call.Time), e.Call.ID
}

func entrySQL(table, id, columns string, w *where, limit int) string {
	sql := "SELECT " + columns + ", s.project_hash, s.source FROM " + table +
		" m JOIN ltm_sessions s ON s.tenant_id = m.tenant_id AND s.session_id = m.session_id WHERE " + w.String() + " ORDER BY m.ts, m." + id
	if limit > 0 {
		sql += " LIMIT " + w.arg(limit)
	}
	return sql
}

func collectEntries(out *[]memory.Entry, messages bool) func(pgx.CollectableRow) error {
	return func(r pgx.CollectableRow) error {
		var e memory.Entry
		var err error
		if messages {
			e.Message = &memory.Message{}
			err = scanMessage(r, e.Message, &e.Project, &e.Agent)
		} else {
			e.Call = &memory.ToolCall{}
			err = scanCall(r, e.Call, &e.Project, &e.Agent)
		}
		*out = append(*out, e)
		return err
	}
}

// Get reads messages and calls by their ids, in that order, those of the filter's projects alone.
func (s *Store) Get(ctx context.Context, f memory.Filter, ids []string) ([]memory.Entry, error) {
	const doing = "read rows of PostgreSQL"
	can, err := s.ready(ctx)
	if err != nil {
		return nil, failed(doing, err)
	}
	in := memory.Filter{Projects: f.Projects, AllProjects: f.AllProjects}
	m := can.in("m").messages(in).and("m.message_id = ANY (%s)", ids)
	c := can.in("m").calls(in).and("m.tool_call_id = ANY (%s)", ids)
	var found, out []memory.Entry
	err = s.ask(ctx, nil,
		statement{entrySQL("ltm_messages", "message_id", messageColumns, m, 0), m.args, collectEntries(&found, true)},
		statement{entrySQL("ltm_tool_calls", "tool_call_id", callColumns, c, 0), c.args, collectEntries(&found, false)})
	if err != nil {
		return nil, failed(doing, err)
	}
	by := make(map[string]memory.Entry, len(found))
	for _, e := range found {
		_, id := placeOf(e)
		by[id] = e
	}
	for _, id := range ids {
		if e, there := by[id]; there {
			out = append(out, e)
		}
	}
	return out, nil
}
