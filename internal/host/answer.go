package host

import (
	"bytes"
	"encoding/json"
)

// Reply is what a hook's process gives its agent. Nearly everywhere that is JSON on standard output and exit code 0; agents
// that know no JSON answer take an exit code, and read the reason from standard error.
type Reply struct {
	Stdout, Stderr []byte
	Exit           int
}

// JSON is a reply of one line of JSON. A value that does not marshal (none of ours) gives {}.
func JSON(v any) Reply { return Reply{Stdout: Answer(v)} }

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
