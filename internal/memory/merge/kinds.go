package merge

import (
	"slices"
	"time"

	"github.com/boathook/boathook/internal/memory"
)

type messages struct{}

func (messages) at(m memory.Message) time.Time  { return m.Time }
func (messages) callID(memory.Message) string   { return "" }
func (messages) origin(m memory.Message) string { return m.Origin }
func (messages) hook(m memory.Message) bool     { return m.Source == memory.FromHook }
func (messages) bare(m memory.Message) memory.Message {
	m.Text, m.Content = "", nil
	return m
}

func (messages) shown(m memory.Message, id, origin string) memory.Message {
	m.ID, m.Origin = id, origin
	return m
}

func (messages) covered(m memory.Message, until time.Time) bool {
	return plainRole(m.Role) == memory.RoleAssistant && !m.Time.After(until) && !until.IsZero()
}

func (messages) join(a, b memory.Message) memory.Message {
	return memory.Message{
		Session: a.Session, Role: joinString(a.Role, b.Role), Time: joinTime(a.Time, b.Time),
		Text: joinString(a.Text, b.Text), Content: joinRaw(a.Content, b.Content), Model: joinString(a.Model, b.Model),
		TokensInput: max(a.TokensInput, b.TokensInput), TokensOutput: max(a.TokensOutput, b.TokensOutput),
		TokensTotal: max(a.TokensTotal, b.TokensTotal), Source: joinSource(a.Source, b.Source),
	}
}

func (messages) both(hook, other memory.Message) memory.Message {
	out := other
	out.Time = knownTime(other.Time, hook.Time)
	out.Text = known(other.Text, hook.Text)
	out.Model = known(other.Model, hook.Model)
	out.TokensInput = known(other.TokensInput, hook.TokensInput)
	out.TokensOutput = known(other.TokensOutput, hook.TokensOutput)
	out.TokensTotal = known(other.TokensTotal, hook.TokensTotal)
	if len(out.Content) == 0 {
		out.Content = hook.Content
	}
	return out
}

type calls struct{}

func (calls) at(c memory.ToolCall) time.Time              { return c.Time }
func (calls) callID(c memory.ToolCall) string             { return c.CallID }
func (calls) origin(c memory.ToolCall) string             { return c.Origin }
func (calls) hook(c memory.ToolCall) bool                 { return c.Source == memory.FromHook }
func (calls) covered(_ memory.ToolCall, _ time.Time) bool { return false }
func (calls) bare(c memory.ToolCall) memory.ToolCall {
	c.Command, c.Paths, c.Args, c.Result, c.Output, c.Error = "", nil, nil, nil, "", ""
	return c
}

func (calls) shown(c memory.ToolCall, id, origin string) memory.ToolCall {
	c.ID, c.Origin = id, origin
	return c
}

func (calls) join(a, b memory.ToolCall) memory.ToolCall {
	return memory.ToolCall{
		Session: a.Session, Message: joinString(a.Message, b.Message), CallID: joinString(a.CallID, b.CallID), Tool: a.Tool,
		HostTool: joinString(a.HostTool, b.HostTool), Kind: joinString(a.Kind, b.Kind), Status: joinStatus(a.Status, b.Status),
		Command: joinString(a.Command, b.Command), Paths: joinPaths(a.Paths, b.Paths), Args: joinRaw(a.Args, b.Args),
		Result: joinRaw(a.Result, b.Result), Output: joinString(a.Output, b.Output), Error: joinString(a.Error, b.Error),
		Time: joinTime(a.Time, b.Time), Duration: max(a.Duration, b.Duration), Source: joinSource(a.Source, b.Source),
	}
}

// both takes from the hook that a call was blocked, and how long it took: transcripts don't know.
func (calls) both(hook, other memory.ToolCall) memory.ToolCall {
	out := other
	out.Message, out.CallID = known(other.Message, hook.Message), known(other.CallID, hook.CallID)
	out.HostTool, out.Kind = known(other.HostTool, hook.HostTool), known(other.Kind, hook.Kind)
	out.Status, out.Error = known(other.Status, hook.Status), known(other.Error, hook.Error)
	if hook.Status == memory.StatusBlocked {
		out.Status, out.Error = hook.Status, known(hook.Error, other.Error)
	}
	out.Command, out.Output = known(other.Command, hook.Command), known(other.Output, hook.Output)
	out.Duration, out.Time = known(hook.Duration, other.Duration), knownTime(other.Time, hook.Time)
	if len(out.Paths) == 0 {
		out.Paths = hook.Paths
	}
	if len(out.Args) == 0 {
		out.Args = hook.Args
	}
	if len(out.Result) == 0 {
		out.Result = hook.Result
	}
	return out
}

func known[T comparable](first, second T) T {
	var zero T
	if first != zero {
		return first
	}
	return second
}

func knownTime(first, second time.Time) time.Time {
	if first.IsZero() {
		return second
	}
	return first
}

// joinTime is when something began, as far as it is known.
func joinTime(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

func joinRaw(a, b []byte) []byte {
	if joinString(string(a), string(b)) == string(a) {
		return a
	}
	return b
}

func joinPaths(a, b []string) []string {
	if len(a) != len(b) {
		if len(a) > len(b) {
			return a
		}
		return b
	}
	if slices.Compare(a, b) >= 0 {
		return a
	}
	return b
}

// statuses are from the one that says least to the strictest.
func statuses() []string {
	return []string{"", memory.StatusSuccess, memory.StatusError, memory.StatusBlocked}
}

// joinStatus has the stricter end of one call.
func joinStatus(a, b string) string {
	order := statuses()
	return order[max(slices.Index(order, a), slices.Index(order, b), 0)]
}

// joinSource: a transcript is more than an import.
func joinSource(a, b memory.Source) memory.Source {
	return max(a, b)
}
