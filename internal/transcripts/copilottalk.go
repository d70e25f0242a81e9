package transcripts

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/boathook/boathook/internal/callspec"
)

// copilotTalk reads the conversations of Copilot CLI 1.0.102.
type copilotTalk struct{ session, cwd string }

func newCopilotTalk(File) talker { return &copilotTalk{} }

type copilotLine struct {
	ID, Type, Timestamp string
	Data                struct {
		SessionID    string `json:"sessionId"`
		Content      string
		Source       string
		Model        string
		MessageID    string `json:"messageId"`
		ToolCallID   string `json:"toolCallId"`
		ToolName     string `json:"toolName"`
		ParentToolID string `json:"parentToolCallId"`
		Arguments    json.RawMessage
		OutputTokens int64 `json:"outputTokens"`
		Success      *bool
		Result       struct{ Content string }
		Error        struct{ Message, Code string }
		Shell        struct {
			ExitCode *int `json:"exitCode"`
		} `json:"shellExecution"`
		Context struct {
			CWD string `json:"cwd"`
		}
	}
}

func (s *copilotTalk) line(q *queue, text []byte, _ int) (outcome, error) {
	var l copilotLine
	if json.Unmarshal(text, &l) != nil {
		var kind struct{ Type string }
		if json.Unmarshal(text, &kind) == nil && !strings.HasSuffix(kind.Type, ".message") && !strings.HasPrefix(kind.Type, "tool.") {
			return known, nil // one that tells of no message, in a form of its own
		}
		return broken, nil
	}
	if q.again(l.ID) {
		return known, nil
	}
	it := Item{Session: s.session, CWD: s.cwd, Time: timeOf(l.Timestamp), Subagent: l.Data.ParentToolID}
	switch l.Type {
	case "session.start", "session.resume":
		s.begin(l)
	case "user.message":
		if err := q.settle(); err != nil {
			return known, err
		}
		return known, l.said(q, it)
	case "assistant.message":
		return known, l.said(q, it)
	case "tool.execution_start":
		if l.Data.ToolName == "" {
			break
		}
		it.Use = &Use{Call: Call{Call: callspec.Call{Tool: l.Data.ToolName, Input: objectOf(l.Data.Arguments)}, ID: l.Data.ToolCallID}}
		return known, q.begin(it)
	case "tool.execution_complete":
		return known, q.end(l.Data.ToolCallID, func(u *Use) { l.result(u, it) })
	default:
		if !strings.Contains(l.Type, ".") {
			return unknown, nil
		}
	}
	return known, nil
}

func (s *copilotTalk) begin(l copilotLine) {
	if l.Data.Context.CWD != "" {
		s.cwd = l.Data.Context.CWD
	}
	if l.Data.SessionID != "" {
		s.session = l.Data.SessionID
	}
}

// said tells a message, if it says anything.
func (l copilotLine) said(q *queue, it Item) error {
	it.Message = &Message{ID: l.ID, Role: roleAssistant, Text: l.Data.Content, Model: l.Data.Model, Output: l.Data.OutputTokens}
	if l.Type == "user.message" {
		it.Message = &Message{ID: l.ID, Role: roleUser}
		it.Message.Text, it.Message.Generated = said(l.Data.Content)
		if l.Data.Source != "" && l.Data.Source != roleUser && it.Message.Generated == "" {
			it.Message.Generated = "context"
		}
	}
	if strings.TrimSpace(it.Message.Text) == "" {
		return nil
	}
	return q.add(it)
}

func (l copilotLine) result(u *Use, at Item) {
	d := l.Data
	u.Output, u.Error = d.Result.Content, d.Error.Message
	u.Result, _ = json.Marshal(map[string]string{"content": d.Result.Content}) // texts always marshal
	if d.Success != nil {
		u.Status = statusSuccess
		if !*d.Success {
			u.Status = statusError
		}
	}
	if d.Error.Code == "denied" || d.Error.Code == "rejected" {
		u.Status = statusBlocked
	}
	exitStatus(u, u.Output)
	if code := d.Shell.ExitCode; code != nil && *code != 0 && u.Status == statusSuccess {
		u.Status, u.Error = statusError, "exit code "+strconv.Itoa(*code)
	}
	if span := at.Time.Sub(u.Time); !u.Time.IsZero() && span > 0 {
		u.Duration = span
	}
}
