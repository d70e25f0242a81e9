package intake

import (
	"bytes"
	"encoding/json"
)

// whole is JSON without escapes for markup. What is given here always marshals.
func whole(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	return bytes.TrimSpace(b.Bytes())
}
