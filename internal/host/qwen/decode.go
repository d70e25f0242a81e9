package qwen

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/host/claudeshape"
	"github.com/boathook/boathook/internal/lenient"
)

// callKey is the provider's id of a call: the only one that PreToolUse, PostToolUse and PostToolBatch have in common, since
// tool_use_id is another in a batch (0.24.4).
const callKey = "tool_call_id"

func decode(ev host.Event, payload lenient.Value, _ host.Env) canon.Event {
	m, e := claudeshape.Decode("qwen", ev, payload)
	e.TurnID = m.Text("prompt_id")
	if id := m.Text(callKey); id != "" {
		e.CallID = id
	}
	if e.Tool = claudeshape.Tool(m, row, args()); e.Tool != nil {
		e.Tool.Paths = distinct(e.Tool.Paths)
		outcome(ev, m, &e)
	}
	switch ev.Name {
	case "UserPromptSubmit":
		// It fires for each result of a tool, too, with an empty prompt (0.24.4).
		if strings.TrimSpace(e.Prompt) == "" {
			claudeshape.Continuation(&e, "tool-result")
		}
	case "PostToolBatch":
		e.CallID = claudeshape.Batch(m, callKey)
	case "StopFailure":
		e.Reason = m.Text("error")
	case "MessageDisplay":
		e.Response = m.Text("displayed_text")
	}
	return e
}

func row(name string) host.Tool { return claudeshape.Row(tools(), name) }

// distinct leaves out what stands before it.
func distinct(paths []string) []string {
	var out []string
	for _, p := range paths {
		if !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// outcome says how the call ended. A command that failed has a PostToolUseFailure, unless its exit code means something else
// (grep's 1): then only the text of the result has the code.
func outcome(ev host.Event, m lenient.Members, e *canon.Event) {
	t := e.Tool
	switch ev.Name {
	case "PostToolUseFailure":
		t.Status, t.Error = "error", m.Text("error")
	case "PermissionDenied":
		t.Error, e.Reason = e.Reason, ""
	case "PostToolUse":
		t.Status = "success"
		if t.Kind == "shell" {
			ended(t, m.Get("tool_response").Members().Text("llmContent"))
		}
	}
}

// exitLines are what Qwen Code itself puts behind a command's output; the output stands before them, so that the last ones
// count.
var exitLines = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\nExit Code: (-?\d{1,9}|\(none\))\nSignal: ([^\n]*)\nProcess Group PGID: `)
})

// ended reads them. A command that went to the background has none.
func ended(t *canon.Tool, content string) {
	const tail, none = 4096, "(none)"
	if len(content) > tail {
		content = content[len(content)-tail:]
	}
	found := exitLines().FindAllStringSubmatch(content, -1)
	if found == nil {
		return
	}
	code, signal := found[len(found)-1][1], found[len(found)-1][2]
	switch {
	case signal != none:
		t.Status, t.Error = "error", "signal "+signal
	case code == none:
		t.Status = ""
	case code != "0":
		t.Status, t.Error = "error", "exit code "+code
	}
}
