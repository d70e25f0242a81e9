package transcripts

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/callspec"
)

// claudeTalk reads the conversations of Claude Code 2.1: a line for each block of an answer, results in lines of the user's.
type claudeTalk struct{ counted map[string]bool }

func newClaudeTalk(File) talker { return &claudeTalk{counted: map[string]bool{}} }

type claudeLine struct {
	Type, Subtype, UUID, CWD, Timestamp string
	SessionID                           string `json:"sessionId"`
	AgentID                             string `json:"agentId"`
	IsSidechain, IsMeta                 bool
	IsCompactSummary                    bool
	IsVisibleInTranscriptOnly           bool
	Message                             struct {
		ID, Role, Model string
		Content         json.RawMessage
		Usage           struct {
			Input  int64 `json:"input_tokens"`
			Made   int64 `json:"cache_creation_input_tokens"`
			Read   int64 `json:"cache_read_input_tokens"`
			Output int64 `json:"output_tokens"`
		}
	}
	Decision struct {
		Decision string `json:"decision"`
	} `json:"permissionDecision"`
}

type claudeBlock struct {
	Type, ID, Name, Text string
	Input                json.RawMessage
	ToolUseID            string `json:"tool_use_id"`
	IsError              bool   `json:"is_error"`
	Content              json.RawMessage
}

// claudeOther are the lines that tell of no message.
func claudeOther() []string {
	return []string{
		"attachment", "system", "summary", "queue-operation", "last-prompt", "cost-state", "tools-used", "api-request", "api-request-blob",
		"api-request-shape", "atis-latch", "file-history-snapshot", "progress", "custom-title", "tag", "agent-name", "ai-title", "mode",
	}
}

func (s *claudeTalk) line(q *queue, text []byte, _ int) (outcome, error) {
	var l claudeLine
	if json.Unmarshal(text, &l) != nil {
		return lineKind(text, claudeOther()), nil
	}
	if l.Type != roleUser && l.Type != roleAssistant {
		if slices.Contains(claudeOther(), l.Type) {
			return known, nil
		}
		return unknown, nil
	}
	if q.again(l.UUID) {
		return known, nil
	}
	return known, s.message(q, l)
}

func (s *claudeTalk) message(q *queue, l claudeLine) error {
	it := Item{Session: l.SessionID, CWD: l.CWD, Time: timeOf(l.Timestamp)}
	if l.IsSidechain {
		it.Subagent = l.AgentID
	}
	var blocks []claudeBlock
	if text := textOf(l.Message.Content); text != "" {
		blocks = []claudeBlock{{Type: "text", Text: text}}
	} else if json.Unmarshal(l.Message.Content, &blocks) != nil {
		return nil
	}
	var texts []string
	for _, b := range blocks {
		if b.Type == "text" {
			texts = append(texts, b.Text)
		}
	}
	if strings.TrimSpace(strings.Join(texts, "")) != "" {
		m := it
		m.Message = s.said(l, texts)
		if l.Type == roleUser && m.Message.Generated == "" && it.Subagent == "" {
			if err := q.settle(); err != nil { // a new turn: what was not answered never will be
				return err
			}
		}
		if err := q.add(m); err != nil {
			return err
		}
	}
	for _, b := range blocks {
		var err error
		switch {
		case b.Type == "tool_use" && b.Name != "":
			m := it
			m.Use = &Use{Call: Call{Call: callspec.Call{Tool: b.Name, Input: b.Input}, ID: b.ID}}
			err = q.begin(m)
		case b.Type == "tool_result":
			err = q.end(b.ToolUseID, func(u *Use) { b.result(u, l, it) })
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *claudeTalk) said(l claudeLine, texts []string) *Message {
	m := &Message{ID: l.UUID, Role: l.Type, Content: l.Message.Content, Model: l.Message.Model}
	if l.Type == roleAssistant {
		m.Text = strings.Join(texts, "\n")
		if u := l.Message.Usage; !s.counted[l.Message.ID] {
			m.Input, m.Output = u.Input+u.Made+u.Read, u.Output
			m.Tokens = m.Input + m.Output
			s.counted[l.Message.ID] = l.Message.ID != ""
		}
		if m.Model == "<synthetic>" { // what the program says in the model's place: an error, an interruption
			m.Model, m.Generated = "", "context"
		}
		return m
	}
	m.Text, m.Generated = saidOf(texts)
	switch {
	case l.IsCompactSummary:
		m.Generated = "summary"
	case l.IsSidechain:
		m.Generated = "subagent"
	case l.IsMeta && m.Generated == "":
		m.Generated = "context"
	}
	return m
}

// result is what a block tells of a call.
func (b claudeBlock) result(u *Use, l claudeLine, at Item) {
	u.Output = contentText(b.Content)
	u.Result = b.Content
	u.Status = statusSuccess
	if b.IsError {
		u.Status, u.Error = statusError, u.Output
	}
	refused := strings.HasPrefix(u.Output, "The user doesn't want to") || strings.Contains(u.Output, " hook blocking error")
	if b.IsError && (refused || l.Decision.Decision != "" && l.Decision.Decision != "accept") {
		u.Status = statusBlocked
	}
	if d := at.Time.Sub(u.Time); !u.Time.IsZero() && d > 0 {
		u.Duration = d
	}
}

// contentText is the text of a content that is one, or a list of blocks.
func contentText(raw json.RawMessage) string {
	if text := textOf(raw); text != "" {
		return text
	}
	var blocks []struct{ Type, Text string }
	if json.Unmarshal(raw, &blocks) != nil {
		return ""
	}
	var out []string
	for _, b := range blocks {
		if b.Text != "" {
			out = append(out, b.Text)
		}
	}
	return strings.Join(out, "\n")
}

// lineKind tells of a line that could not be read as it should whether it is one of those that tell nothing anyway.
func lineKind(text []byte, others []string) outcome {
	var l struct{ Type string }
	if json.Unmarshal(text, &l) == nil && slices.Contains(others, l.Type) {
		return known
	}
	return broken
}
