package private

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// JSON is Text for the texts of JSON as if they were one: an agent may have cut a passage into several. It must be valid JSON, and is
// so afterwards; nil is what could not be read.
func JSON(raw json.RawMessage) json.RawMessage {
	if !In(raw) {
		return raw
	}
	var texts []text
	EachText(raw, func(s string, name bool) string {
		texts = append(texts, text{value: s, name: name})
		return s
	})
	clean(texts, nil)
	return put(raw, texts)
}

// Payload is JSON for what an agent tells of an event: a passage ends with the member of the payload that it is in, and names of tools, roles
// and the like stay within it, so that the record still says of what it is. count is how many texts had something private.
func Payload(raw json.RawMessage) (out json.RawMessage, count int) {
	if !In(raw) {
		return raw, 0
	}
	var texts []text
	key := ""
	member := 0
	depths := depth{raw: raw}
	each(raw, func(at int, s string, name bool) string {
		t := text{value: s, name: name, key: key}
		if name {
			key = s
			if depths.at(at) == 1 {
				member++
			}
		}
		t.member = member
		texts = append(texts, t)
		return s
	})
	for from := 0; from < len(texts); {
		to := from + 1
		for to < len(texts) && texts[to].member == texts[from].member {
			to++
		}
		count += clean(texts[from:to], identifies)
		from = to
	}
	return put(raw, texts), count
}

// text is one text of JSON, with the name that stands before it.
type text struct {
	value, key string
	name       bool
	member     int
}

// between keeps apart texts that are not one; no tag reaches over it.
const between = "\x00"

// clean takes the passages out of texts as if they were one, and counts the texts that had some.
func clean(texts []text, stays func(text) bool) (count int) {
	var all strings.Builder
	for i := range texts {
		if texts[i].name {
			if s := Text(texts[i].value); s != texts[i].value {
				texts[i].value = s
				count++
			}
			continue
		}
		all.WriteString(texts[i].value)
		all.WriteString(between)
	}
	joined := all.String()
	spans := passages(joined)
	from, n := 0, 0
	for i := range texts {
		if texts[i].name {
			continue
		}
		to := from + len(texts[i].value)
		for n < len(spans) && spans[n][1] <= from {
			n++
		}
		whole := n < len(spans) && spans[n][0] < from && spans[n][1] > to
		if n < len(spans) && spans[n][0] < to && (!whole || stays == nil || !stays(texts[i])) {
			texts[i].value = without(texts[i].value, from, spans[n:])
			count++
		}
		from = to + len(between)
	}
	return count
}

// without is a text that begins at from, without what of it lies in the spans.
func without(s string, from int, spans [][2]int) string {
	var b strings.Builder
	at, to := from, from+len(s)
	for _, span := range spans {
		if span[0] >= to {
			break
		}
		lo, hi := max(span[0], at), min(span[1], to)
		if lo >= hi {
			continue
		}
		b.WriteString(s[at-from : lo-from])
		b.WriteString(Mark)
		at = hi
	}
	b.WriteString(s[at-from:])
	return b.String()
}

// identifies tells whether a text is a name that says what something is.
func identifies(t text) bool {
	const most = 64
	return len(t.value) <= most && slices.Contains([]string{
		"type", "role", "name", "id", "kind", "status", "model", "tool", "toolName", "tool_name", "tool_use_id", "toolCallId", "call_id", "callID", "sessionID",
		"session_id", "conversationId", "hookName", "hook_event_name", "event", "taskId",
	}, t.key) && strings.Trim(t.value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:/-") == ""
}

// put writes texts back in their order.
func put(raw json.RawMessage, texts []text) json.RawMessage {
	n := -1
	return EachText(raw, func(string, bool) string {
		n++
		return texts[n].value
	})
}

// depth says how deep in JSON a place is; places are asked for in their order.
type depth struct {
	raw    []byte
	from   int
	opened int
}

func (d *depth) at(place int) int {
	for i := d.from; i < place; i++ {
		switch d.raw[i] {
		case '"':
			i = closingQuote(d.raw, i) - 1
		case '{', '[':
			d.opened++
		case '}', ']':
			d.opened--
		}
	}
	d.from = max(d.from, place)
	return d.opened
}

// EachText is JSON whose texts, names of members among them, are what f makes of them, in the order of the document; all else is as it
// was. It must be valid JSON.
func EachText(raw json.RawMessage, f func(text string, name bool) string) json.RawMessage {
	return each(raw, func(_ int, s string, name bool) string { return f(s, name) })
}

func each(raw json.RawMessage, f func(at int, text string, name bool) string) json.RawMessage {
	var out []byte
	done := 0
	for at := 0; at < len(raw); {
		next := bytes.IndexByte(raw[at:], '"')
		if next < 0 {
			break
		}
		at += next
		end := closingQuote(raw, at)
		var s string
		if json.Unmarshal(raw[at:end], &s) != nil {
			return nil
		}
		if got := f(at, s, isName(raw[end:])); got != s {
			out = append(append(out, raw[done:at]...), quoted(got)...)
			done = end
		}
		at = end
	}
	if done == 0 {
		return raw
	}
	return append(out, raw[done:]...)
}

// isName tells whether the string before is the name of a member.
func isName(rest []byte) bool {
	rest = bytes.TrimLeft(rest, " \t\r\n")
	return len(rest) > 0 && rest[0] == ':'
}

// closingQuote is the place behind the string that begins at a quote.
func closingQuote(raw []byte, at int) int {
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

// quoted is a text as JSON, without escapes for markup.
func quoted(s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a text always marshals
	return bytes.TrimSpace(b.Bytes())
}
