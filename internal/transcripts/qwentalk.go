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

func (qwenTalk) line(q *queue, text []byte, _ int) (outcome, error) {
	var l struct {
		UUID, Timestamp, Type, CWD, Model string
		SessionID                         string `json:"sessionId"`
		Message                           struct {
			Parts []geminiPart `json:"parts"`
		}
		UsageMetadata struct{ PromptTokenCount, CandidatesTokenCount, TotalTokenCount int64 }
		ToolCall      struct{ Status string } `json:"toolCallResult"`
	}
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
	var texts []string
	for _, p := range l.Message.Parts {
		if p.Text != "" && !p.Thought {
			texts = append(texts, p.Text)
		}
	}
	if strings.TrimSpace(strings.Join(texts, "")) != "" {
		m := &Message{ID: l.UUID, Role: l.Type, Text: strings.Join(texts, ""), Model: l.Model}
		m.Content, _ = json.Marshal(l.Message.Parts) // parts always marshal
		if l.Type == roleUser {
			m.Text, m.Generated = saidOf(texts)
			if m.Generated == "" {
				if err := q.settle(); err != nil {
					return known, err
				}
			}
		}
		m.Input, m.Output, m.Tokens = l.UsageMetadata.PromptTokenCount, l.UsageMetadata.CandidatesTokenCount, l.UsageMetadata.TotalTokenCount
		mi := it
		mi.Message = m
		if err := q.add(mi); err != nil {
			return known, err
		}
	}
	for _, p := range l.Message.Parts {
		var err error
		switch {
		case p.FunctionCall != nil && p.FunctionCall.Name != "":
			c := it
			c.Use = &Use{Call: Call{Call: callspec.Call{Tool: p.FunctionCall.Name, Input: p.FunctionCall.Args}, ID: p.FunctionCall.ID}}
			err = q.begin(c)
		case p.FunctionResponse != nil:
			err = q.end(p.FunctionResponse.ID, func(u *Use) {
				functionResult(u, p.FunctionResponse.Response)
				if l.ToolCall.Status == "cancelled" {
					u.Status = statusBlocked
				}
			})
		}
		if err != nil {
			return known, err
		}
	}
	return known, nil
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
}
