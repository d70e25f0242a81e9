package postgres

import (
	"github.com/jackc/pgx/v5"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/merge"
)

// anonymizePart is how many rows are read and written at once.
const anonymizePart = 500

// anonymize leaves of the rows when, who and how they ended.
func (r *remover) anonymize() error {
	err := parts(r.messages, func(ids []string) error {
		var puts []messagePut
		return r.rewrite("SELECT "+messageColumns+", m.hidden, m.hook, m.told FROM ltm_messages m WHERE m.tenant_id = $1 AND m.message_id = ANY ($2)",
			ids, putMessages, func(row pgx.CollectableRow) error {
				var m memory.Message
				var hidden bool
				var hook, told *string
				if err := scanMessage(row, &m, &hidden, &hook, &told); err != nil {
					return err
				}
				have, err := merge.DecodeMessage(m, hidden, bytesOf(hook), bytesOf(told))
				if err != nil {
					return err
				}
				put, err := messageOf(merge.AnonymizeMessage(have))
				puts = append(puts, put)
				return err
			}, func() (string, error) { return array(puts) })
	})
	if err != nil {
		return err
	}
	return parts(r.calls, func(ids []string) error {
		var puts []callPut
		return r.rewrite("SELECT "+callColumns+", m.hidden, m.hook, m.told FROM ltm_tool_calls m WHERE m.tenant_id = $1 AND m.tool_call_id = ANY ($2)",
			ids, putCalls, func(row pgx.CollectableRow) error {
				var c memory.ToolCall
				var hidden bool
				var hook, told *string
				if err := scanCall(row, &c, &hidden, &hook, &told); err != nil {
					return err
				}
				have, err := merge.DecodeCall(c, hidden, bytesOf(hook), bytesOf(told))
				if err != nil {
					return err
				}
				put, err := callOf(merge.AnonymizeCall(have))
				puts = append(puts, put)
				return err
			}, func() (string, error) { return array(puts) })
	})
}

func parts(ids []string, do func([]string) error) error {
	for len(ids) > 0 {
		n := min(len(ids), anonymizePart)
		if err := do(ids[:n]); err != nil {
			return err
		}
		ids = ids[n:]
	}
	return nil
}

// rewrite reads rows, and writes what became of them.
func (r *remover) rewrite(read string, ids []string, write string, row func(pgx.CollectableRow) error, text func() (string, error)) error {
	rows, err := r.tx.Query(r.ctx, read, r.tenant, ids)
	if err != nil {
		return err
	}
	for rows.Next() {
		if err := row(rows); err != nil {
			rows.Close()
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	array, err := text()
	if err != nil {
		return err
	}
	return r.exec(write, r.tenant, array)
}

// anonymizeSessions takes roots and summaries of sessions that are selected as a whole, for good; of others the summaries.
func (r *remover) anonymizeSessions(sel memory.Selection) error {
	if !whole(sel) {
		return r.clearSummaries(sel)
	}
	w := r.in("s").sessions(sel.Filter)
	var err error
	r.done.Sessions, err = r.count("UPDATE ltm_sessions s SET anonymous = true, workspace_root = NULL, summary = NULL WHERE "+w.String(), w.args...)
	return err
}
