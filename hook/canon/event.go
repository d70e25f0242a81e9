// Package canon is the canonical vocabulary: the event that every agent's hook payload is decoded into, and the decision that
// answers it. Package hook has the same names for who writes a hook. It imports only the standard library.
//
// All values are plain data; nothing here is safe for concurrent mutation and nothing here does I/O.
package canon

import (
	"encoding/json"
	"time"
)

// Kind is the canonical name of what happened, the same on every agent.
type Kind string

// The canonical event kinds. An event that none of them describes is KindOther and keeps the host's own name.
const (
	SessionStart      Kind = "session:start"
	SessionStop       Kind = "session:stop"
	PromptSubmit      Kind = "prompt:submit"
	AgentStop         Kind = "agent:stop"
	ToolBefore        Kind = "tool:before"
	ToolAfter         Kind = "tool:after"
	ToolError         Kind = "tool:error"
	ToolBatch         Kind = "tool:batch"
	PermissionRequest Kind = "permission:request"
	ModelBefore       Kind = "model:before"
	ModelAfter        Kind = "model:after"
	ToolSelect        Kind = "tool:select"
	CompactBefore     Kind = "compact:before"
	CompactAfter      Kind = "compact:after"
	SubagentStart     Kind = "subagent:start"
	SubagentStop      Kind = "subagent:stop"
	Notified          Kind = "notification"
	Other             Kind = "other"
)

// Kinds lists every canonical kind, in the order of the documentation.
func Kinds() []Kind {
	return []Kind{
		SessionStart, SessionStop, PromptSubmit, AgentStop, ToolBefore, ToolAfter, ToolError, ToolBatch,
		PermissionRequest, ModelBefore, ModelAfter, ToolSelect, CompactBefore, CompactAfter, SubagentStart,
		SubagentStop, Notified, Other,
	}
}

// Event is one hook event of one agent in canonical form. A zero field means that the host did not say.
type Event struct {
	// ID is the event's ULID (26 characters, Crockford base32), made when the hook ran.
	ID string `json:"id"`
	// Time is when the hook ran, by this machine's clock, in UTC. The host's own time stamp stays in Raw.
	Time time.Time `json:"time"`
	// Agent is the agent's id: gemini, antigravity, …
	Agent string `json:"agent"`
	// Product tells apart programs that share one agent id (Antigravity: agy, antigravity2).
	Product string `json:"product,omitempty"`
	// Event is the canonical kind; HostEvent the host's own name for it.
	Event     Kind   `json:"event"`
	HostEvent string `json:"host_event"`

	SessionID  string `json:"session_id,omitempty"`
	TurnID     string `json:"turn_id,omitempty"`
	CallID     string `json:"call_id,omitempty"`
	SubagentID string `json:"subagent_id,omitempty"`

	// CWD is the session's working directory, Project the root of the repository that holds it (else CWD itself).
	CWD            string `json:"cwd,omitempty"`
	Project        string `json:"project,omitempty"`
	TranscriptPath string `json:"transcript_path,omitempty"`

	Tool *Tool `json:"tool,omitempty"`

	Prompt   string `json:"prompt,omitempty"`
	Response string `json:"response,omitempty"`
	Model    string `json:"model,omitempty"`
	Usage    *Usage `json:"usage,omitempty"`

	// Source says why a session started or a compaction ran; Reason why a session or turn ended.
	Source       string        `json:"source,omitempty"`
	Reason       string        `json:"reason,omitempty"`
	Notification *Notification `json:"notification,omitempty"`

	// SpanID is 8 random bytes in hex. The remote guard is told it and the span exported later carries it unchanged.
	SpanID string `json:"span_id"`

	// TraceParent and TraceState are the W3C trace context that the agent's environment named (TRACEPARENT, TRACESTATE), where
	// it is a valid one.
	TraceParent string `json:"traceparent,omitempty"`
	TraceState  string `json:"tracestate,omitempty"`

	// Raw is the host's payload with all its fields, known or not, as a JSON object.
	Raw json.RawMessage `json:"raw,omitempty"`
}

// Tool is the tool call that an event is about.
type Tool struct {
	// Name is the canonical name (bash, read_file, …) or, for a tool that has none, the host's own.
	Name string `json:"name"`
	// HostName is what the host calls the tool.
	HostName string `json:"host_name"`
	// Kind is the family: shell, read, write, search, web, agent, mcp, memory, plan, ask, media or other.
	Kind string `json:"kind"`
	// Input is the arguments as the host sent them; Output the host's result value.
	Input  json.RawMessage `json:"input,omitempty"`
	Output json.RawMessage `json:"output,omitempty"`
	// InputHash is a keyed hash (HMAC-SHA-256, hex) of the canonical form of the unredacted input: equal inputs on one
	// machine have equal hashes, and nothing can be learned from one without the machine's key.
	InputHash string `json:"input_hash,omitempty"`
	// Error is the host's error text; Status is success or error where the host's evidence shows it, else empty.
	Error  string `json:"error,omitempty"`
	Status string `json:"status,omitempty"`
	// Command is the command line of a shell tool; of one that is not known, as those of MCP servers are, what its arguments
	// have under a name for one, a line each.
	Command string `json:"command,omitempty"`
	// Paths and URLs are those named by the arguments, in their order, as the host wrote them.
	Paths []string `json:"paths,omitempty"`
	URLs  []string `json:"urls,omitempty"`
	MCP   *MCP     `json:"mcp,omitempty"`
	// DurationMS is the call's duration in milliseconds, only where the host itself states it.
	DurationMS float64 `json:"duration_ms,omitempty"`
}

// MCP names the Model Context Protocol server and tool behind a call.
type MCP struct {
	Server string `json:"server"`
	Tool   string `json:"tool"`
}

// Usage counts tokens, where the host states them.
type Usage struct {
	InputTokens  int64 `json:"input_tokens,omitempty"`
	OutputTokens int64 `json:"output_tokens,omitempty"`
	TotalTokens  int64 `json:"total_tokens,omitempty"`
}

// Notification is what the host showed, or was about to show, to its user.
type Notification struct {
	Type    string          `json:"type,omitempty"`
	Message string          `json:"message,omitempty"`
	Details json.RawMessage `json:"details,omitempty"`
}
