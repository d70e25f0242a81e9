package postgres

import (
	"encoding/json"
	"time"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/merge"
)

// The rows that are written, as json_to_recordset takes them apart: one parameter, whatever their number.

type sessionPut struct {
	ID           string     `json:"session_id"`
	Project      string     `json:"project_hash"`
	ProjectNo    int        `json:"project_no"`
	Root         *string    `json:"workspace_root"`
	Source       string     `json:"source"`
	Started      *time.Time `json:"started_at"`
	Ended        *time.Time `json:"ended_at"`
	Active       *time.Time `json:"active_at"`
	Summary      *string    `json:"summary"`
	Outcome      *string    `json:"outcome"`
	SummaryAt    *time.Time `json:"summary_at"`
	OutcomeAt    *time.Time `json:"outcome_at"`
	CoveredUntil *time.Time `json:"covered_until"`
	Anonymous    bool       `json:"anonymous"`
}

const putSessions = `INSERT INTO ltm_sessions AS old (tenant_id, session_id, project_hash, project_no, workspace_root, source, started_at, ended_at,
	active_at, summary, outcome, summary_at, outcome_at, covered_until, anonymous)
SELECT $1, x.* FROM json_to_recordset($2::json) AS x(session_id text, project_hash text, project_no integer, workspace_root text, source text,
	started_at timestamptz, ended_at timestamptz, active_at timestamptz, summary text, outcome text, summary_at timestamptz,
	outcome_at timestamptz, covered_until timestamptz, anonymous boolean)
ON CONFLICT (tenant_id, session_id) DO UPDATE SET (project_hash, project_no, workspace_root, source, started_at, ended_at, active_at, summary,
	outcome, summary_at, outcome_at, covered_until, anonymous, updated_at) = (excluded.project_hash, excluded.project_no,
	excluded.workspace_root, excluded.source, excluded.started_at, excluded.ended_at, excluded.active_at, excluded.summary, excluded.outcome,
	excluded.summary_at, excluded.outcome_at, excluded.covered_until, excluded.anonymous, now())`

func (s *session) put() sessionPut {
	r := s.row
	return sessionPut{
		ID: r.ID, Project: r.Project, ProjectNo: s.project, Root: pointer(r.Root), Source: r.Agent, Started: pointer(r.Started),
		Ended: pointer(r.Ended), Active: pointer(r.Active), Summary: pointer(r.Summary), Outcome: pointer(r.Outcome),
		SummaryAt: pointer(r.SummaryAt), OutcomeAt: pointer(r.OutcomeAt), CoveredUntil: pointer(r.CoveredUntil), Anonymous: r.Anonymous,
	}
}

type messagePut struct {
	ID           string          `json:"message_id"`
	Group        string          `json:"message_group"`
	Session      string          `json:"session_id"`
	Role         string          `json:"role"`
	Time         time.Time       `json:"ts"`
	Text         string          `json:"content_text"`
	Content      json.RawMessage `json:"content_json,omitempty"`
	Model        *string         `json:"model"`
	TokensInput  int64           `json:"token_input"`
	TokensOutput int64           `json:"token_output"`
	TokensTotal  int64           `json:"token_total"`
	Source       memory.Source   `json:"source"`
	Origin       string          `json:"origin"`
	Hook         *string         `json:"hook"`
	Told         *string         `json:"told"`
	Hidden       bool            `json:"hidden"`
	Anonymous    bool            `json:"anonymous"`
}

const putMessages = `INSERT INTO ltm_messages AS old (tenant_id, message_id, message_group, session_id, role, ts, content_text, content_json, model,
	token_input, token_output, token_total, source, origin, hook, told, hidden, anonymous)
SELECT $1, x.* FROM json_to_recordset($2::json) AS x(message_id text, message_group text, session_id text, role text, ts timestamptz,
	content_text text, content_json jsonb, model text, token_input bigint, token_output bigint, token_total bigint, source text, origin text,
	hook text, told text, hidden boolean, anonymous boolean)
ON CONFLICT (tenant_id, message_id) DO UPDATE SET (role, ts, content_text, content_json, model, token_input, token_output, token_total, source,
	origin, hook, told, hidden, anonymous, gone) = (excluded.role, excluded.ts, excluded.content_text, excluded.content_json, excluded.model,
	excluded.token_input, excluded.token_output, excluded.token_total, excluded.source, excluded.origin, excluded.hook, excluded.told,
	excluded.hidden, excluded.anonymous, false)`

func messageOf(row merge.MessageRow) (messagePut, error) {
	hook, told, err := row.Encode()
	m := row.Shown
	return messagePut{
		ID: row.ID, Group: merge.Group(row.ID), Session: m.Session, Role: m.Role, Time: stored(m.Time), Text: m.Text, Content: m.Content,
		Model: pointer(m.Model), TokensInput: m.TokensInput, TokensOutput: m.TokensOutput, TokensTotal: m.TokensTotal, Source: m.Source,
		Origin: m.Origin, Hook: pointer(string(hook)), Told: pointer(string(told)), Hidden: row.Hidden, Anonymous: row.Anonymous(),
	}, err
}

type callPut struct {
	ID        string          `json:"tool_call_id"`
	Group     string          `json:"call_group"`
	Session   string          `json:"session_id"`
	Message   *string         `json:"message_id"`
	CallID    *string         `json:"call_id"`
	Tool      string          `json:"tool_name"`
	HostTool  *string         `json:"host_tool"`
	Kind      *string         `json:"kind"`
	Status    string          `json:"status"`
	Command   *string         `json:"command"`
	Paths     []string        `json:"paths,omitempty"`
	Args      json.RawMessage `json:"args_json,omitempty"`
	Result    json.RawMessage `json:"result_json,omitempty"`
	Output    *string         `json:"output_text"`
	Error     *string         `json:"error_text"`
	Took      int64           `json:"duration_ns"`
	Time      time.Time       `json:"ts"`
	Source    memory.Source   `json:"source"`
	Origin    string          `json:"origin"`
	Hook      *string         `json:"hook"`
	Told      *string         `json:"told"`
	Hidden    bool            `json:"hidden"`
	Anonymous bool            `json:"anonymous"`
}

const putCalls = `INSERT INTO ltm_tool_calls AS old (tenant_id, tool_call_id, call_group, session_id, message_id, call_id, tool_name, host_tool, kind,
	status, command, paths, args_json, result_json, output_text, error_text, duration_ns, ts, source, origin, hook, told, hidden, anonymous)
SELECT $1, x.* FROM json_to_recordset($2::json) AS x(tool_call_id text, call_group text, session_id text, message_id text, call_id text,
	tool_name text, host_tool text, kind text, status text, command text, paths jsonb, args_json jsonb, result_json jsonb, output_text text,
	error_text text, duration_ns bigint, ts timestamptz, source text, origin text, hook text, told text, hidden boolean, anonymous boolean)
ON CONFLICT (tenant_id, tool_call_id) DO UPDATE SET (message_id, call_id, host_tool, kind, status, command, paths, args_json, result_json,
	output_text, error_text, duration_ns, ts, source, origin, hook, told, hidden, anonymous, gone) = (excluded.message_id, excluded.call_id,
	excluded.host_tool, excluded.kind, excluded.status, excluded.command, excluded.paths, excluded.args_json, excluded.result_json,
	excluded.output_text, excluded.error_text, excluded.duration_ns, excluded.ts, excluded.source, excluded.origin, excluded.hook,
	excluded.told, excluded.hidden, excluded.anonymous, false)`

func callOf(row merge.CallRow) (callPut, error) {
	hook, told, err := row.Encode()
	c := row.Shown
	return callPut{
		ID: row.ID, Group: merge.Group(row.ID), Session: c.Session, Message: pointer(c.Message), CallID: pointer(c.CallID), Tool: c.Tool,
		HostTool: pointer(c.HostTool), Kind: pointer(c.Kind), Status: c.Status, Command: pointer(c.Command), Paths: c.Paths, Args: c.Args,
		Result: c.Result, Output: pointer(c.Output), Error: pointer(c.Error), Took: int64(c.Duration), Time: stored(c.Time), Source: c.Source,
		Origin: c.Origin, Hook: pointer(string(hook)), Told: pointer(string(told)), Hidden: row.Hidden, Anonymous: row.Anonymous(),
	}, err
}

// array is the rows of a table as one parameter.
func array[T any](rows []T) (string, error) {
	text, err := json.Marshal(rows)
	return string(text), err
}
