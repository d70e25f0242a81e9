package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// settle gives each session its project, and writes those that have changed. Where the project of a session is told later than
// what was said in it, its chunks move.
func (w *writer) settle(ctx context.Context) error {
	var puts []sessionPut
	var moved []string
	for _, s := range w.sessions {
		was := s.project
		s.project = w.projects[s.row.Project]
		if s.there && s.row == s.was {
			continue
		}
		if s.there && was != s.project {
			moved = append(moved, s.row.ID)
		}
		puts = append(puts, s.put())
	}
	if len(puts) == 0 {
		return nil
	}
	text, err := array(puts)
	if err != nil {
		return err
	}
	put := statement{sql: putSessions, args: []any{w.tenant, text}}
	if len(moved) == 0 {
		w.before = append(w.before, put)
		return nil
	}
	return w.move(ctx, put, moved)
}

const movedChunks = `SELECT session_id, row_id, piece, project_no, terms FROM ltm_chunks
WHERE tenant_id = $1 AND NOT gone AND session_id = ANY ($2)`

// move gives the chunks of sessions to their new projects.
func (w *writer) move(ctx context.Context, put statement, sessions []string) error {
	var index []indexPut
	scan := func(r pgx.CollectableRow) error {
		var session, row, terms string
		var piece, old int
		if err := r.Scan(&session, &row, &piece, &old, &terms); err != nil {
			return err
		}
		now := w.sessions[session]
		w.added[old]--
		w.added[now.project]++
		index = append(index, indexPut{row, piece, tokens(now.row.Project, splitTerms(terms))})
		return nil
	}
	if err := w.tx.send(ctx, put, statement{movedChunks, []any{w.tenant, sessions}, scan}); err != nil {
		return err
	}
	for _, have := range w.have {
		for i := range have {
			have[i].project = w.sessions[have[i].session].project
		}
	}
	text, err := array(index)
	if err != nil {
		return err
	}
	w.before = append(w.before,
		statement{sql: `UPDATE ltm_chunks c SET project_no = s.project_no FROM ltm_sessions s
			WHERE c.tenant_id = $1 AND s.tenant_id = $1 AND c.session_id = s.session_id AND s.session_id = ANY ($2)`, args: []any{w.tenant, sessions}},
		statement{sql: "SELECT ltm_index($1, $2::json)", args: []any{w.tenant, text}})
	return nil
}
