package transcripts

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/callspec"
)

// qwenTalk reads the conversations of Qwen Code 0.22.
type qwenTalk struct{}

func newQwenTalk(File) talker { return qwenTalk{} }

// geminiPart is a part of a message of Gemini's form.
type geminiPart struct {
	Text         string
	Thought      bool
	FunctionCall *struct {
		ID, Name string
		Args     json.RawMessage
	}
	FunctionResponse *struct {
		ID, Name string
		Response json.RawMessage
	}
}

type qwenLine struct {
	UUID, Timestamp, Type, CWD, Model string
	SessionID                         string `json:"sessionId"`
	Message                           struct{ Parts []geminiPart }
	UsageMetadata                     struct{ PromptTokenCount, CandidatesTokenCount, TotalTokenCount int64 }
	ToolCall                          struct{ Status string } `json:"toolCallResult"`
}

func (qwenTalk) line(q *queue, text []byte, _ int) (outcome, error) {
	var l qwenLine
	if json.Unmarshal(text, &l) != nil {
		return broken, nil
	}
	if !slices.Contains([]string{roleUser, roleAssistant, "tool_result", roleSystem}, l.Type) {
		return unknown, nil
	}
	if l.Type == roleSystem || q.again(l.UUID) {
		return known, nil
	}
	it := Item{Session: l.SessionID, CWD: l.CWD, Time: timeOf(l.Timestamp)}
	if err := l.said(q, it); err != nil {
		return known, err
	}
	for _, p := range l.Message.Parts {
		if err := l.part(q, p, it); err != nil {
			return known, err
		}
	}
	return known, nil
}

// said tells the message in a line, if it says anything.
func (l qwenLine) said(q *queue, it Item) error {
	var texts []string
	for _, p := range l.Message.Parts {
		if p.Text != "" && !p.Thought {
			texts = append(texts, p.Text)
		}
	}
	if strings.TrimSpace(strings.Join(texts, "")) == "" {
		return nil
	}
	m := &Message{ID: l.UUID, Role: l.Type, Text: strings.Join(texts, ""), Model: l.Model}
	m.Content, _ = json.Marshal(l.Message.Parts) // parts always marshal
	if l.Type == roleUser {
		m.Text, m.Generated = saidOf(texts)
		if m.Generated == "" {
			if err := q.settle(); err != nil {
				return err
			}
		}
	}
	u := l.UsageMetadata
	m.Input, m.Output, m.Tokens = u.PromptTokenCount, u.CandidatesTokenCount, u.TotalTokenCount
	it.Message = m
	return q.add(it)
}

// part tells a call, or a call's result.
func (l qwenLine) part(q *queue, p geminiPart, it Item) error {
	switch {
	case p.FunctionCall != nil && p.FunctionCall.Name != "":
		it.Use = &Use{Call: Call{Call: callspec.Call{Tool: p.FunctionCall.Name, Input: p.FunctionCall.Args}, ID: p.FunctionCall.ID}}
		return q.begin(it)
	case p.FunctionResponse != nil:
		return q.end(p.FunctionResponse.ID, func(u *Use) {
			functionResult(u, p.FunctionResponse.Response)
			if l.ToolCall.Status == "cancelled" || strings.Contains(u.Error, "but that permission was declined") {
				u.Status = statusBlocked
			}
			if d := it.Time.Sub(u.Time); !u.Time.IsZero() && d > 0 {
				u.Duration = d
			}
		})
	}
	return nil
}

// functionResult reads a function's response as Gemini's programs have it: {"output":…} or {"error":…}.
func functionResult(u *Use, raw json.RawMessage) {
	var r struct{ Output, Error json.RawMessage }
	_ = json.Unmarshal(raw, &r) // what is no object has neither
	u.Result, u.Output, u.Error = raw, textOf(r.Output), textOf(r.Error)
	switch {
	case u.Error != "":
		u.Status = statusError
	case u.Output != "" || len(r.Output) > 0:
		u.Status = statusSuccess
	}
	exitStatus(u, u.Output)
	if text := u.Error; strings.HasPrefix(text, "Command: ") { // Qwen Code 0.24 says there what a command that failed printed
		u.Output = text
		exitStatus(u, text+"\n")
	}
}
