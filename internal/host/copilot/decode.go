package copilot

import (
	"regexp"
	"strconv"
	"sync"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/lenient"
)

// args are the parameter names of the built-in tools (1.0.102), and of a permissionRequest.
func args() host.Args {
	return host.Args{
		Command: []string{"command", "input"},
		Paths:   []string{"path", "file_path", "paths"},
		URLs:    []string{"url", "urls"},
	}
}

// calls takes every input that a payload holds, by any of its names. A text that is a JSON object is that object: versions
// before 1.0.102 sent toolArgs so.
func calls(payload lenient.Value) ([]lenient.Value, lenient.Value) {
	m := payload.Members()
	var inputs []lenient.Value
	for _, key := range []string{"toolArgs", "toolInput", "tool_input"} {
		for _, in := range m.All(key) {
			inputs = append(inputs, unfold(in))
		}
	}
	return inputs, lenient.Value{}
}

func unfold(in lenient.Value) lenient.Value {
	if in.Kind() == lenient.String {
		if inner := lenient.Parse([]byte(in.Text())).Value; inner.Kind() == lenient.Object {
			return inner
		}
	}
	return in
}

func decode(ev host.Event, payload lenient.Value, _ host.Env) canon.Event {
	m := payload.Members()
	e := canon.Event{
		Agent: "copilot", Event: ev.Kind, HostEvent: ev.Name,
		SessionID: first(m, "sessionId", "session_id").Text(), CWD: m.Text("cwd"),
		TranscriptPath: first(m, "transcriptPath", "transcript_path").Text(),
		Prompt:         m.Text("prompt"), Source: m.Text("source"), Reason: m.Text("reason"),
		Raw: host.Raw(payload),
	}
	subagent(m, &e)
	if trigger := m.Text("trigger"); trigger != "" {
		e.Source = trigger
	}
	if stop := first(m, "stopReason", "stop_reason").Text(); stop != "" {
		e.Reason = stop
	}
	inputs, _ := calls(payload)
	names := append(m.All("toolName"), m.All("tool_name")...)
	if len(inputs) > 0 || len(names) > 0 {
		e.Tool = tool(m, names, inputs)
	}
	switch failure := m.Get("error"); {
	case failure.Kind() == lenient.Missing:
	case e.Tool != nil:
		e.Tool.Status, e.Tool.Error = "error", message(failure)
	default:
		e.Reason = message(failure)
	}
	if ev.Kind == canon.Notified {
		e.Notification = &canon.Notification{Type: first(m, "notification_type", "notificationType").Text(), Message: m.Text("message")}
	}
	return e
}

// subagent says whose event it is. In a subagent's own events sessionId is the subagent, and parentAgentId whoever started it:
// the session, or another subagent, where nothing but a path tells the session. What a subagent is told to do comes as a
// prompt, too (1.0.102).
func subagent(m lenient.Members, e *canon.Event) {
	if e.SubagentID = m.Text("agentId"); e.SubagentID == "" {
		return
	}
	if parent := m.Text("parentAgentId"); e.SessionID == e.SubagentID && parent != "" {
		e.SessionID = parent
	}
	if of := transcriptOf().FindStringSubmatch(e.TranscriptPath); of != nil {
		e.SessionID = of[1]
	}
	if e.Event == canon.PromptSubmit {
		e.Event, e.Source = canon.Notified, "continuation"
		e.Notification = &canon.Notification{Type: "subagent-prompt", Message: e.Prompt}
		e.Prompt = ""
	}
}

var transcriptOf = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[/\\]session-state[/\\]([^/\\]+)[/\\]events\.jsonl$`)
})

// first is the first of the names that the payload has.
func first(m lenient.Members, names ...string) lenient.Value {
	for _, name := range names {
		if v := m.Get(name); v.Kind() != lenient.Missing {
			return v
		}
	}
	return lenient.Value{}
}

func message(failure lenient.Value) string {
	if text := failure.Members().Text("message"); text != "" {
		return text
	}
	return failure.Text()
}

func tool(m lenient.Members, names, inputs []lenient.Value) *canon.Tool {
	var rows []host.Tool
	h := host.Host{Tools: tools()}
	for _, name := range names {
		rows = append(rows, h.ToolRow(name.Text()))
	}
	if len(rows) == 0 {
		rows = append(rows, h.ToolRow(""))
	}
	t := host.NewTool(rows, inputs, args())
	result(t, first(m, "toolResult", "tool_result"))
	return t
}

// result reads the outcome. A shell command that ends with another code than 0 is a success for Copilot; only the line that
// it puts behind the command's output tells the code.
func result(t *canon.Tool, v lenient.Value) {
	if v.Kind() == lenient.Missing || v.Kind() == lenient.Null {
		return
	}
	t.Output = v.Clean()
	m := v.Members()
	text := first(m, "textResultForLlm", "text_result_for_llm").Text()
	switch kind := first(m, "resultType", "result_type").Text(); kind {
	case "":
	case "success":
		t.Status = "success"
		if code := exitCode(text); t.Kind == "shell" && code != "" && code != "0" {
			t.Status, t.Error = "error", "exit code "+code
		}
	default:
		t.Status, t.Error = "error", text
		if text == "" {
			t.Error = kind
		}
	}
}

var exitLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`<shellId: [^>\n]{1,64} completed with exit code (-?\d{1,9})>\s*$`)
})

func exitCode(text string) string {
	const tail = 256
	if len(text) > tail {
		text = text[len(text)-tail:]
	}
	found := exitLine().FindStringSubmatch(text)
	if found == nil {
		return ""
	}
	n, err := strconv.Atoi(found[1])
	if err != nil {
		return ""
	}
	return strconv.Itoa(n)
}
