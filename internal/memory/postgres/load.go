package postgres

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/merge"
)

const loadSessions = `SELECT ` + sessionColumns + `, s.project_no, s.summary_at, s.outcome_at, s.covered_until, s.anonymous
FROM ltm_sessions s WHERE s.tenant_id = $1 AND s.session_id = ANY ($2)`

// Besides the groups of what is told, those that a transcript's end may hide a row of ($3 and $4, pairwise).
const loadMessages = `SELECT ` + messageColumns + `, m.hidden, m.hook, m.told FROM ltm_messages m
WHERE m.tenant_id = $1 AND NOT m.gone AND m.message_group IN (
	SELECT unnest($2::text[])
	UNION SELECT c.message_group FROM unnest($3::text[], $4::timestamptz[]) AS cover(session_id, until)
	JOIN ltm_messages c ON c.tenant_id = $1 AND c.session_id = cover.session_id AND c.ts <= cover.until
	WHERE c.told IS NULL AND NOT c.hidden AND NOT c.gone AND c.role IN ('assistant', 'gemini'))`

const loadCalls = `SELECT ` + callColumns + `, m.hidden, m.hook, m.told FROM ltm_tool_calls m
WHERE m.tenant_id = $1 AND NOT m.gone AND m.call_group = ANY ($2)`

const loadChunks = `SELECT c.row_id, c.session_id, c.piece, c.chunk_id, c.project_no, c.chunk_text, c.terms FROM ltm_chunks c
WHERE c.tenant_id = $1 AND NOT c.gone AND c.row_group IN (
	SELECT unnest($2::text[])
	UNION SELECT m.message_group FROM unnest($3::text[], $4::timestamptz[]) AS cover(session_id, until)
	JOIN ltm_messages m ON m.tenant_id = $1 AND m.session_id = cover.session_id AND m.ts <= cover.until
	WHERE m.told IS NULL AND NOT m.hidden AND NOT m.gone AND m.role IN ('assistant', 'gemini'))`

// Numbers are given where a project has none: a conflict would use one up each time.
const makeProjects = `INSERT INTO ltm_projects (tenant_id, project_hash)
SELECT $1, p FROM unnest($2::text[]) AS p
WHERE NOT EXISTS (SELECT FROM ltm_projects WHERE tenant_id = $1 AND project_hash = p) ORDER BY p
ON CONFLICT DO NOTHING`

const loadProjects = `SELECT project_hash, project_no FROM ltm_projects WHERE tenant_id = $1 AND project_hash = ANY ($2)`

// load begins the transaction, takes the sessions' locks in an order, and reads all that the batch may change.
func (w *writer) load(ctx context.Context, b memory.Batch) error {
	projects := w.begin(b)
	ids := slices.Sorted(maps.Keys(w.sessions))
	locks := make([]int64, 0, len(ids))
	for _, id := range ids {
		locks = append(locks, lockOf(w.tenant, id))
	}
	slices.Sort(locks)
	var messages, calls []string
	for _, m := range b.Messages {
		messages = append(messages, merge.MessageGroup(m))
	}
	for _, c := range b.ToolCalls {
		calls = append(calls, merge.CallGroup(c))
	}
	covers, untils := coversOf(b.Covers)
	return w.tx.send(ctx,
		statement{sql: "BEGIN ISOLATION LEVEL READ COMMITTED"},
		statement{sql: "SELECT pg_advisory_xact_lock_shared($1)", args: []any{lockOf(w.tenant, "")}}, // see remover.alone
		statement{sql: "SELECT pg_advisory_xact_lock(k) FROM unnest($1::bigint[]) AS k", args: []any{slices.Compact(locks)}},
		statement{sql: makeProjects, args: []any{w.tenant, projects}},
		statement{loadProjects, []any{w.tenant, projects}, w.scanProject},
		statement{loadSessions, []any{w.tenant, ids}, w.scanSession},
		statement{loadMessages, []any{w.tenant, messages, covers, untils}, w.scanMessage},
		statement{loadCalls, []any{w.tenant, calls}, w.scanCall},
		statement{loadChunks, []any{w.tenant, append(messages, calls...), covers, untils}, w.scanChunk},
	)
}

// begin makes a session of each that is told of, and says which projects are.
func (w *writer) begin(b memory.Batch) (projects []string) {
	told := map[string]bool{"": true}
	for _, s := range b.Sessions {
		w.stub(s.ID)
		told[s.Project] = true
	}
	for _, m := range b.Messages {
		w.stub(m.Session)
	}
	for _, c := range b.ToolCalls {
		w.stub(c.Session)
	}
	for _, c := range b.Covers {
		w.stub(c.Session)
	}
	if len(b.Messages)+len(b.ToolCalls)+len(b.Covers) == 0 {
		delete(told, "")
	}
	return slices.Sorted(maps.Keys(told))
}

func (w *writer) stub(id string) {
	if w.sessions[id] == nil {
		w.sessions[id] = &session{row: merge.Stub(id)}
	}
}

func coversOf(covers []memory.Cover) (sessions []string, untils []time.Time) {
	for _, c := range covers {
		sessions, untils = append(sessions, c.Session), append(untils, stored(c.Until))
	}
	return sessions, untils
}

func (w *writer) scanProject(r pgx.CollectableRow) error {
	var key string
	var n int
	err := r.Scan(&key, &n)
	w.projects[key] = n
	return err
}

func (w *writer) scanSession(r pgx.CollectableRow) error {
	var row merge.SessionRow
	var project int
	var summary, outcome, covered *time.Time
	if err := scanSession(r, &row.Session, &project, &summary, &outcome, &covered, &row.Anonymous); err != nil {
		return err
	}
	row.SummaryAt, row.OutcomeAt, row.CoveredUntil = maybe(summary), maybe(outcome), maybe(covered)
	w.projects[row.Project] = project
	s := w.sessions[row.ID]
	s.there, s.project, s.row, s.was = true, project, row, row
	return nil
}

func (w *writer) scanMessage(r pgx.CollectableRow) error {
	var m memory.Message
	var hidden bool
	var hook, told *string
	if err := scanMessage(r, &m, &hidden, &hook, &told); err != nil {
		return err
	}
	row, err := merge.DecodeMessage(m, hidden, bytesOf(hook), bytesOf(told))
	if err != nil {
		return err
	}
	g := merge.Group(row.ID)
	w.messages[g] = append(w.messages[g], row)
	w.covered[g] = m.Session
	return nil
}

func (w *writer) scanCall(r pgx.CollectableRow) error {
	var c memory.ToolCall
	var hidden bool
	var hook, told *string
	if err := scanCall(r, &c, &hidden, &hook, &told); err != nil {
		return err
	}
	row, err := merge.DecodeCall(c, hidden, bytesOf(hook), bytesOf(told))
	if err != nil {
		return err
	}
	g := merge.Group(row.ID)
	w.calls[g] = append(w.calls[g], row)
	return nil
}

func bytesOf(s *string) []byte {
	if s == nil {
		return nil
	}
	return []byte(*s)
}
