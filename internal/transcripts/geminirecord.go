package transcripts

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/boathook/boathook/internal/callspec"
)

// geminiRecord is a message of Gemini CLI's records, as of 0.61 and before.
type geminiRecord struct {
	ID, Timestamp, Type, Model string
	Content                    json.RawMessage
	Tokens                     struct{ Input, Output, Total int64 }
	ToolCalls                  []geminiCall
}

type geminiCall struct {
	ID, Name, Status, Timestamp string
	Args, Result                json.RawMessage
	ResultDisplay               json.RawMessage
}

// message tells a record: what was said, then the calls that it made.
func (g *geminiFile) message(m geminiRecord) error {
	it := Item{Session: g.session, CWD: g.cwd, Time: timeOf(m.Timestamp)}
	if g.subagent || g.parent != "" {
		it.Subagent = g.session
		if g.parent != "" {
			it.Session = g.parent
		}
	}
	switch m.Type {
	case roleUser, "gemini", "info", "error", "warning":
	default:
		g.told.Unknown++
		return nil
	}
	if msg := m.said(it.Subagent != ""); msg != nil {
		mi := it
		mi.Message = msg
		if err := g.q.add(mi); err != nil {
			return err
		}
	}
	for i, c := range m.ToolCalls {
		if c.Name == "" {
			continue
		}
		ci := it
		ci.Use = &Use{Call: Call{Call: callspec.Call{Tool: c.Name, Input: c.Args}, ID: c.ID}, Result: c.Result}
		if c.ID == "" {
			ci.Use.ID = m.ID + "/" + strconv.Itoa(i)
		}
		c.result(ci.Use)
		if err := g.q.add(ci); err != nil {
			return err
		}
	}
	return nil
}

// said is what a record says, nil where it says nothing: answers that only call tools, and their results.
func (m geminiRecord) said(subagent bool) *Message {
	out := &Message{ID: m.ID, Role: m.Type, Model: m.Model, Content: m.Content}
	var texts []string
	if text := textOf(m.Content); text != "" {
		texts = []string{text}
	} else {
		texts = partTexts(m.Content)
	}
	if strings.TrimSpace(strings.Join(texts, "")) == "" {
		return nil
	}
	out.Text = strings.Join(texts, "")
	switch {
	case m.Type == "gemini":
		out.Input, out.Output, out.Tokens = m.Tokens.Input, m.Tokens.Output, m.Tokens.Total
	case m.Type == roleUser:
		out.Text, out.Generated = saidOf(texts)
		if subagent && out.Generated == "" {
			out.Generated = "subagent"
		}
	}
	return out
}

// partTexts are the texts of a list of parts, each a text or an object.
func partTexts(raw json.RawMessage) []string {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		list = []json.RawMessage{raw} // one part, or nothing
	}
	var out []string
	for _, p := range list {
		var part struct {
			Text    string
			Thought bool
		}
		switch text := textOf(p); {
		case text != "":
			out = append(out, text)
		case json.Unmarshal(p, &part) == nil && part.Text != "" && !part.Thought:
			out = append(out, part.Text)
		}
	}
	return out
}

// result reads the functionResponse in a call, and what the program says of its end.
func (c geminiCall) result(u *Use) {
	var parts []struct {
		FunctionResponse struct{ Response json.RawMessage }
	}
	if json.Unmarshal(c.Result, &parts) == nil {
		for _, p := range parts {
			if len(p.FunctionResponse.Response) > 0 {
				functionResult(u, p.FunctionResponse.Response)
				break
			}
		}
	}
	blocked := strings.HasPrefix(u.Error, "Tool execution blocked") || strings.HasPrefix(u.Error, "Tool execution denied")
	switch {
	case c.Status == "cancelled", blocked:
		u.Status = statusBlocked
	case c.Status == statusError:
		u.Status = statusError
	case c.Status == statusSuccess && u.Status == "":
		u.Status = statusSuccess
	}
	if u.Status == statusError && u.Error == "" {
		u.Error = textOf(c.ResultDisplay)
	}
}
