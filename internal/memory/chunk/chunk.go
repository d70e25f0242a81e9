// Package chunk cuts messages and tool calls into what is searched. The same row always gives the same chunks: stores call it within
// their transactions, again whenever a row has learned something. What a chunk says doesn't depend on how a call ended; its status is
// a field of its own.
package chunk

import (
	"strings"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/terms"
)

const (
	// size is about how many bytes a piece of a message has, maxPieces how many pieces one message.
	size      = 1200
	maxPieces = 64
	// maxCommand, maxArgs, maxHead and maxTail are how much of a call is searched.
	maxCommand = 1000
	maxArgs    = 600
	maxHead    = 800
	maxTail    = 600
)

// Message are the chunks of a message. Project and Agent are the caller's to fill in.
func Message(m memory.Message) []memory.Chunk {
	var out []memory.Chunk
	for i, text := range pieces(m.Text) {
		out = append(out, memory.Chunk{
			Session: m.Session, Message: m.ID, Piece: i, Role: m.Role, Text: text, Tags: wordTags(text), Time: m.Time, Terms: terms.Of(text),
		})
	}
	return out
}

// Call are the chunks of a tool call: one.
func Call(c memory.ToolCall) []memory.Chunk {
	text := callText(c)
	if text == "" {
		return nil
	}
	return []memory.Chunk{{
		Session: c.Session, Call: c.ID, Role: memory.RoleTool, Text: text, Tool: c.Tool, Status: c.Status, Command: c.Command,
		Tags: callTags(c), Time: c.Time, Terms: terms.Of(text),
	}}
}

// callText is what a call was, and what came of it.
func callText(c memory.ToolCall) string {
	var b strings.Builder
	b.WriteString(c.Tool)
	line := func(text string) {
		if text = strings.TrimSpace(text); text != "" {
			b.WriteString("\n")
			b.WriteString(text)
		}
	}
	if c.Command != "" {
		line("$ " + head(c.Command, maxCommand))
	} else {
		line(arguments(c.Args, c.Paths))
	}
	if c.Error != "" && !strings.Contains(c.Output, c.Error) {
		line(ends(c.Error))
	}
	line(ends(c.Output))
	return b.String()
}

// ends are the beginning and the end of a text.
func ends(s string) string {
	s = strings.TrimSpace(s)
	if len(s) <= maxHead+maxTail {
		return s
	}
	return head(s, maxHead) + "\n…\n" + tail(s, maxTail)
}
