package verify

import (
	"bytes"
	"encoding/json"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
)

// expected is what a record of a payload must have, by SPEC §6: read here by its table and not by the decoders.
type expected struct {
	session, cwd, tool string
	input              json.RawMessage
}

func expect(agent string, payload []byte) expected {
	if agent == "gemini" {
		var p struct {
			SessionID string          `json:"session_id"`
			CWD       string          `json:"cwd"`
			ToolName  string          `json:"tool_name"`
			ToolInput json.RawMessage `json:"tool_input"`
		}
		_ = json.Unmarshal(payload, &p) // the samples are valid, a test sees to it
		return expected{session: p.SessionID, cwd: p.CWD, tool: p.ToolName, input: p.ToolInput}
	}
	var p struct {
		ConversationID string   `json:"conversationId"`
		WorkspacePaths []string `json:"workspacePaths"`
		ToolCall       struct {
			Name string          `json:"name"`
			Args json.RawMessage `json:"args"`
		} `json:"toolCall"`
	}
	_ = json.Unmarshal(payload, &p)
	out := expected{session: p.ConversationID, tool: p.ToolCall.Name, input: p.ToolCall.Args}
	if len(p.WorkspacePaths) > 0 {
		out.cwd = p.WorkspacePaths[0]
	}
	return out
}

// differs lists what of an event is not what the payload said. Contents that were masked, or hashed, can't be compared:
// of those only is looked at whether they are there.
func (x expected) differs(h *host.Host, ev host.Event, e canon.Event, hidden bool) []string {
	var out []string
	wrong := func(name string, is bool) {
		if is {
			out = append(out, name)
		}
	}
	wrong("agent", e.Agent != h.ID)
	wrong("host_event", e.HostEvent != ev.Name)
	wrong("event", e.Event != ev.Kind)
	wrong("session_id", e.SessionID != x.session)
	wrong("cwd", x.cwd != "" && (e.CWD == "" || !hidden && e.CWD != x.cwd))
	if x.tool == "" {
		wrong("tool", e.Tool != nil)
		return out
	}
	if e.Tool == nil {
		return append(out, "tool")
	}
	wrong("tool.host_name", e.Tool.HostName != x.tool)
	wrong("tool.name", e.Tool.Name == "")
	wrong("tool.input", len(e.Tool.Input) == 0 || !hidden && !sameJSON(x.input, e.Tool.Input))
	wrong("tool.input_hash", e.Tool.InputHash == "")
	return out
}

func sameJSON(a, b []byte) bool {
	var x, y bytes.Buffer
	return normal(&x, a) && normal(&y, b) && bytes.Equal(x.Bytes(), y.Bytes())
}

// normal writes a value with its members in order.
func normal(to *bytes.Buffer, text []byte) bool {
	var v any
	return json.Unmarshal(text, &v) == nil && json.NewEncoder(to).Encode(v) == nil
}
