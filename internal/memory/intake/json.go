package intake

import (
	"bytes"
	"encoding/json"
)

// eachText is JSON whose texts, names of members among them, are what f makes of them, in the order of the document; all else is as it
// was. It must be valid JSON.
func eachText(raw json.RawMessage, f func(text string, name bool) string) json.RawMessage {
	var out bytes.Buffer
	out.Grow(len(raw))
	changed := false
	for at := 0; at < len(raw); {
		if raw[at] != '"' {
			out.WriteByte(raw[at])
			at++
			continue
		}
		end := closing(raw, at)
		var text string
		if json.Unmarshal(raw[at:end], &text) != nil {
			return nil
		}
		if got := f(text, isName(raw[end:])); got != text {
			changed = true
			out.Write(whole(got))
		} else {
			out.Write(raw[at:end])
		}
		at = end
	}
	if !changed {
		return raw
	}
	return out.Bytes()
}

// isName tells whether the string before is the name of a member.
func isName(rest []byte) bool {
	rest = bytes.TrimLeft(rest, " \t\r\n")
	return len(rest) > 0 && rest[0] == ':'
}

// closing is the place behind the string that begins at a quote.
func closing(raw []byte, at int) int {
	for i := at + 1; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(raw)
}

// whole is JSON without escapes for markup. What is given here always marshals.
func whole(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	return bytes.TrimSpace(b.Bytes())
}
