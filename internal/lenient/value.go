// Package lenient reads JSON that may be broken, for a guard: what can be read of a malformed payload must still be judged.
// It accepts a byte order mark, UTF-16, text around the JSON, invalid UTF-8, lone surrogates, any nesting, numbers of any
// size, duplicate keys (every value is reachable) and truncation (all that came before the cut is there).
// It never recurses and never fails; hosts' decoders and the hook call it. It must not import the rest of boathook.
package lenient

import "bytes"

// Kind is a value's JSON type.
type Kind int

// The kinds. Missing is what Get gives for a key that is not there.
const (
	Missing Kind = iota
	Null
	Bool
	Number
	String
	Object
	Array
)

// Value is one JSON value as it stands in the payload. It shares memory with the bytes it was parsed from, which must not
// change while it is in use; it may then be read concurrently.
type Value struct {
	raw []byte
}

// Member is one key and value of an object.
type Member struct {
	Key   string
	Value Value
}

// Members are an object's members in their order, duplicates included.
type Members []Member

// Kind tells what the value is, from its first byte.
func (v Value) Kind() Kind {
	if len(v.raw) == 0 {
		return Missing
	}
	switch c := v.raw[0]; {
	case c == '{':
		return Object
	case c == '[':
		return Array
	case c == '"':
		return String
	case c == 't' || c == 'f':
		return Bool
	case c == 'n':
		return Null
	}
	return Number
}

// Raw is the value's text as it came: possibly truncated, possibly not valid JSON.
func (v Value) Raw() []byte { return v.raw }

// Text is a string's content; for any other kind but Null and Missing it is the value's own text, so that a command sent
// as a number or a list is judged too.
func (v Value) Text() string {
	switch v.Kind() {
	case String:
		return unquote(v.raw)
	case Null, Missing:
		return ""
	}
	return valid(string(v.raw))
}

// Members lists an object's members; of any other kind there are none. What is no member (a comment, a name without
// quotes, a value that is missing) is stepped over or taken for what it seems to be. It scans the object once: keep the
// result. At most maxMembers are listed; Find reaches the rest.
func (v Value) Members() Members {
	if v.Kind() != Object {
		return nil
	}
	var out Members
	for i := 1; i < len(v.raw) && len(out) < maxMembers; {
		key, next, ok := readKey(v.raw, i)
		if !ok {
			i = next
			continue
		}
		start := skipSpace(v.raw, next)
		end := valueEnd(v.raw, start)
		if end > start {
			out = append(out, Member{Key: key, Value: Value{v.raw[start:end]}})
		}
		i = max(end, start)
	}
	return out
}

// maxMembers bounds the memory that a payload of nothing but keys can take.
const maxMembers = 1 << 16

// readKey reads the key that starts at or after i, up to behind its colon. Without one it gives where to look next.
func readKey(b []byte, i int) (key string, next int, ok bool) {
	switch c := b[i]; {
	case c == '"':
		end := stringEnd(b, i)
		at := skipSpace(b, end)
		if at < len(b) && b[at] == ':' {
			return unquote(b[i:end]), at + 1, true
		}
		return "", end, false
	case c == '{' || c == '[':
		return "", containerEnd(b, i), false // a value without a key
	case c == ',' || c == ':' || c == '}' || c == ']' || isSpace(c):
		return "", i + 1, false
	}
	end := bareEnd(b, i)
	at := skipSpace(b, end)
	if at < len(b) && b[at] == ':' {
		return bareKey(b[i:end]), at + 1, true
	}
	return "", max(end, i+1), false
}

// bareKey is a name without its double quotes: in single ones, or behind a comment.
func bareKey(b []byte) string {
	if at := bytes.LastIndex(b, []byte("*/")); at >= 0 {
		b = b[at+2:]
	}
	return string(bytes.Trim(b, "' \t\r\n\v\f\ufeff"))
}

// Elems lists an array's elements; of any other kind there are none.
func (v Value) Elems() []Value {
	if v.Kind() != Array {
		return nil
	}
	var out []Value
	for i := 1; i < len(v.raw); {
		switch c := v.raw[i]; {
		case c == ',' || isSpace(c):
			i++
		case c == ']':
			return out
		default:
			end := valueEnd(v.raw, i)
			if end == i {
				return out
			}
			out = append(out, Value{v.raw[i:end]})
			i = end
		}
	}
	return out
}

// Get finds a key's value: the last one, as JavaScript and Go take it.
func (m Members) Get(key string) Value {
	for i := len(m) - 1; i >= 0; i-- {
		if m[i].Key == key {
			return m[i].Value
		}
	}
	return Value{}
}

// All finds every value of a key, in their order.
func (m Members) All(key string) []Value {
	var out []Value
	for _, at := range m {
		if at.Key == key {
			out = append(out, at.Value)
		}
	}
	return out
}

// Text is the text of a key's last value.
func (m Members) Text(key string) string { return m.Get(key).Text() }
