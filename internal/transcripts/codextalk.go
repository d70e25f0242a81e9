package transcripts

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// codexTalk reads the conversations of Codex 0.171 and before. What was said stands in response_item; event_msg has it once more.
type codexTalk struct {
	cwd, session, subagent, model string
}

func newCodexTalk(File) talker { return &codexTalk{} }

type codexItem struct {
	codexPayload
	SessionID string `json:"session_id"`
	Role      string
	Model     string
	Content   json.RawMessage
	Output    json.RawMessage
}

func codexOther() []string {
	return []string{"event_msg", "world_state", "compacted", "ghost_snapshot", "metadata", "state"}
}

func (s *codexTalk) line(q *queue, text []byte, at int) (outcome, error) {
	var l struct {
		Timestamp string
		Type      string
		Payload   json.RawMessage
	}
	if json.Unmarshal(text, &l) != nil {
		return broken, nil
	}
	var p codexItem
	switch l.Type {
	case "response_item", "session_meta", "turn_context", "token_usage_record":
		if json.Unmarshal(l.Payload, &p) != nil {
			return broken, nil
		}
	default:
		if slices.Contains(codexOther(), l.Type) {
			return known, nil
		}
		return unknown, nil
	}
	it := Item{Session: s.session, Subagent: s.subagent, CWD: s.cwd, Time: timeOf(l.Timestamp)}
	switch l.Type {
	case "session_meta":
		if s.session == "" {
			s.meta(p)
		}
	case "turn_context":
		if p.CWD != "" {
			s.cwd = p.CWD
		}
		s.model = p.Model
	case "response_item":
		return known, s.item(q, p, it, at)
	}
	return known, nil
}

// meta reads who a file is about. A subagent's has the session of its root, which is that of its hooks.
func (s *codexTalk) meta(p codexItem) {
	s.session = p.ID
	if p.SessionID != "" && p.SessionID != p.ID {
		s.session, s.subagent = p.SessionID, p.ID
	}
	if p.CWD != "" {
		s.cwd = p.CWD
	}
}

func (s *codexTalk) item(q *queue, p codexItem, it Item, at int) error {
	switch p.Type {
	case "message":
		return s.message(q, p, it, at)
	case "function_call_output", "custom_tool_call_output", "local_shell_call_output":
		return q.end(p.CallID, func(u *Use) { p.result(u, it) })
	}
	c, is := p.call(s.cwd)
	if !is {
		return nil
	}
	it.CWD = c.CWD
	it.Use = &Use{Call: c}
	if it.Use.ID = p.CallID; q.again(p.CallID) {
		return nil
	}
	return q.begin(it)
}

func (s *codexTalk) message(q *queue, p codexItem, it Item, at int) error {
	var blocks []struct{ Type, Text string }
	if json.Unmarshal(p.Content, &blocks) != nil {
		return nil
	}
	var texts []string
	for _, b := range blocks {
		if b.Text != "" && (b.Type == "input_text" || b.Type == "output_text" || b.Type == "text") {
			texts = append(texts, b.Text)
		}
	}
	if strings.TrimSpace(strings.Join(texts, "")) == "" {
		return nil
	}
	m := &Message{ID: p.ID, Role: p.Role, Content: p.Content, Text: strings.Join(texts, "\n")}
	if m.ID == "" { // older versions give none: the line is one, since nothing before it changes
		m.ID = s.session + s.subagent + "#" + strconv.Itoa(at)
	}
	if q.again(m.ID) {
		return nil
	}
	switch p.Role {
	case roleAssistant:
		m.Model = s.model
	case roleUser:
		if m.Text, m.Generated = saidOf(texts); m.Generated != "" {
			break
		}
		if err := q.settle(); err != nil {
			return err
		}
		if s.subagent != "" {
			m.Generated = "subagent"
		}
	default:
		m.Role, m.Generated = roleSystem, "instructions"
	}
	it.Message = m
	return q.add(it)
}

// result reads a call's output: a text, {"content":…,"success":…}, or JSON in a text with the exit code beside.
func (p codexItem) result(u *Use, at Item) {
	var o struct {
		Content  json.RawMessage
		Output   string
		Success  *bool
		Metadata struct {
			ExitCode *int `json:"exit_code"`
		}
	}
	raw := objectOf(p.Output)
	u.Result, u.Output = p.Output, contentText(p.Output)
	if json.Unmarshal(raw, &o) == nil {
		if text := contentText(o.Content); text != "" {
			u.Output = text
		}
		if o.Output != "" {
			u.Output = o.Output
		}
		switch {
		case o.Success != nil && !*o.Success, o.Metadata.ExitCode != nil && *o.Metadata.ExitCode != 0:
			u.Status = statusError
		case o.Success != nil, o.Metadata.ExitCode != nil:
			u.Status = statusSuccess
		}
	}
	exitStatus(u, u.Output)
	if head, text, cut := strings.Cut(u.Output, "\nOutput:\n"); cut && !strings.Contains(head, "\n\n") && codexHead(head) {
		u.Output = text
	}
	if strings.HasPrefix(u.Output, "unsupported call: ") || strings.HasPrefix(u.Output, "failed to parse function arguments") {
		u.Status, u.Error = statusError, u.Output
	}
	for _, refused := range []string{"exec command rejected by user", "Command blocked by ", "Tool call blocked by ", "rejected by user"} {
		if strings.HasPrefix(u.Output, refused) {
			u.Status, u.Error = statusBlocked, u.Output
		}
	}
	if d := at.Time.Sub(u.Time); !u.Time.IsZero() && d > 0 {
		u.Duration = d
	}
}

// codexHead tells whether a text is what Codex writes above a command's output.
func codexHead(head string) bool {
	return strings.HasPrefix(head, "Chunk ID: ") || strings.HasPrefix(head, "Exit code: ") || strings.HasPrefix(head, "Wall time: ")
}
