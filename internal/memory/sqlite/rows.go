package sqlite

import (
	"encoding/json"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/merge"
)

const messageColumns = `m.message_id, m.role, m.ts, m.token_input, m.token_output, m.token_total, m.model, m.source, m.origin,
m.content_text, m.content_json`

// message reads those columns.
func message(s *sqlite3.Stmt, session string) memory.Message {
	return memory.Message{
		ID: s.ColumnText(0), Session: session, Role: s.ColumnText(1), Time: fromNano(s.ColumnInt64(2)), TokensInput: s.ColumnInt64(3),
		TokensOutput: s.ColumnInt64(4), TokensTotal: s.ColumnInt64(5), Model: s.ColumnText(6), Source: memory.Source(s.ColumnText(7)),
		Origin: s.ColumnText(8), Text: s.ColumnText(9), Content: raw(s, 10),
	}
}

const callColumns = `c.tool_call_id, c.message_id, c.call_id, c.tool_name, c.host_tool, c.kind, c.status, c.ts, c.duration_ns, c.source, c.origin,
c.command, c.paths, c.args_json, c.error, c.output, c.result_json`

// call reads those columns.
func call(s *sqlite3.Stmt, session string) memory.ToolCall {
	c := memory.ToolCall{
		ID: s.ColumnText(0), Session: session, Message: s.ColumnText(1), CallID: s.ColumnText(2), Tool: s.ColumnText(3), HostTool: s.ColumnText(4),
		Kind: s.ColumnText(5), Status: s.ColumnText(6), Time: fromNano(s.ColumnInt64(7)), Duration: time.Duration(s.ColumnInt64(8)),
		Source: memory.Source(s.ColumnText(9)), Origin: s.ColumnText(10), Command: s.ColumnText(11), Args: raw(s, 13),
		Error: s.ColumnText(14), Output: s.ColumnText(15), Result: raw(s, 16),
	}
	if p := raw(s, 12); p != nil {
		_ = json.Unmarshal(p, &c.Paths)
	}
	return c
}

// raw is a column of JSON, nil where it is NULL.
func raw(s *sqlite3.Stmt, column int) json.RawMessage {
	if s.ColumnType(column) == sqlite3.NULL {
		return nil
	}
	return s.ColumnBlob(column, nil)
}

// text is a column that may be NULL, as text rather than a blob.
func text(b []byte) any {
	if len(b) == 0 {
		return nil
	}
	return string(b)
}

// messageRows are the rows of a group.
func (w *writer) messageRows(group, session string) (out []merge.MessageRow, err error) {
	err = w.each("SELECT "+messageColumns+", m.hidden, m.hook, m.told FROM ltm_messages m WHERE m.message_id > ? AND m.message_id < ?",
		[]any{group + "-", group + "."}, func(s *sqlite3.Stmt) error {
			row, err := merge.DecodeMessage(message(s, session), s.ColumnBool(11), raw(s, 12), raw(s, 13))
			out = append(out, row)
			return err
		})
	return out, err
}

func (w *writer) callRows(group, session string) (out []merge.CallRow, err error) {
	err = w.each("SELECT "+callColumns+", c.hidden, c.hook, c.told FROM ltm_tool_calls c WHERE c.tool_call_id > ? AND c.tool_call_id < ?",
		[]any{group + "-", group + "."}, func(s *sqlite3.Stmt) error {
			row, err := merge.DecodeCall(call(s, session), s.ColumnBool(17), raw(s, 18), raw(s, 19))
			out = append(out, row)
			return err
		})
	return out, err
}

func (w *writer) putMessage(s *session, row merge.MessageRow) error {
	hook, told, err := row.Encode()
	if err != nil {
		return err
	}
	m := row.Shown
	return w.exec(`INSERT INTO ltm_messages (message_id, session, role, ts, token_input, token_output, token_total, model, source, origin, hidden,
anonymous, hook, told, content_text, content_json) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
ON CONFLICT (message_id) DO UPDATE SET role = ?3, ts = ?4, token_input = ?5, token_output = ?6, token_total = ?7, model = ?8, source = ?9,
origin = ?10, hidden = ?11, anonymous = ?12, hook = ?13, told = ?14, content_text = ?15, content_json = ?16`,
		row.ID, s.number, m.Role, nano(m.Time), m.TokensInput, m.TokensOutput, m.TokensTotal, m.Model, string(m.Source), m.Origin, row.Hidden,
		row.Anonymous(), text(hook), text(told), m.Text, text(m.Content))
}

func (w *writer) putCall(s *session, row merge.CallRow) error {
	hook, told, err := row.Encode()
	if err != nil {
		return err
	}
	c := row.Shown
	var paths []byte
	if len(c.Paths) > 0 {
		if paths, err = json.Marshal(c.Paths); err != nil {
			return err
		}
	}
	var message any
	if c.Message != "" {
		message = c.Message
	}
	return w.exec(`INSERT INTO ltm_tool_calls (tool_call_id, session, message_id, call_id, tool_name, host_tool, kind, status, ts, duration_ns, source,
origin, hidden, anonymous, hook, told, command, paths, args_json, error, output, result_json) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11,
?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22) ON CONFLICT (tool_call_id) DO UPDATE SET message_id = ?3, call_id = ?4, host_tool = ?6,
kind = ?7, status = ?8, ts = ?9, duration_ns = ?10, source = ?11, origin = ?12, hidden = ?13, anonymous = ?14, hook = ?15, told = ?16, command = ?17,
paths = ?18, args_json = ?19, error = ?20, output = ?21, result_json = ?22`,
		row.ID, s.number, message, c.CallID, c.Tool, c.HostTool, c.Kind, c.Status, nano(c.Time), int64(c.Duration), string(c.Source),
		c.Origin, row.Hidden, row.Anonymous(), text(hook), text(told), c.Command, text(paths), text(c.Args), c.Error, c.Output, text(c.Result))
}
