package sqlite

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/merge"
)

// retainRows is how many rows of a kind one call removes.
const retainRows = 200

// policy is for how long the rows of some projects are kept.
type policy struct {
	memory.Retention
	projects string // a condition on s.project
	args     []any
}

func policies(r memory.Retention) []policy {
	const of = "(SELECT project FROM ltm_projects WHERE project_hash IN (%s))"
	named := slices.Sorted(maps.Keys(r.Of))
	rest := policy{Retention: r, projects: "1"}
	var out []policy
	for _, name := range named {
		out = append(out, policy{r.Of[name], "s.project IN " + fmt.Sprintf(of, "?"), []any{name}})
		rest.args = append(rest.args, name)
	}
	if len(named) > 0 {
		rest.projects = "s.project NOT IN " + fmt.Sprintf(of, strings.TrimSuffix(strings.Repeat("?, ", len(named)), ", "))
	}
	return append(out, rest)
}

// Retain removes rows that are too old, in one transaction for which nobody waits long.
func (s *Store) Retain(ctx context.Context, r memory.Retention, now time.Time) (done memory.Removed, more bool, err error) {
	err = s.writing(ctx, "retain in", func(c *conn) error {
		w := newWriter(c)
		for _, p := range policies(r) {
			some, err := w.retain(p, now, &done)
			if err != nil {
				return err
			}
			if more = more || some; more {
				break
			}
		}
		if err := w.finish(); err != nil {
			return err
		}
		// The index is folded together, a part at a time, so that a search has few places to look.
		return w.exec("INSERT INTO ltm_index (ltm_index, rank) VALUES ('merge', 200)")
	})
	if err != nil {
		return memory.Removed{}, false, err
	}
	if removed := done.Sessions + done.Messages + done.ToolCalls + done.Chunks; removed > 0 && !more {
		done.Pending, err = s.shrink(ctx)
	}
	return done, more, err
}

// retain does what a policy asks for; more says that there is something left to do.
func (w *writer) retain(p policy, now time.Time, done *memory.Removed) (more bool, err error) {
	if p.Raw > 0 {
		for _, t := range []struct {
			table
			n *int
		}{{messageTable(), &done.Messages}, {callTable(), &done.ToolCalls}} {
			n, err := w.retainRaw(t.table, p, now.Add(-p.Raw), t.n, done)
			if err != nil {
				return false, err
			}
			more = more || n
		}
	}
	if p.Summaries <= 0 {
		return more, nil
	}
	before := nano(now.Add(-p.Summaries))
	ids, err := w.numbers("SELECT k.chunk_id FROM ltm_chunks k JOIN ltm_sessions s USING (session) WHERE k.ts < ? AND (k.ts > 0 OR s.active_at < ?) AND "+
		p.projects+fmt.Sprintf(" LIMIT %d", retainRows), append([]any{before, before}, p.args...))
	if err != nil {
		return false, err
	}
	for _, id := range ids {
		if err := w.removeChunks("chunk_id = ?", id); err != nil {
			return false, err
		}
	}
	done.Chunks += len(ids)
	if more = more || len(ids) == retainRows; more {
		return true, nil
	}
	ids, err = w.numbers(`SELECT s.session FROM ltm_sessions s WHERE s.active_at < ? AND NOT EXISTS (SELECT 1 FROM ltm_messages m WHERE m.session = s.session
AND m.hidden = 0) AND NOT EXISTS (SELECT 1 FROM ltm_tool_calls c WHERE c.session = s.session) AND NOT EXISTS (SELECT 1 FROM ltm_chunks k
WHERE k.session = s.session) AND `+p.projects+fmt.Sprintf(" LIMIT %d", retainRows), append([]any{before}, p.args...))
	for i := 0; err == nil && i < len(ids); i++ {
		err = w.removeSession(ids[i])
	}
	done.Sessions += len(ids)
	return len(ids) == retainRows, err
}

// retainRaw removes messages or calls. Their chunks stay.
func (w *writer) retainRaw(t table, p policy, before time.Time, n *int, done *memory.Removed) (more bool, err error) {
	var ids []string
	a := t.alias
	err = w.each("SELECT "+a+"."+t.id+", "+a+".hook, "+a+".hidden FROM "+t.name+" "+a+" JOIN ltm_sessions s USING (session) WHERE "+a+".ts < ? AND ("+a+
		".ts > 0 OR s.active_at < ?) AND "+p.projects+fmt.Sprintf(" LIMIT %d", retainRows), append([]any{nano(before), nano(before)}, p.args...),
		func(r *sqlite3.Stmt) error {
			ids = append(ids, r.ColumnText(0))
			done.Origins = append(done.Origins, merge.OriginsOf(raw(r, 1))...)
			if !r.ColumnBool(2) {
				*n++
			}
			return nil
		})
	for i := 0; err == nil && i < len(ids); i++ {
		err = w.exec("DELETE FROM "+t.name+" WHERE "+t.id+" = ?", ids[i])
	}
	return len(ids) == retainRows, err
}

// numbers reads a column of numbers.
func (c *conn) numbers(query string, args []any) (out []int64, err error) {
	err = c.each(query, args, func(s *sqlite3.Stmt) error {
		out = append(out, s.ColumnInt64(0))
		return nil
	})
	return out, err
}
