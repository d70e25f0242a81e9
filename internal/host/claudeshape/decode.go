// Package claudeshape is what Claude Code's hook protocol has in common with those made after it (Codex, Qwen Code): the names
// of a payload's members, and the forms of an answer. What each agent does with them is in its own package, and only these
// import it.
package claudeshape

import (
	"strings"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/lenient"
)

// Decode fills what all these agents name alike. Tools and turns are left to the agent's own decoder.
func Decode(agent string, ev host.Event, payload lenient.Value) (lenient.Members, canon.Event) {
	m := payload.Members()
	e := canon.Event{
		Agent: agent, Event: ev.Kind, HostEvent: ev.Name,
		SessionID: m.Text("session_id"), SubagentID: m.Text("agent_id"), CallID: m.Text("tool_use_id"),
		CWD: m.Text("cwd"), TranscriptPath: m.Text("transcript_path"),
		Prompt: m.Text("prompt"), Response: m.Text("last_assistant_message"), Model: m.Text("model"), Reason: m.Text("reason"),
		Raw: host.Raw(payload),
	}
	if ev.Kind != canon.PromptSubmit {
		e.Source = m.Text("source")
	}
	if trigger := m.Text("trigger"); trigger != "" {
		e.Source = trigger
	}
	if ev.Kind == canon.Notified {
		e.Notification = &canon.Notification{Type: m.Text("notification_type"), Message: m.Text("message")}
	}
	return m, e
}

// Continuation makes of a prompt that no person typed what it is: the agent goes on with what it was at, and no new trace
// may start.
func Continuation(e *canon.Event, kind string) {
	e.Event, e.Source = canon.Notified, "continuation"
	e.Notification = &canon.Notification{Type: kind, Message: e.Prompt}
	e.Prompt = ""
}

// Calls gives the inputs of the call that an event is about.
func Calls(payload lenient.Value) ([]lenient.Value, lenient.Value) {
	m := payload.Members()
	return m.All("tool_input"), m.Get("mcp_server")
}

// Tool describes the event's tool call; nil where there is none. row finds a tool by the name that the payload has for it.
func Tool(m lenient.Members, row func(name string) host.Tool, args host.Args) *canon.Tool {
	if m.Get("tool_name").Kind() == lenient.Missing && m.Get("tool_input").Kind() == lenient.Missing {
		return nil
	}
	rows := []host.Tool{}
	for _, name := range m.All("tool_name") {
		rows = append(rows, row(name.Text()))
	}
	if len(rows) == 0 {
		rows = append(rows, row(""))
	}
	t := host.NewTool(rows, m.All("tool_input"), args)
	t.MCP = server(t.HostName, m.Get("mcp_server").Members().Text("name"))
	t.DurationMS = duration(m.Get("duration_ms"))
	if response := m.Get("tool_response"); response.Kind() != lenient.Missing {
		t.Output = response.Clean()
	}
	return t
}

// Row finds a tool in an agent's table; those of MCP servers are known by their prefix.
func Row(tools []host.Tool, name string) host.Tool {
	r := (&host.Host{Tools: tools}).ToolRow(name)
	if r.Kind == "other" && strings.HasPrefix(name, mcpPrefix) {
		r.Name, r.Kind = "mcp", "mcp"
	}
	return r
}

const mcpPrefix = "mcp__"

// server takes mcp__<server>__<tool> apart. A server's name may hold "__" as well: where the payload states it, that is
// what the tool's name begins with, but for the characters that a tool's name can't have.
func server(tool, stated string) *canon.MCP {
	rest, is := strings.CutPrefix(tool, mcpPrefix)
	if !is {
		return nil
	}
	if stated != "" {
		if name, ok := strings.CutPrefix(rest, strings.Map(toolRune, stated)+"__"); ok {
			return &canon.MCP{Server: stated, Tool: name}
		}
	}
	name, of, _ := strings.Cut(rest, "__")
	return &canon.MCP{Server: name, Tool: of}
}

func toolRune(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
		return r
	}
	return '_'
}

// Batch gives the id of a batch's only call. Of several calls none is the event's own.
func Batch(m lenient.Members, key string) string {
	calls := m.Get("tool_calls").Elems()
	if len(calls) != 1 {
		return ""
	}
	return calls[0].Members().Text(key)
}
