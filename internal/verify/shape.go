package verify

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// Kind is how a payload differs from its key set.
type Kind string

// The kinds of difference.
const (
	Missing Kind = "missing"
	Unknown Kind = "unknown"
	Type    Kind = "type"
)

// Difference is one field of one payload that is not as it was recorded.
type Difference struct {
	Kind Kind
	// Field is the path, as it came: fieldName has to be asked before it is shown.
	Field string
	// Want are the types that are known, Got the one that came.
	Want []string
	Got  string
}

// Compare tells how a payload differs from what the agent was seen to send at an event. ok is false where it can't be
// judged: the event's fields were never recorded, or the payload is no object.
func (k *KeySet) Compare(event string, payload []byte) (out []Difference, ok bool) {
	s, known := k.shapes[event]
	var m map[string]json.RawMessage
	if !known || json.Unmarshal(payload, &m) != nil || m == nil {
		return nil, false
	}
	return s.compare("", m), true
}

func (s shape) compare(prefix string, m map[string]json.RawMessage) []Difference {
	var out []Difference
	for name, raw := range m {
		f, known := s[name]
		got := typeOf(raw)
		switch {
		case !known:
			out = append(out, Difference{Kind: Unknown, Field: prefix + name, Got: got})
		case !slices.Contains(f.types, got) && !masked(raw):
			out = append(out, Difference{Kind: Type, Field: prefix + name, Want: f.types, Got: got})
		case f.below != nil && got == "object":
			var below map[string]json.RawMessage
			if json.Unmarshal(raw, &below) == nil {
				out = append(out, f.below.compare(prefix+name+".", below)...)
			}
		}
	}
	for name, f := range s {
		if _, there := m[name]; !there && !f.optional {
			out = append(out, Difference{Kind: Missing, Field: prefix + name, Want: f.types})
		}
	}
	slices.SortFunc(out, func(a, b Difference) int {
		return strings.Compare(a.Field+string(a.Kind), b.Field+string(b.Kind))
	})
	return out
}

func typeOf(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return "null"
	}
	switch raw[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

// masked tells a value in whose place redaction put a text: it is a string whatever was there.
func masked(raw json.RawMessage) bool {
	return typeOf(raw) == "string" && (bytes.Contains(raw, []byte("[REDACTED")) || bytes.Contains(raw, []byte("[UNSCANNED")))
}
