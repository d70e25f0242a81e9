// Package correlate says where an event belongs: its trace, its turn, and of a tool call which Before goes with which
// After. It is a state machine over the events of one session, in the order of their insertion; it knows no clock, no
// store and no other session, so that the same events always give the same places. The worker runs it once for each
// event, and what it says is stored with the event: exporters read it, and an event that is sent twice is the same twice.
// It imports only hook, internal/record and the standard library.
package correlate

import "time"

// Pairing is what is known of a tool event's other half.
type Pairing string

// The pairings. An event that is about no tool call has none.
const (
	// Open is a Before whose After may come.
	Open Pairing = "open"
	// Blocked is a Before whose call was denied: it has no After.
	Blocked Pairing = "blocked"
	// Exact is an After whose host gave both events one call id.
	Exact Pairing = "exact"
	// Unique is an After for which exactly one call of this session, tool and input was open.
	Unique Pairing = "unique"
	// Ambiguous is an After for which several equal calls were open: which is which can't be known.
	Ambiguous Pairing = "ambiguous"
	// Unmatched is an After for which no call was open.
	Unmatched Pairing = "unmatched"
)

// Proven tells that Before names the event of the same call.
func (p Pairing) Proven() bool { return p == Exact || p == Unique }

// Place is where one event belongs.
type Place struct {
	// TraceID is 16 bytes in hex: those of the ULID of the event that began the trace, or what TRACEPARENT said.
	TraceID string `json:"trace_id"`
	// ParentID is the span that TRACEPARENT named, 8 bytes in hex, empty without one. It is the parent of the turn's span, and
	// of an event's span where there is no turn.
	ParentID string `json:"parent_id,omitempty"`
	// TurnID is the id of the event that began the turn; empty outside of any turn. The events between a turn's end and the
	// next one belong to the one that ended.
	TurnID string `json:"turn_id,omitempty"`
	// Pairing and, where it is Proven, Before: the id of the tool:before event of the same call.
	Pairing Pairing `json:"pairing,omitempty"`
	Before  string  `json:"before,omitempty"`
}

// Outcome is how a turn ended.
type Outcome string

// The outcomes.
const (
	// Completed: the agent said that it was done.
	Completed Outcome = "completed"
	// Interrupted: the session ended, or the next prompt came, before the agent said so; or the agent says that it was broken
	// off.
	Interrupted Outcome = "interrupted"
	// Abandoned: nothing came any more, or the session started anew; the agent was killed, as far as can be known.
	Abandoned Outcome = "abandoned"
)

// Turn is a turn that ended.
type Turn struct {
	// ID is the id of the event that began it.
	ID        string `json:"id"`
	Agent     string `json:"agent"`
	Product   string `json:"product,omitempty"`
	SessionID string `json:"session_id"`
	TraceID   string `json:"trace_id"`
	ParentID  string `json:"parent_id,omitempty"`
	// TraceState is that of the event that began it.
	TraceState string `json:"trace_state,omitempty"`
	// Start is the time of its first event, End of its last; First and Last are their ids.
	Start   time.Time `json:"start"`
	End     time.Time `json:"end"`
	First   string    `json:"first"`
	Last    string    `json:"last"`
	Outcome Outcome   `json:"outcome"`
	// Events counts all its events, Calls the tool calls by what is known of them; calls that were still open when it ended
	// count as unmatched.
	Events int             `json:"events"`
	Calls  map[Pairing]int `json:"calls,omitempty"`
	// Failed counts the proven calls whose result was an error.
	Failed int    `json:"failed,omitempty"`
	Model  string `json:"model,omitempty"`
	// Reason is the host's own word for why it ended.
	Reason string `json:"reason,omitempty"`
	// InputTokens and OutputTokens are sums over what the host stated; zero when it stated nothing.
	InputTokens  int64 `json:"input_tokens,omitempty"`
	OutputTokens int64 `json:"output_tokens,omitempty"`
	// HookVersion is the version of the hook that recorded the first event.
	HookVersion string `json:"hook_version,omitempty"`
}
