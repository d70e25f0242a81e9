package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/boathook/boathook/internal/memory"
)

// maxOrigins is how many ids of events one removal tells.
const maxOrigins = 100_000

// pending is what is still to be done after rows were removed.
const pending = "the database's files still have the bytes of the removed rows until their tables are rewritten: run VACUUM (FULL, ANALYZE) on each " +
	"table whose name begins with ltm_, as their owner or from PostgreSQL 17 on as one of ltm_admin (it locks a table meanwhile); the write-ahead " +
	"log, its archives and backups have them until they are recycled"

var errDry = errors.New("a dry run")

// Forget removes what is selected. It needs a login that may delete: ltm_admin, or the tables' owner. Nobody else writes to the
// tenant's rows meanwhile. A dry run does all of it and takes it back.
func (s *Store) Forget(ctx context.Context, sel memory.Selection) (memory.Removed, error) {
	const doing = "forget in PostgreSQL"
	f, err := s.ready(ctx)
	if err != nil {
		return memory.Removed{}, failed(doing, err)
	}
	var done memory.Removed
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		r := &remover{features: f, ctx: ctx, tx: tx}
		if err := r.alone(); err != nil {
			return err
		}
		err := r.forget(sel)
		done = r.done
		if err == nil && sel.DryRun {
			err = errDry
		}
		return err
	})
	if err != nil && !errors.Is(err, errDry) {
		return memory.Removed{}, failed(doing, err)
	}
	if done.Messages+done.ToolCalls+done.Chunks+done.Sessions > 0 {
		done.Pending = pending
	}
	return done, nil
}

// remover is one transaction that removes.
type remover struct {
	*features
	ctx  context.Context
	tx   pgx.Tx
	done memory.Removed
	// messages, calls and rows are ids of what goes; sessions of what it belongs to.
	messages, calls []string
	sessions        map[string]bool
	// hidden is how many of the rows that were read last are not shown.
	hidden int
}

// alone waits for the writers of the tenant, and keeps others out: what they have read must not come back.
func (r *remover) alone() error {
	return r.exec("SELECT pg_advisory_xact_lock($1)", lockOf(r.tenant, ""))
}

func (r *remover) exec(sql string, args ...any) error {
	_, err := r.tx.Exec(r.ctx, sql, args...)
	return err
}

// count runs a statement that removes, and says how many rows.
func (r *remover) count(sql string, args ...any) (int, error) {
	tag, err := r.tx.Exec(r.ctx, sql, args...)
	return int(tag.RowsAffected()), err
}

// whole says whether sessions are selected, and not parts of them.
func whole(sel memory.Selection) bool {
	return sel.Text == "" && len(sel.Rows) == 0 && sel.Role == "" && sel.Tool == "" && sel.Status == "" && sel.Tag == "" && sel.Since.IsZero() &&
		sel.Until.IsZero()
}

func (r *remover) forget(sel memory.Selection) error {
	r.sessions = map[string]bool{}
	if err := r.selectRows(sel); err != nil {
		return err
	}
	if err := r.removeChunks(sel); err != nil {
		return err
	}
	r.done.Messages, r.done.ToolCalls = len(r.messages), len(r.calls)
	if sel.Anonymize {
		if err := r.anonymize(); err != nil {
			return err
		}
		if err := r.anonymizeSessions(sel); err != nil {
			return err
		}
		return r.recount()
	}
	if err := r.exec("DELETE FROM ltm_messages WHERE tenant_id = $1 AND message_id = ANY ($2)", r.tenant, r.messages); err != nil {
		return err
	}
	if err := r.exec("DELETE FROM ltm_tool_calls WHERE tenant_id = $1 AND tool_call_id = ANY ($2)", r.tenant, r.calls); err != nil {
		return err
	}
	if err := r.removeSessions(sel); err != nil {
		return err
	}
	return r.recount()
}

// selectRows finds the messages and calls.
func (r *remover) selectRows(sel memory.Selection) error {
	m, c := r.in("m").messages(sel.Filter), r.in("m").calls(sel.Filter)
	if len(sel.Rows) > 0 {
		m.and("m.message_id = ANY (%s)", sel.Rows)
		c.and("m.tool_call_id = ANY (%s)", sel.Rows)
	}
	m.contains(sel.Text, "m.content_text", "m.content_json::text", "m.hook", "m.told")
	c.contains(sel.Text, "m.command", "m.paths::text", "m.args_json::text", "m.result_json::text", "m.output_text", "m.error_text", "m.hook", "m.told")
	const join = " m JOIN ltm_sessions s ON s.tenant_id = m.tenant_id AND s.session_id = m.session_id WHERE "
	var err error
	if r.messages, err = r.rows("SELECT m.message_id, m.session_id, m.hook, m.hidden FROM ltm_messages"+join+m.String(), m.args); err != nil {
		return err
	}
	r.calls, err = r.rows("SELECT m.tool_call_id, m.session_id, m.hook, m.hidden FROM ltm_tool_calls"+join+c.String(), c.args)
	return err
}

// rows reads ids, with the origins of what hooks told.
func (r *remover) rows(sql string, args []any) (ids []string, err error) {
	rows, err := r.tx.Query(r.ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	r.hidden = 0
	for rows.Next() {
		var id, session string
		var hook *string
		var hidden bool
		if err := rows.Scan(&id, &session, &hook, &hidden); err != nil {
			return nil, err
		}
		if hidden {
			r.hidden++
		}
		ids = append(ids, id)
		r.sessions[session] = true
		if hook == nil {
			continue
		}
		var told struct {
			Origins []string `json:"o"`
		}
		if err := json.Unmarshal([]byte(*hook), &told); err != nil {
			return nil, err
		}
		room := max(maxOrigins-len(r.done.Origins), 0)
		r.done.Origins = append(r.done.Origins, told.Origins[:min(room, len(told.Origins))]...)
	}
	return ids, rows.Err()
}

// contains has only rows in which a text stands in one of some columns, as it is or within JSON.
func (w *where) contains(text string, columns ...string) *where {
	if text == "" {
		return w
	}
	var parts []string
	for _, spelling := range spellings(text) {
		place := w.arg(spelling)
		for _, c := range columns {
			parts = append(parts, "strpos("+c+", "+place+") > 0")
		}
	}
	w.cond = append(w.cond, "("+strings.Join(parts, " OR ")+")")
	return w
}

// spellings are the ways in which a text may stand in a column.
func spellings(text string) []string {
	text = storable(text)
	out := []string{text}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(text) == nil {
		quoted := strings.TrimSpace(b.String())
		if inner := quoted[1 : len(quoted)-1]; inner != text {
			out = append(out, inner)
		}
	}
	return out
}

// storable is a text without what the database has no place for.
func storable(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
}

// removeChunks removes those of the rows, and those that the selection means whose rows went before.
func (r *remover) removeChunks(sel memory.Selection) error {
	ids := slices.Concat(r.messages, r.calls)
	w := r.in("c").chunks(sel.Filter)
	if len(sel.Rows) > 0 {
		w.and("c.row_id = ANY (%s)", sel.Rows)
	}
	w.contains(sel.Text, "c.chunk_text", "c.command")
	w.and("NOT EXISTS (SELECT FROM ltm_messages x WHERE x.tenant_id = $1 AND x.message_id = c.row_id AND NOT x.gone)")
	w.and("NOT EXISTS (SELECT FROM ltm_tool_calls x WHERE x.tenant_id = $1 AND x.tool_call_id = c.row_id AND NOT x.gone)")
	sql := `DELETE FROM ltm_chunks d WHERE d.tenant_id = $1 AND (d.row_id = ANY (` + w.arg(ids) + `) AND NOT d.gone OR d.chunk_id IN (SELECT c.chunk_id
FROM ltm_chunks c JOIN ltm_sessions s ON s.tenant_id = c.tenant_id AND s.session_id = c.session_id WHERE ` + w.String() + `)) RETURNING d.session_id`
	rows, err := r.tx.Query(r.ctx, sql, w.args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var session string
		if err := rows.Scan(&session); err != nil {
			return err
		}
		r.sessions[session] = true
		r.done.Chunks++
	}
	return rows.Err()
}

// nothingLeft is the condition of a session s of which nothing is left that could be read.
const nothingLeft = `NOT EXISTS (SELECT FROM ltm_messages m WHERE m.tenant_id = $1 AND m.session_id = s.session_id AND NOT m.hidden AND NOT m.gone)
	AND NOT EXISTS (SELECT FROM ltm_tool_calls m WHERE m.tenant_id = $1 AND m.session_id = s.session_id AND NOT m.hidden AND NOT m.gone)
	AND NOT EXISTS (SELECT FROM ltm_chunks c WHERE c.tenant_id = $1 AND c.session_id = s.session_id AND NOT c.gone)`

// removeSessions removes those that are selected as a whole, or of which nothing is left; others lose their summaries, which may tell
// of what was removed.
func (r *remover) removeSessions(sel memory.Selection) error {
	w := r.in("s")
	if whole(sel) {
		w.sessions(sel.Filter)
	} else {
		w.and("s.session_id = ANY (%s)", r.touched()).and(nothingLeft)
	}
	var err error
	if r.done.Sessions, err = r.count("DELETE FROM ltm_sessions s WHERE "+w.String(), w.args...); err != nil {
		return err
	}
	return r.clearSummaries(sel)
}

func (r *remover) clearSummaries(sel memory.Selection) error {
	err := r.exec("UPDATE ltm_sessions SET summary = NULL WHERE tenant_id = $1 AND session_id = ANY ($2)", r.tenant, r.touched())
	if err != nil || sel.Text == "" || len(sel.Rows) > 0 {
		return err
	}
	w := r.in("s").sessions(sel.Filter).contains(sel.Text, "s.summary")
	return r.exec("UPDATE ltm_sessions s SET summary = NULL WHERE "+w.String(), w.args...)
}

func (r *remover) touched() []string {
	out := make([]string, 0, len(r.sessions))
	for id := range r.sessions {
		out = append(out, id)
	}
	slices.Sort(out)
	return out
}

// recount counts the projects' chunks anew, and removes projects that have no session.
func (r *remover) recount() error {
	err := r.exec(`UPDATE ltm_projects p SET chunks = n.n FROM (SELECT q.project_no, (SELECT count(*) FROM ltm_chunks c
		WHERE c.tenant_id = $1 AND c.project_no = q.project_no AND NOT c.gone) AS n FROM ltm_projects q WHERE q.tenant_id = $1) AS n
		WHERE p.tenant_id = $1 AND p.project_no = n.project_no AND p.chunks <> n.n`, r.tenant)
	if err != nil {
		return err
	}
	return r.exec(`DELETE FROM ltm_projects p WHERE tenant_id = $1 AND NOT EXISTS (SELECT FROM ltm_sessions s WHERE s.project_no = p.project_no)
		AND NOT EXISTS (SELECT FROM ltm_chunks c WHERE c.project_no = p.project_no)`, r.tenant)
}
