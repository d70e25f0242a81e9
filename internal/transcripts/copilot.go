package transcripts

import (
	"bytes"
	"encoding/json"

	"github.com/boathook/boathook/internal/callspec"
)

// copilotLines reads ~/.copilot/session-state/<session>/events.jsonl, as of Copilot CLI 1.0.102.
type copilotLines struct{ cwd, session string }

func copilot() lineReader { return &copilotLines{} }

func (s *copilotLines) line(text []byte) ([]Call, bool) {
	start := bytes.Contains(text, []byte(`session.`))
	if !start && !bytes.Contains(text, []byte("tool.execution_start")) {
		return nil, true
	}
	var l struct {
		Type      string `json:"type"`
		Timestamp string `json:"timestamp"`
		Data      struct {
			SessionID  string          `json:"sessionId"`
			ToolCallID string          `json:"toolCallId"`
			ToolName   string          `json:"toolName"`
			Arguments  json.RawMessage `json:"arguments"`
			Context    struct {
				CWD string `json:"cwd"`
			} `json:"context"`
		} `json:"data"`
	}
	if json.Unmarshal(text, &l) != nil {
		return nil, false
	}
	switch l.Type {
	case "session.start", "session.resume":
		if l.Data.Context.CWD != "" {
			s.cwd = l.Data.Context.CWD
		}
		if l.Data.SessionID != "" {
			s.session = l.Data.SessionID
		}
	case "tool.execution_start":
		if l.Data.ToolName == "" {
			break
		}
		return []Call{{
			Call: callspec.Call{Tool: l.Data.ToolName, Input: objectOf(l.Data.Arguments), CWD: s.cwd},
			ID:   l.Data.ToolCallID, Session: s.session, Time: timeOf(l.Timestamp),
		}}, true
	}
	return nil, true
}
