package transcripts

import (
	"bytes"
	"encoding/json"

	"github.com/boathook/boathook/internal/callspec"
)

// claudeLines reads ~/.claude/projects/<directory>/<session>.jsonl, as of Claude Code 2.1: one line for each block of a message.
type claudeLines struct{}

func claude() lineReader { return claudeLines{} }

func (claudeLines) line(text []byte) ([]Call, bool) {
	if !bytes.Contains(text, []byte("tool_use")) {
		return nil, true
	}
	var l struct {
		Type      string `json:"type"`
		CWD       string `json:"cwd"`
		SessionID string `json:"sessionId"`
		Timestamp string `json:"timestamp"`
		Message   struct {
			Content json.RawMessage `json:"content"`
		} `json:"message"`
	}
	if json.Unmarshal(text, &l) != nil {
		return nil, false
	}
	if l.Type != "assistant" {
		return nil, true
	}
	var blocks []struct {
		Type, ID, Name string
		Input          json.RawMessage
	}
	if json.Unmarshal(l.Message.Content, &blocks) != nil {
		return nil, true // a text
	}
	var out []Call
	for _, b := range blocks {
		if b.Type == "tool_use" && b.Name != "" {
			out = append(out, Call{
				Call: callspec.Call{Tool: b.Name, Input: b.Input, CWD: l.CWD}, ID: b.ID, Session: l.SessionID, Time: timeOf(l.Timestamp),
			})
		}
	}
	return out, true
}
