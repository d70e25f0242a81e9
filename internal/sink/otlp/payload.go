package otlp

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/lenient"
	"github.com/boathook/boathook/internal/record"
)

// maxKeys bounds the attributes that a payload's fields can make.
const maxKeys = 256

// field is one of the payload's, under the name that it has as an attribute.
type field struct {
	name  string
	value lenient.Value
}

// payload adds the host's own fields (SPEC §9.3).
func (m mapper) payload(a *attrs, prefix string, r *record.Record) {
	raw := []byte(r.Raw)
	if len(raw) == 0 {
		raw = bare(r)
	}
	fields, dropped := fieldsOf(raw)
	known := harmless(prefix)
	for _, f := range fields {
		if m.content {
			a.value(prefix+"."+f.name, f.value)
		} else if shape := known[f.name]; shape != nil && shape(f.value) {
			a.value(prefix+"."+f.name, f.value)
		}
	}
	a.positive("boathook.payload.keys_dropped", int64(dropped))
}

// fieldsOf lists a payload's fields, each name once, and counts those that are not in the list.
func fieldsOf(raw []byte) (fields []field, dropped int) {
	members := lenient.Parse(raw).Value.Members()
	fields = make([]field, 0, min(len(members), maxKeys))
	at := make(map[string]int, cap(fields))
	for _, member := range members {
		name := printable(member.Key)
		if name == "" {
			name = "_"
		}
		i, seen := at[name]
		switch {
		case name == "hook" || name == "agent" || name == "product":
			dropped++
		case seen:
			fields[i].value = member.Value // the last one counts
			dropped++
		case len(fields) == maxKeys:
			dropped++
		default:
			at[name] = len(fields)
			fields = append(fields, field{name, member.Value})
		}
	}
	return fields, dropped
}

// value adds a JSON value with the type that it has.
func (a *attrs) value(key string, v lenient.Value) {
	switch v.Kind() {
	case lenient.Null, lenient.Missing:
	case lenient.String:
		a.whole(key, v.Text())
	case lenient.Bool:
		a.scalar(key, v)
	case lenient.Number:
		a.number(key, v)
	default:
		a.whole(key, compact(v.Raw()))
	}
}

func (a *attrs) scalar(key string, v lenient.Value) {
	switch text := v.Text(); text {
	case "true", "false":
		a.bool(key, text == "true")
	default:
		a.whole(key, text)
	}
}

// number keeps what fits; a number with more digits than that stays a text.
func (a *attrs) number(key string, v lenient.Value) {
	text := v.Text()
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		a.int(key, n)
		return
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) || f == math.Trunc(f) && math.Abs(f) > 1<<53 {
		a.whole(key, text)
		return
	}
	a.float(key, f)
}

// compact is a JSON text without its spaces. Those that hooks keep have none.
func compact(raw []byte) string {
	if spaced(raw) {
		var b bytes.Buffer
		b.Grow(len(raw))
		if json.Compact(&b, raw) == nil {
			raw = b.Bytes()
		}
	}
	return strings.ToValidUTF8(string(raw), "\uFFFD")
}

// spaced tells whether there is a space outside of strings.
func spaced(raw []byte) bool {
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case ' ', '\n', '\t', '\r':
			return true
		case '"':
			for i++; i < len(raw) && raw[i] != '"'; i++ {
				if raw[i] == '\\' {
					i++
				}
			}
		}
	}
	return false
}

// harmless are the fields that are sent without content, each with the shape that its value must have.
func harmless(prefix string) map[string]func(lenient.Value) bool {
	switch prefix {
	case "gemini":
		return geminiHarmless
	case "antigravity":
		return antigravityHarmless
	case "claude", "codex", "qwen":
		return claudeHarmless
	}
	return nil
}

var geminiHarmless = map[string]func(lenient.Value) bool{
	"session_id": isPlain, "hook_event_name": isPlain, "timestamp": isTime, "tool_name": isPlain, "source": isPlain,
	"trigger": isPlain, "reason": isPlain, "notification_type": isPlain, "stop_hook_active": isBool,
}

var antigravityHarmless = map[string]func(lenient.Value) bool{
	"conversationId": isPlain, "modelName": isPlain, "stepIdx": isNumber, "invocationNum": isNumber,
	"initialNumSteps": isNumber, "executionNum": isNumber, "fullyIdle": isBool, "terminationReason": isPlain,
}

// claudeHarmless are those of Claude Code and of the agents that name their fields as it does.
var claudeHarmless = map[string]func(lenient.Value) bool{
	"session_id": isPlain, "prompt_id": isPlain, "turn_id": isPlain, "agent_id": isPlain, "hook_event_name": isPlain,
	"timestamp": isTime, "permission_mode": isPlain, "model": isPlain, "tool_name": isPlain, "tool_use_id": isPlain,
	"tool_call_id": isPlain, "duration_ms": isNumber, "is_interrupt": isBool, "source": isPlain, "trigger": isPlain,
	"reason": isPlain, "notification_type": isPlain, "stop_hook_active": isBool,
}

func isPlain(v lenient.Value) bool { return v.Kind() == lenient.String && plain(v.Text()) }

func isTime(v lenient.Value) bool {
	_, err := time.Parse(time.RFC3339Nano, v.Text())
	return v.Kind() == lenient.String && err == nil
}

func isBool(v lenient.Value) bool { return string(v.Raw()) == "true" || string(v.Raw()) == "false" }

func isNumber(v lenient.Value) bool {
	_, err := strconv.ParseFloat(v.Text(), 64)
	return v.Kind() == lenient.Number && err == nil && len(v.Raw()) <= 20
}
