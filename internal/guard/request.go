package guard

import (
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
			ToolInput  string `json:"toolInput"`
			Command    string `json:"command,omitempty"`
			MCPContext string `json:"mcpContext,omitempty"`
		} `json:"rawTextFields"`
	} `json:"input"`
}

// maxStructured is the size up to which the arguments are sent as a value too. Above it only their text goes, so that a
// large file is not sent twice within the budget.
const maxStructured = 1 << 20

func encode(q Question) ([]byte, error) {
	var r request
	r.Input.SpanID, r.Input.ToolName, r.Input.ToolInput = q.SpanID, q.ToolName, q.Input
	if len(q.Input) == 0 || len(q.Input) > maxStructured {
		r.Input.ToolInput = json.RawMessage("null")
	}
	r.Input.RawTextFields.ToolInput = q.InputText
	r.Input.RawTextFields.Command = q.Command
	r.Input.RawTextFields.MCPContext = q.MCPContext
	body, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("encode guard request: %w", err)
	}
	return body, nil
}
