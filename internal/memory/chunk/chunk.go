// Package chunk cuts messages and tool calls into what is searched.
package chunk

import (
	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/terms"
)

// Message are the chunks of a message. Project and Agent are the caller's to fill in.
func Message(m memory.Message) []memory.Chunk {
	return []memory.Chunk{{Session: m.Session, Message: m.ID, Role: m.Role, Text: m.Text, Time: m.Time, Terms: terms.Of(m.Text)}}
}

// Call are the chunks of a tool call.
func Call(c memory.ToolCall) []memory.Chunk {
	text := c.Tool + " " + c.Command + "\n" + c.Output
	return []memory.Chunk{{
		Session: c.Session, Call: c.ID, Role: memory.RoleTool, Text: text, Tool: c.Tool, Status: c.Status, Command: c.Command,
		Time: c.Time, Terms: terms.Of(text),
	}}
}
