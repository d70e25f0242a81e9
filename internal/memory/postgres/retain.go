package postgres

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/boathook/boathook/internal/memory"
)

// retainPart is how many rows of a table go in one call.
const retainPart = 2000

// Retain removes rows that are too old, and those that have become others, a bounded number at once. It needs a login that may
// delete.
func (s *Store) Retain(ctx context.Context, keep memory.Retention, now time.Time) (memory.Removed, bool, error) {
	const doing = "remove what is too old from PostgreSQL"
	f, err := s.ready(ctx)
	if err != nil {
		return memory.Removed{}, false, failed(doing, err)
	}
	var done memory.Removed
	var more bool
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		r := &retainer{remover: remover{features: f, ctx: ctx, tx: tx, sessions: map[string]bool{}}, now: now}
		if err := r.alone(); err != nil {
			return err
		}
		others := slices.AppendSeq([]string{}, maps.Keys(keep.Of)) // not nil, which would be NULL
		slices.Sort(others)
		err := r.retain(keep, "NOT (project_hash = ANY ($2::text[]))", others)
		for _, project := range others {
			if err == nil {
				err = r.retain(keep.Of[project], "project_hash = ANY ($2::text[])", []string{project})
			}
		}
		if err == nil {
			err = r.sweep()
		}
		if err == nil {
			err = r.recount()
		}
		done, more = r.done, r.more
		return err
	})
	if err != nil {
		return memory.Removed{}, false, failed(doing, err)
	}
	if done.Messages+done.ToolCalls+done.Chunks+done.Sessions > 0 {
		done.Pending = pending
	}
	return done, more, nil
}

type retainer struct {
	remover
	now  time.Time
	more bool
}

// old is the condition of a row that is older than $3. One whose time nobody told is as old as its coming here.
const old = " ts < $3 AND (ts > 'epoch' OR created_at < $3) "

// retain removes what is older than a retention in some projects.
func (r *retainer) retain(keep memory.Retention, projects string, keys []string) error {
	if keep.Raw > 0 {
		before := r.now.Add(-keep.Raw)
		if err := r.raw("ltm_messages", "message_id", projects, keys, before, &r.done.Messages); err != nil {
			return err
		}
		if err := r.raw("ltm_tool_calls", "tool_call_id", projects, keys, before, &r.done.ToolCalls); err != nil {
			return err
		}
	}
	if keep.Summaries > 0 {
		return r.summaries(projects, keys, r.now.Add(-keep.Summaries))
	}
	return nil
}

// raw removes messages or calls; their chunks stay.
func (r *retainer) raw(table, id, projects string, keys []string, before time.Time, n *int) error {
	before = before.UTC()
	ids, err := r.rows(`DELETE FROM `+table+` WHERE tenant_id = $1 AND `+id+` IN (SELECT `+id+` FROM `+table+` WHERE tenant_id = $1 AND NOT gone
		AND session_id IN (SELECT session_id FROM ltm_sessions WHERE tenant_id = $1 AND `+projects+`) AND`+old+`ORDER BY ts LIMIT $4)
		RETURNING `+id+`, session_id, hook, hidden`, []any{r.tenant, keys, before, retainPart})
	*n += len(ids) - r.hidden
	r.more = r.more || len(ids) == retainPart
	return err
}

// summaries removes chunks, summaries, and sessions of which nothing is left.
func (r *retainer) summaries(projects string, keys []string, before time.Time) error {
	n, err := r.count(`DELETE FROM ltm_chunks WHERE chunk_id IN (SELECT chunk_id FROM ltm_chunks WHERE tenant_id = $1 AND NOT gone
		AND session_id IN (SELECT session_id FROM ltm_sessions WHERE tenant_id = $1 AND `+projects+`) AND`+old+`ORDER BY ts LIMIT $4)`,
		r.tenant, keys, before, retainPart)
	if err != nil {
		return err
	}
	r.done.Chunks += n
	r.more = r.more || n == retainPart
	if r.more {
		return nil
	}
	n, err = r.count(`DELETE FROM ltm_sessions d WHERE tenant_id = $1 AND session_id IN (SELECT session_id FROM ltm_sessions s WHERE tenant_id = $1
		AND `+projects+` AND coalesce(active_at, started_at, created_at) < $3 AND `+nothingLeft+` LIMIT $4)`, r.tenant, keys, before, retainPart)
	if err != nil {
		return err
	}
	r.done.Sessions += n
	r.more = r.more || n == retainPart
	return r.exec(`UPDATE ltm_sessions SET summary = NULL WHERE tenant_id = $1 AND `+projects+` AND summary IS NOT NULL
		AND coalesce(summary_at, active_at, started_at, created_at) < $3`, r.tenant, keys, before)
}

// sweep removes what writers have marked as gone.
func (r *retainer) sweep() error {
	for _, t := range []string{"ltm_messages", "ltm_tool_calls", "ltm_chunks"} {
		n, err := r.count(`DELETE FROM `+t+` WHERE ctid = ANY (ARRAY(SELECT ctid FROM `+t+` WHERE tenant_id = $1 AND gone LIMIT $2))`, r.tenant, retainPart)
		if err != nil {
			return err
		}
		r.more = r.more || n == retainPart
	}
	return nil
}
