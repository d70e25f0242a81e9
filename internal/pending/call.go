package pending

import (
	"encoding/json"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/lenient"
)

// Identity is the text that stands for an exact call: two calls with the same one do the same. What a model says about a call, and
// says otherwise each time, is no part of it.
func Identity(ev canon.Event) string {
	if ev.Tool == nil {
		return ""
	}
	input := []byte(ev.Tool.Input)
	var fields map[string]json.RawMessage
	// What is there twice must not go: which of them counts is the tool's affair.
	if json.Unmarshal(input, &fields) == nil && fields != nil && len(fields) == len(lenient.Parse(input).Value.Members()) {
		if ev.Tool.Kind == "shell" {
			delete(fields, "description")
			delete(fields, "justification")
		}
		if sorted, err := json.Marshal(fields); err == nil {
			input = sorted
		}
	}
	parts, _ := json.Marshal([]string{ev.Agent, ev.Tool.HostName, ev.CWD, ev.Tool.Command, string(input)}) // texts always marshal
	return string(parts)
}

// Line is the text that stands for what a call runs, the same at each gate that an agent has for it.
func Line(ev canon.Event) string {
	if ev.Tool == nil {
		return ""
	}
	what := ev.Tool.Command
	if what == "" {
		what = string(ev.Tool.Input)
	}
	parts, _ := json.Marshal([]string{"line", ev.Agent, ev.SessionID, ev.Tool.Name, what}) // texts always marshal
	return string(parts)
}
