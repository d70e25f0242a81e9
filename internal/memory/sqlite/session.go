package sqlite

import (
	"github.com/ncruces/go-sqlite3"

	"github.com/boathook/boathook/internal/memory/merge"
)

// session is a session in a transaction.
type session struct {
	number  int64 // 0 while it is not stored
	project int64
	row     merge.SessionRow
	// was is what is stored.
	was merge.SessionRow
}

const sessionColumns = `s.session_id, p.project_hash, s.workspace_root, s.source, s.started_at, s.ended_at, s.active_at, s.summary, s.outcome`

// sessionRow reads those columns.
func sessionRow(s *sqlite3.Stmt) (row merge.SessionRow) {
	row.ID, row.Project, row.Root, row.Agent = s.ColumnText(0), s.ColumnText(1), s.ColumnText(2), s.ColumnText(3)
	row.Started, row.Ended, row.Active = fromNano(s.ColumnInt64(4)), fromNano(s.ColumnInt64(5)), fromNano(s.ColumnInt64(6))
	row.Summary, row.Outcome = s.ColumnText(7), s.ColumnText(8)
	return row
}

// session finds a session, or has one begin that nothing is known of but its id.
func (w *writer) session(id string) (*session, error) {
	if s := w.sessions[id]; s != nil {
		return s, nil
	}
	s := &session{row: merge.Stub(id)}
	err := w.each("SELECT "+sessionColumns+`, s.session, s.project, s.summary_at, s.outcome_at, s.covered_until, s.anonymous
FROM ltm_sessions s JOIN ltm_projects p USING (project) WHERE s.session_id = ?`, []any{id}, func(row *sqlite3.Stmt) error {
		s.row = sessionRow(row)
		s.number, s.project = row.ColumnInt64(9), row.ColumnInt64(10)
		s.row.SummaryAt, s.row.OutcomeAt = fromNano(row.ColumnInt64(11)), fromNano(row.ColumnInt64(12))
		s.row.CoveredUntil, s.row.Anonymous = fromNano(row.ColumnInt64(13)), row.ColumnBool(14)
		return nil
	})
	s.was = s.row
	w.sessions[id] = s
	return s, err
}

// putSession stores what has become of a session.
func (w *writer) putSession(s *session) error {
	if s.number != 0 && s.row == s.was {
		return nil
	}
	project, err := w.project(s.row.Project)
	if err != nil {
		return err
	}
	r := s.row
	args := []any{
		project, r.Root, r.Agent, nano(r.Started), nano(r.Ended), nano(r.Active), r.Summary, r.Outcome, nano(r.SummaryAt), nano(r.OutcomeAt),
		nano(r.CoveredUntil), r.Anonymous, r.ID,
	}
	if s.number == 0 {
		err = w.exec(`INSERT INTO ltm_sessions (project, workspace_root, source, started_at, ended_at, active_at, summary, outcome, summary_at,
outcome_at, covered_until, anonymous, session_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, args...)
		s.number = w.db.LastInsertRowID()
	} else {
		err = w.exec(`UPDATE ltm_sessions SET project = ?, workspace_root = ?, source = ?, started_at = ?, ended_at = ?, active_at = ?, summary = ?,
outcome = ?, summary_at = ?, outcome_at = ?, covered_until = ?, anonymous = ? WHERE session_id = ?`, args...)
		if err == nil && project != s.project {
			err = w.moveChunks(s.number, s.project, project)
		}
	}
	s.project, s.was = project, s.row
	return err
}

// project is the number of a project.
func (w *writer) project(key string) (int64, error) {
	if n := w.projects[key]; n != 0 {
		return n, nil
	}
	n, known, err := w.number("SELECT project FROM ltm_projects WHERE project_hash = ?", key)
	if err == nil && !known {
		err = w.exec("INSERT INTO ltm_projects (project_hash) VALUES (?)", key)
		n = w.db.LastInsertRowID()
	}
	if err != nil {
		return 0, err
	}
	w.projects[key] = n
	return n, nil
}
