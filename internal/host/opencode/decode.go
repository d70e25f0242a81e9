package opencode

import (
	"strings"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/lenient"
)

// args are the parameter names of the built-in tools.
func args() host.Args {
	return host.Args{
		Command: []string{"command"},
		Paths:   []string{"filePath", "path", "workdir"},
		URLs:    []string{"url"},
	}
}

// calls finds the arguments where the hooks have them: a tool that is about to run in the output, which a plugin may
// change, one that has run in the input, and one that failed in the part of the message.
func calls(payload lenient.Value) (inputs []lenient.Value, mcp lenient.Value) {
	m := payload.Members()
	for _, in := range m.All("input") {
		inputs = append(inputs, in.Members().All("args")...)
		if part, ok := toolPart(in.Members()); ok {
			inputs = append(inputs, part.Get("state").Members().All("input")...)
		}
	}
	for _, out := range m.All("output") {
		inputs = append(inputs, out.Members().All("args")...)
	}
	return inputs, lenient.Value{}
}

// toolPart is the part of a message that an event of the bus is about, where that is a tool call.
func toolPart(in lenient.Members) (lenient.Members, bool) {
	part := in.Get("properties").Members().Get("part").Members()
	return part, part.Text("type") == "tool"
}

func decode(ev host.Event, payload lenient.Value, env host.Env) canon.Event {
	m := payload.Members()
	in, out := m.Get("input").Members(), m.Get("output").Members()
	e := canon.Event{
		Agent: "opencode", Event: ev.Kind, HostEvent: ev.Name,
		SessionID: session(in), CallID: in.Text("callID"), CWD: m.Text("directory"), Raw: host.Raw(payload),
	}
	if e.CWD == "" {
		e.CWD = env.Dir
	}
	subagent(&e, m)
	inputs, _ := calls(payload)
	if len(inputs) > 0 || in.Get("tool").Kind() == lenient.String {
		e.Tool = host.NewTool(rows(m), inputs, args())
	}
	switch ev.Name {
	case "chat.message":
		e.Prompt, e.Model = texts(out.Get("parts")), out.Get("message").Members().Get("model").Members().Text("modelID")
	case "tool.execute.after":
		result(e.Tool, out)
	case "message.part.updated":
		failed(&e, in)
	case "permission.asked":
		permission(&e, in.Get("properties").Members())
	case "session.idle":
		e.Response = m.Text("text")
	case "dispose", "session.deleted":
		e.Reason = ev.Name
	case "session.error":
		failure := in.Get("properties").Members().Get("error").Members()
		e.Notification = &canon.Notification{Type: failure.Text("name"), Message: failure.Get("data").Members().Text("message")}
	case "chat.params":
		if e.Model = in.Get("model").Members().Text("id"); e.Model == "" && in.Get("model").Kind() == lenient.String {
			e.Model = in.Text("model")
		}
	case "experimental.text.complete":
		e.Response = out.Text("text")
	}
	return e
}

// session is where hooks and events of the bus name it.
func session(in lenient.Members) string {
	properties := in.Get("properties").Members()
	for _, id := range []string{
		in.Text("sessionID"), properties.Text("sessionID"), properties.Get("info").Members().Text("sessionID"),
		properties.Get("part").Members().Text("sessionID"), properties.Get("info").Members().Text("id"),
	} {
		if id != "" {
			return id
		}
	}
	return ""
}

// subagent puts what a subagent does into the session that started it: opencode gives it a session of its own, and the
// plugin adds whose child that is.
func subagent(e *canon.Event, m lenient.Members) {
	parent := m.Text("parentID")
	if parent == "" || parent == e.SessionID {
		return
	}
	e.SubagentID, e.SessionID = e.SessionID, parent
	switch e.Event {
	case canon.SessionStart:
		e.Event = canon.SubagentStart
	case canon.AgentStop:
		e.Event = canon.SubagentStop
	case canon.PromptSubmit, canon.SessionStop: // no person's prompt, and no end of what a person began
		e.Event = canon.Other
	}
}

func rows(m lenient.Members) []host.Tool {
	h := &host.Host{Tools: tools()}
	var out []host.Tool
	for _, in := range m.All("input") {
		for _, name := range in.Members().All("tool") {
			out = append(out, h.ToolRow(name.Text()))
		}
		if part, ok := toolPart(in.Members()); ok {
			out = append(out, h.ToolRow(part.Text("tool")))
		}
	}
	if len(out) == 0 {
		out = append(out, h.ToolRow(""))
	}
	return out
}

// result reads what tool.execute.after has. A command that failed is a tool that ran: metadata has its exit code.
func result(t *canon.Tool, out lenient.Members) {
	if t == nil || out == nil {
		return
	}
	t.Output, t.Status = out.Get("output").Clean(), "success"
	if out.Get("output").Kind() == lenient.Missing {
		t.Output = out.Get("content").Clean() // an MCP server's own form
	}
	if code := out.Get("metadata").Members().Text("exit"); t.Kind == "shell" && code != "" && code != "0" && code != "null" {
		t.Status, t.Error = "error", "exit code "+code
	}
}

// failed reads a tool's error. Any other part of a message is nothing of the kind.
func failed(e *canon.Event, in lenient.Members) {
	part, ok := toolPart(in)
	state := part.Get("state").Members()
	if !ok || e.Tool == nil || state.Text("status") != "error" {
		e.Event = canon.Other
		return
	}
	e.CallID = part.Text("callID")
	e.Tool.Status, e.Tool.Error = "error", state.Text("error")
}

// permission is what the user is asked: the kind, and the patterns that would be allowed.
func permission(e *canon.Event, p lenient.Members) {
	var patterns []string
	for _, v := range p.Get("patterns").Elems() {
		patterns = append(patterns, v.Text())
	}
	e.CallID = p.Get("tool").Members().Text("callID")
	e.Notification = &canon.Notification{Type: p.Text("permission"), Message: strings.Join(patterns, "\n"), Details: p.Get("metadata").Clean()}
}

// texts is what a person wrote: the parts that opencode itself added are marked.
func texts(parts lenient.Value) string {
	var out []string
	for _, v := range parts.Elems() {
		if part := v.Members(); part.Text("type") == "text" && part.Text("synthetic") != "true" {
			out = append(out, part.Text("text"))
		}
	}
	return strings.Join(out, "\n")
}
