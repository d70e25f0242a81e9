package postgres

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/merge"
)

// unknown is how a time that nobody told is stored where there has to be one.
func unknown() time.Time { return time.Unix(0, 0).UTC() }

func stored(t time.Time) time.Time {
	if t.IsZero() {
		return unknown()
	}
	return t.UTC()
}

// at reads a time: one that is not known is zero.
func at(t time.Time) time.Time {
	if t.Equal(unknown()) {
		return time.Time{}
	}
	return t.UTC()
}

func maybe(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return t.UTC()
}

// pointer is for a column that is NULL where nothing is known.
func pointer[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// separator stands between the terms of a chunk.
const separator = "\x1f"

func joinTerms(terms []string) string { return strings.Join(terms, separator) }

func splitTerms(joined string) []string {
	if joined == "" {
		return nil
	}
	return strings.Split(joined, separator)
}

const sessionColumns = `s.session_id, s.project_hash, coalesce(s.workspace_root, ''), s.source, s.started_at, s.ended_at, s.active_at,
	coalesce(s.summary, ''), coalesce(s.outcome, '')`

func scanSession(r pgx.CollectableRow, row *memory.Session, more ...any) error {
	var started, ended, active *time.Time
	err := r.Scan(append([]any{&row.ID, &row.Project, &row.Root, &row.Agent, &started, &ended, &active, &row.Summary, &row.Outcome}, more...)...)
	row.Started, row.Ended, row.Active = maybe(started), maybe(ended), maybe(active)
	return err
}

const messageColumns = `m.message_id, m.session_id, m.role, m.ts, coalesce(m.content_text, ''), m.content_json::text, coalesce(m.model, ''),
	m.token_input, m.token_output, m.token_total, m.source, m.origin`

func scanMessage(r pgx.CollectableRow, m *memory.Message, more ...any) error {
	var content *string
	var source string
	err := r.Scan(append([]any{&m.ID, &m.Session, &m.Role, &m.Time, &m.Text, &content, &m.Model, &m.TokensInput, &m.TokensOutput, &m.TokensTotal,
		&source, &m.Origin}, more...)...)
	if err != nil {
		return err
	}
	m.Time, m.Source = at(m.Time), memory.Source(source)
	m.Content, err = raw(content)
	return err
}

const callColumns = `m.tool_call_id, m.session_id, coalesce(m.message_id, ''), coalesce(m.call_id, ''), m.tool_name, coalesce(m.host_tool, ''),
	coalesce(m.kind, ''), m.status, coalesce(m.command, ''), m.paths::text, m.args_json::text, m.result_json::text, coalesce(m.output_text, ''),
	coalesce(m.error_text, ''), m.duration_ns, m.ts, m.source, m.origin`

func scanCall(r pgx.CollectableRow, c *memory.ToolCall, more ...any) error {
	var paths, args, result *string
	var source string
	var took int64
	err := r.Scan(append([]any{&c.ID, &c.Session, &c.Message, &c.CallID, &c.Tool, &c.HostTool, &c.Kind, &c.Status, &c.Command, &paths, &args,
		&result, &c.Output, &c.Error, &took, &c.Time, &source, &c.Origin}, more...)...)
	if err != nil {
		return err
	}
	c.Time, c.Source, c.Duration = at(c.Time), memory.Source(source), time.Duration(took)
	if paths != nil {
		if err := json.Unmarshal([]byte(*paths), &c.Paths); err != nil {
			return err
		}
	}
	if c.Args, err = raw(args); err != nil {
		return err
	}
	c.Result, err = raw(result)
	return err
}

// raw is what a jsonb column says in the form in which JSON is compared: the database has another order and other white space.
func raw(column *string) (json.RawMessage, error) {
	if column == nil {
		return nil, nil
	}
	return merge.Canonical(json.RawMessage(*column))
}
