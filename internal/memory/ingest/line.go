// Package ingest reads the generic form of memory, a JSON object a line, that any source can write and that 'boathook memory export'
// writes:
//
//	{"session":"s1","project":"/home/me/shop","id":"1","role":"user","ts":"2026-01-31T14:30:00Z","text":"why does the build fail?"}
//	{"session":"s1","project":"/home/me/shop","id":"2","role":"tool","ts":"…","tool":"bash","command":"make","status":"error","text":"make: …"}
//
// session, role and ts have to be there, and text, which may be empty for a tool's call. project is a directory, or a name; id is what a
// line is known by when it comes again. source says who told it first, hook, transcript or import, and an export has it so that the same
// told again by them is no second row. The others are optional: agent (import), model, tokens_input, tokens_output, tokens_total, and of
// a call, whose role is tool and which has tool or command: tool, host_tool (what its agent calls it), call_id, kind, status (success, error, blocked), command, paths, args, result (any JSON), error,
// duration_ms. Members that it does not know it passes over.
package ingest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/memory"
)

// Line is one line.
type Line struct {
	Session string    `json:"session"`
	Project string    `json:"project"`
	ID      string    `json:"id"`
	Role    string    `json:"role"`
	TS      time.Time `json:"ts"`
	Text    string    `json:"text"`

	Agent        string `json:"agent,omitempty"`
	Source       string `json:"source,omitempty"`
	Model        string `json:"model,omitempty"`
	TokensInput  int64  `json:"tokens_input,omitempty"`
	TokensOutput int64  `json:"tokens_output,omitempty"`
	TokensTotal  int64  `json:"tokens_total,omitempty"`

	Tool       string          `json:"tool,omitempty"`
	HostTool   string          `json:"host_tool,omitempty"`
	CallID     string          `json:"call_id,omitempty"`
	Kind       string          `json:"kind,omitempty"`
	Status     string          `json:"status,omitempty"`
	Command    string          `json:"command,omitempty"`
	Paths      []string        `json:"paths,omitempty"`
	Args       json.RawMessage `json:"args,omitempty"`
	Result     json.RawMessage `json:"result,omitempty"`
	Error      string          `json:"error,omitempty"`
	DurationMS float64         `json:"duration_ms,omitempty"`
}

// Roles are those that a line may have.
func Roles() []string {
	return []string{
		memory.RoleUser, memory.RoleAssistant, memory.RoleTool, memory.RoleSystem, memory.RoleGemini, memory.RoleInfo, memory.RoleError,
		memory.RoleWarning,
	}
}

// Parse reads a line. The error names the member that is wrong, and quotes nothing of it.
func Parse(text []byte) (Line, error) {
	var l Line
	members := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &members); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return l, fmt.Errorf("not JSON, at byte %d", syntax.Offset)
		}
		return l, errors.New("no JSON object")
	}
	for _, m := range l.members() {
		raw, there := members[m.name]
		if !there || bytes.Equal(raw, []byte("null")) {
			if m.needed {
				return l, fmt.Errorf("%s: it is not there", m.name)
			}
			continue
		}
		if m.name == "ts" {
			t, err := when(raw)
			if err != nil {
				return l, err
			}
			l.TS = t
			continue
		}
		if err := json.Unmarshal(raw, m.into); err != nil {
			return l, fmt.Errorf("%s: it must be %s", m.name, m.form)
		}
	}
	return l, l.check()
}

// member is one that a line may have.
type member struct {
	name   string
	into   any
	form   string
	needed bool
}

func (l *Line) members() []member {
	const text, number = "a text", "a number"
	return []member{
		{"session", &l.Session, text, true}, {"project", &l.Project, text, false}, {"id", &l.ID, text, false},
		{"role", &l.Role, text, true}, {"ts", &l.TS, "a time", true}, {"text", &l.Text, text, false}, {"agent", &l.Agent, text, false}, {"source", &l.Source, text, false},
		{"model", &l.Model, text, false}, {"tokens_input", &l.TokensInput, number, false}, {"tokens_output", &l.TokensOutput, number, false},
		{"tokens_total", &l.TokensTotal, number, false}, {"tool", &l.Tool, text, false}, {"host_tool", &l.HostTool, text, false}, {"call_id", &l.CallID, text, false},
		{"kind", &l.Kind, text, false}, {"status", &l.Status, text, false}, {"command", &l.Command, text, false},
		{"paths", &l.Paths, "a list of texts", false}, {"args", &l.Args, "JSON", false}, {"result", &l.Result, "JSON", false},
		{"error", &l.Error, text, false}, {"duration_ms", &l.DurationMS, number, false},
	}
}

// when reads a time: RFC 3339, or milliseconds since 1970.
func when(raw json.RawMessage) (time.Time, error) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		t, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			return t, errors.New(`ts: it must be a time as in "2026-01-31T14:30:00Z", or milliseconds since 1970`)
		}
		return t.UTC(), nil
	}
	var ms int64
	if json.Unmarshal(raw, &ms) != nil || ms <= 0 {
		return time.Time{}, errors.New(`ts: it must be a time as in "2026-01-31T14:30:00Z", or milliseconds since 1970`)
	}
	return time.UnixMilli(ms).UTC(), nil
}

func (l *Line) check() error {
	known := false
	for _, role := range Roles() {
		known = known || l.Role == role
	}
	switch {
	case strings.TrimSpace(l.Session) == "":
		return errors.New("session: it is empty")
	case !known:
		return errors.New("role: it must be one of " + strings.Join(Roles(), ", "))
	case l.Status != "" && l.Status != memory.StatusSuccess && l.Status != memory.StatusError && l.Status != memory.StatusBlocked:
		return errors.New("status: it must be success, error or blocked")
	case l.Role == memory.RoleTool && !l.isCall() && (l.Status != "" || l.Args != nil || l.Result != nil):
		return errors.New("tool: a line of a call names its tool, or has its command")
	case !l.isCall() && strings.TrimSpace(l.Text) == "":
		return errors.New("text: it is empty")
	case l.Source != "" && l.source() != memory.Source(l.Source):
		return errors.New("source: it must be hook, transcript or import")
	case strings.Contains(l.Agent, "/"):
		return errors.New("agent: it has a slash")
	}
	return nil
}

// isCall tells a call of a tool from what a tool said, which sources that know no more of it have as a text alone.
func (l *Line) isCall() bool { return l.Role == memory.RoleTool && (l.Tool != "" || l.Command != "") }

// source is who told the line; who is not named has written it.
func (l *Line) source() memory.Source {
	switch s := memory.Source(l.Source); s {
	case memory.FromHook, memory.FromTranscript:
		return s
	}
	return memory.FromImport
}
