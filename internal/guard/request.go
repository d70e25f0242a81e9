package guard

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// request is the body that existing guards speak.
type request struct {
	Input struct {
		SpanID        string          `json:"spanId"`
		ToolName      string          `json:"toolName"`
		ToolInput     json.RawMessage `json:"toolInput"`
		RawTextFields struct {
			Command    string `json:"command,omitempty"`
			ToolInput  string `json:"toolInput"`
			MCPContext string `json:"mcpContext,omitempty"`
		} `json:"rawTextFields"`
	} `json:"input"`
}

// maxStructured is the size up to which the arguments are sent as a value too. Above it only their text goes, so that a
// large file is not sent twice within the budget.
const maxStructured = 256 << 10

// encode leaves <, > and & as they are: escaped they are six times as long, and a guard's budget is short.
func encode(q Question) ([]byte, error) {
	var r request
	r.Input.SpanID, r.Input.ToolName, r.Input.ToolInput = q.SpanID, q.ToolName, q.Input
	if len(q.Input) == 0 || len(q.Input) > maxStructured {
		r.Input.ToolInput = json.RawMessage("null")
	}
	r.Input.RawTextFields.Command = q.Command
	r.Input.RawTextFields.ToolInput = q.InputText
	r.Input.RawTextFields.MCPContext = q.MCPContext
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		return nil, fmt.Errorf("encode guard request: %w", err)
	}
	return body.Bytes(), nil
}
