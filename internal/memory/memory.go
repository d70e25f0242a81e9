// Package memory is what agents did, kept so that it can be found again: sessions, messages, tool calls, and the chunks of
// them that are searched. It has the rows, and the Store that keeps them; SQLite and PostgreSQL implement it, internal/memory/remote
// reaches one that another process holds. Everything in a row is masked already.
//
// Rows are keyed by what they say, not by who told: a hook, a transcript and a backfill that tell of the same message make
// one row, in whatever order they come (package merge).
package memory

import (
	"encoding/json"
	"time"
)

// The roles of messages. RoleGemini, RoleInfo, RoleError and RoleWarning are what Gemini CLI's records call them; who reads
// gets them as they were told.
const (
	RoleUser      = "user"
	RoleAssistant = "assistant"
	RoleTool      = "tool"
	RoleSystem    = "system"
	RoleGemini    = "gemini"
	RoleInfo      = "info"
	RoleError     = "error"
	RoleWarning   = "warning"
)

// How a tool call ended. An empty status is that of a call whose end nobody told.
const (
	StatusSuccess = "success"
	StatusError   = "error"
	StatusBlocked = "blocked"
)

// Source says who told a row.
type Source string

// The sources. What a transcript says of a row wins over what a hook said.
const (
	FromHook       Source = "hook"
	FromTranscript Source = "transcript"
	FromImport     Source = "import"
)

// Session is one session of one agent. A zero field is not known, and never takes away what was known.
type Session struct {
	// ID is SessionID(agent, the agent's own id).
	ID string `json:"id"`
	// Project is the key of the project (package project), Root where it is on the machine that told.
	Project string `json:"project"`
	Root    string `json:"root,omitempty"`
	// Agent is the agent's id; the design's column is source.
	Agent   string    `json:"agent"`
	Started time.Time `json:"started,omitzero"`
	Ended   time.Time `json:"ended,omitzero"`
	// Active is when anything of it was last told.
	Active  time.Time `json:"active,omitzero"`
	Summary string    `json:"summary,omitempty"`
	// Outcome is success, error or blocked, as far as the session's end shows it.
	Outcome string `json:"outcome,omitempty"`
}

// Message is one thing that was said.
type Message struct {
	// ID is given by the store: the same text for the n-th time in a session has the same id, whoever tells it.
	ID      string `json:"id,omitempty"`
	Session string `json:"session"`
	Role    string `json:"role"`
	// Time is when it was said, Text what, masked; Content is the message as its agent wrote it, masked, or nil.
	Time    time.Time       `json:"time"`
	Text    string          `json:"text"`
	Content json.RawMessage `json:"content,omitempty"`
	// Model and the tokens are known from transcripts.
	Model        string `json:"model,omitempty"`
	TokensInput  int64  `json:"tokens_input,omitempty"`
	TokensOutput int64  `json:"tokens_output,omitempty"`
	TokensTotal  int64  `json:"tokens_total,omitempty"`
	// Source told it, Origin is its id there: of the event, of the line of a transcript.
	Source Source `json:"source"`
	Origin string `json:"origin"`
}

// ToolCall is one call of a tool. Its beginning and its end are one row.
type ToolCall struct {
	// ID is given by the store, as a message's.
	ID      string `json:"id,omitempty"`
	Session string `json:"session"`
	// Message is the id of the message that made it, where that is known.
	Message string `json:"message,omitempty"`
	// CallID is the agent's own id of the call.
	CallID string `json:"call_id,omitempty"`
	// Tool is the canonical name, HostTool the agent's, Kind the family.
	Tool     string `json:"tool"`
	HostTool string `json:"host_tool,omitempty"`
	Kind     string `json:"kind,omitempty"`
	Status   string `json:"status,omitempty"`
	// Command is the command line of a shell tool, Paths are what the arguments name.
	Command string          `json:"command,omitempty"`
	Paths   []string        `json:"paths,omitempty"`
	Args    json.RawMessage `json:"args,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	// Output is the result as text, Error the agent's error text, or why it was blocked.
	Output   string        `json:"output,omitempty"`
	Error    string        `json:"error,omitempty"`
	Time     time.Time     `json:"time"`
	Duration time.Duration `json:"duration,omitempty"`
	Source   Source        `json:"source"`
	Origin   string        `json:"origin"`
}

// Cover says that a transcript has told all that was said in a session up to a time: what hooks said of it and the transcript does not
// have (an answer in another cut) goes.
type Cover struct {
	Session string    `json:"session"`
	Until   time.Time `json:"until"`
}

// Batch is what is written in one transaction.
type Batch struct {
	Sessions  []Session  `json:"sessions,omitempty"`
	Messages  []Message  `json:"messages,omitempty"`
	ToolCalls []ToolCall `json:"tool_calls,omitempty"`
	Covers    []Cover    `json:"covers,omitempty"`
}

// Written counts what a batch came to: new rows, rows that learned something, rows that were there.
type Written struct {
	New     int `json:"new"`
	Changed int `json:"changed"`
	Known   int `json:"known"`
}

// Chunk is what is searched: a message, a piece of a long one, or a tool call.
type Chunk struct {
	// ID is the store's own number.
	ID      int64  `json:"id"`
	Session string `json:"session"`
	Project string `json:"project"`
	// Message or Call is the row that it is of, Piece its place in it.
	Message string `json:"message,omitempty"`
	Call    string `json:"call,omitempty"`
	Piece   int    `json:"piece,omitempty"`
	Agent   string `json:"agent,omitempty"`
	// Role is the message's; RoleTool for a call.
	Role string `json:"role"`
	Text string `json:"text"`
	// Tool, Status and Command are a call's.
	Tool    string `json:"tool,omitempty"`
	Status  string `json:"status,omitempty"`
	Command string `json:"command,omitempty"`
	// Tags say what it is about: git, docker, go, test, … (package chunk).
	Tags []string  `json:"tags,omitempty"`
	Time time.Time `json:"time"`
	// Terms are what it is found by (package terms), in their order, with repeats.
	Terms []string `json:"terms,omitempty"`
}
