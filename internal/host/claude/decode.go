package claude

import (
	"strings"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/host/claudeshape"
	"github.com/boathook/boathook/internal/lenient"
)

// background begins the prompt by which a task that ran in the background comes back; nobody typed it (2.1.332).
const background = "<task-notification>"

func decode(ev host.Event, payload lenient.Value, _ host.Env) canon.Event {
	m, e := claudeshape.Decode("claude", ev, payload)
	e.TurnID = m.Text("prompt_id")
	e.Tool = claudeshape.Tool(m, row, args())
	switch ev.Name {
	case "UserPromptSubmit":
		if strings.HasPrefix(strings.TrimSpace(e.Prompt), background) {
			claudeshape.Continuation(&e, "task-notification")
		}
	case "PermissionDenied":
		fail(e.Tool, e.Reason)
		e.Reason = ""
	case "PostToolUseFailure":
		fail(e.Tool, m.Text("error"))
	case "PostToolUse":
		succeed(e.Tool)
	case "PostToolBatch":
		e.CallID = claudeshape.Batch(m, "tool_use_id")
	case "StopFailure":
		e.Reason = m.Text("error")
	case "PostModelSwitch":
		e.Model = m.Text("to_model")
	case "MessageDisplay":
		e.Response = m.Text("delta")
	}
	return e
}

func row(name string) host.Tool { return claudeshape.Row(tools(), name) }

func fail(t *canon.Tool, text string) {
	if t != nil {
		t.Status, t.Error = "error", text
	}
}

// succeed: a call that failed has an event of its own.
func succeed(t *canon.Tool) {
	if t != nil {
		t.Status = "success"
	}
}
