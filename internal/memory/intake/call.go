package intake

import (
	"time"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/record"
)

// maxDuration is more than a call takes: beyond it a clock was set.
const maxDuration = 24 * time.Hour

// called is the call that an event ends, or that was refused before it began. A call that only began is told by Unended.
func called(t Told) (memory.ToolCall, bool) {
	r := t.Record
	switch r.Event.Event {
	case canon.ToolAfter, canon.ToolError:
		return ended(t)
	case canon.ToolBefore:
		if r.Decision.Expressed != canon.Deny || r.Tool == nil {
			return memory.ToolCall{}, false
		}
		c := callOf(r.Tool, r)
		c.Status, c.Error = memory.StatusBlocked, first(r.Decision.Reason, r.Decision.Rule)
		return c, true
	}
	return memory.ToolCall{}, false
}

// ended is a call by its end. Where the end names no tool (Antigravity) its beginning does.
func ended(t Told) (memory.ToolCall, bool) {
	r, tool := t.Record, t.Record.Tool
	if tool == nil && t.Before != nil {
		tool = t.Before.Tool
	}
	if tool == nil {
		return memory.ToolCall{}, false
	}
	c := callOf(tool, r)
	if r.Tool != nil {
		c.Status, c.Error = statusOf(r.Tool), r.Tool.Error
		c.Result, c.Output = r.Tool.Output, Text(r.Tool.Output)
		c.Duration = time.Duration(r.Tool.DurationMS * float64(time.Millisecond))
	}
	if b := t.Before; b != nil {
		if took := r.Time.Sub(b.Time); c.Duration <= 0 && took > 0 && took < maxDuration {
			c.Duration = took
		}
		c.Time, c.Origin, c.CallID = b.Time, b.ID, first(r.CallID, b.CallID)
		if len(c.Args) == 0 && b.Tool != nil {
			c.Args = b.Tool.Input
		}
	}
	return c, true
}

// Unended is a call of which only the beginning was told when its session was over.
func (in *Intake) Unended(r *record.Record) (memory.ToolCall, bool) {
	if r.Event.Event != canon.ToolBefore || r.Tool == nil || r.SessionID == "" {
		return memory.ToolCall{}, false
	}
	c := callOf(r.Tool, r)
	c.Session = memory.SessionID(r.Agent, r.SessionID)
	return in.Call(c)
}

func callOf(tool *canon.Tool, r *record.Record) memory.ToolCall {
	return memory.ToolCall{
		CallID: r.CallID, Tool: tool.Name, HostTool: tool.HostName, Kind: tool.Kind, Command: tool.Command, Paths: tool.Paths,
		Args: tool.Input, Time: r.Time, Source: memory.FromHook, Origin: r.ID,
	}
}

func statusOf(tool *canon.Tool) string {
	if tool.Status == memory.StatusSuccess || tool.Status == memory.StatusError {
		return tool.Status
	}
	return ""
}
