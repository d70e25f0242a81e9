package host

import (
	"bytes"
	"encoding/json"
)

// Answer is a host's answer as one line of JSON. A value that does not marshal (none of ours) gives {}.
func Answer(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return []byte("{}\n")
	}
	return b.Bytes()
}
