package otlp

import (
	"encoding/json"
	"strconv"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/record"
)

// bare is the payload of a record that has none: the fields that the record itself has, under the host's names.
func bare(r *record.Record) []byte {
	o := object{buf: []byte{'{'}}
	switch r.Agent {
	case "gemini":
		bareGemini(&o, r)
	case "antigravity":
		bareAntigravity(&o, r)
	default:
		bareClaude(&o, r)
	}
	return append(o.buf, '}')
}

func bareGemini(o *object, r *record.Record) {
	o.text("session_id", r.SessionID)
	o.text("transcript_path", r.TranscriptPath)
	o.text("cwd", r.CWD)
	o.text("prompt", r.Prompt)
	o.text("prompt_response", r.Response)
	source := "source"
	if r.Event.Event == canon.CompactBefore {
		source = "trigger"
	}
	o.text(source, r.Source)
	o.text("reason", r.Reason)
	if n := r.Notification; n != nil {
		o.text("notification_type", n.Type)
		o.text("message", n.Message)
		o.raw("details", n.Details)
	}
	if t := r.Tool; t != nil {
		o.text("tool_name", t.HostName)
		o.raw("tool_input", t.Input)
		o.raw("tool_response", t.Output)
	}
}

// bareClaude has the names of Claude Code, which most agents have taken over.
func bareClaude(o *object, r *record.Record) {
	o.text("session_id", r.SessionID)
	turn := "prompt_id"
	if r.Agent == "codex" {
		turn = "turn_id"
	}
	o.text(turn, r.TurnID)
	o.text("agent_id", r.SubagentID)
	o.text("transcript_path", r.TranscriptPath)
	o.text("cwd", r.CWD)
	o.text("model", r.Model)
	o.text("prompt", r.Prompt)
	o.text("last_assistant_message", r.Response)
	source := "source"
	if r.Event.Event == canon.CompactBefore || r.Event.Event == canon.CompactAfter {
		source = "trigger"
	}
	o.text(source, r.Source)
	o.text("reason", r.Reason)
	if n := r.Notification; n != nil {
		o.text("notification_type", n.Type)
		o.text("message", n.Message)
	}
	if t := r.Tool; t != nil {
		o.text("tool_name", t.HostName)
		o.raw("tool_input", t.Input)
		o.raw("tool_response", t.Output)
		o.text("error", t.Error)
	}
	o.text("tool_use_id", r.CallID)
}

func bareAntigravity(o *object, r *record.Record) {
	o.text("conversationId", r.SessionID)
	o.text("modelName", r.Model)
	o.text("transcriptPath", r.TranscriptPath)
	o.text("source", r.Source)
	o.text("terminationReason", r.Reason)
	if t := r.Tool; t != nil {
		call := object{buf: []byte{'{'}}
		call.text("name", t.HostName)
		call.raw("args", t.Input)
		o.raw("toolCall", append(call.buf, '}'))
		o.text("error", t.Error)
	}
}

// object writes JSON in the order of its calls.
type object struct{ buf []byte }

func (o *object) text(key, value string) {
	if value == "" {
		return
	}
	text, err := json.Marshal(value)
	if err == nil {
		o.raw(key, text)
	}
}

func (o *object) raw(key string, value []byte) {
	if len(value) == 0 {
		return
	}
	if len(o.buf) > 1 {
		o.buf = append(o.buf, ',')
	}
	o.buf = strconv.AppendQuote(o.buf, key)
	o.buf = append(o.buf, ':')
	o.buf = append(o.buf, value...)
}
