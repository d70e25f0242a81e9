package cursor

import (
	"strconv"
	"strings"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/lenient"
)

// args are the members by which the engine describes its tools' inputs.
func args() host.Args {
	return host.Args{
		Command: []string{"command"},
		Paths:   []string{"file_path", "path", "paths"},
		URLs:    []string{"url", "uri"},
	}
}

func decode(ev host.Event, payload lenient.Value, env host.Env) canon.Event {
	m := payload.Members()
	e := canon.Event{
		Agent: "cursor", Event: ev.Kind, HostEvent: ev.Name,
		SessionID: m.Text("session_id"), TurnID: m.Text("generation_id"), CallID: m.Text("tool_use_id"),
		SubagentID: m.Text("subagent_id"), CWD: workDir(m, env), TranscriptPath: m.Text("transcript_path"),
		Prompt: m.Text("prompt"), Model: m.Text("model"),
		Source: m.Text("trigger"), Reason: m.Text("reason"), Raw: host.Raw(payload),
	}
	if e.SessionID == "" {
		e.SessionID = m.Text("conversation_id")
	}
	if status := m.Text("status"); status != "" {
		e.Reason = status
	}
	switch ev.Name {
	case "afterAgentResponse", "afterAgentThought":
		e.Response = m.Text("text")
		e.Usage = usage(m)
	case "subagentStop":
		e.Response = m.Text("summary")
	}
	e.Tool = tool(ev, m)
	return e
}

func workDir(m lenient.Members, env host.Env) string {
	for _, dir := range m.Get("workspace_roots").Elems() {
		if s := dir.Text(); s != "" {
			return s
		}
	}
	if dir := m.Text("cwd"); dir != "" {
		return dir
	}
	return env.Dir
}

func usage(m lenient.Members) *canon.Usage {
	u := canon.Usage{InputTokens: count(m, "input_tokens"), OutputTokens: count(m, "output_tokens")}
	if u == (canon.Usage{}) {
		return nil
	}
	return &u
}

func count(m lenient.Members, key string) int64 {
	n, err := strconv.ParseInt(m.Text(key), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// calls gives the inputs. The specific events have none as such: what they say of the call stands at the top level, and is
// put together here as the generic event has it.
func calls(payload lenient.Value) (inputs []lenient.Value, mcp lenient.Value) {
	return inputsOf(payload.Members()), lenient.Value{}
}

func inputsOf(m lenient.Members) []lenient.Value {
	var out []lenient.Value
	for _, in := range m.All("tool_input") {
		out = append(out, unfold(in))
	}
	if len(out) > 0 {
		return out
	}
	var parts []string
	for _, member := range m {
		switch member.Key {
		case "command", "file_path", "edits":
			parts = append(parts, strconv.Quote(member.Key)+":"+string(member.Value.Clean()))
		}
	}
	if parts == nil {
		return nil
	}
	return []lenient.Value{lenient.Parse([]byte("{" + strings.Join(parts, ",") + "}")).Value}
}

// unfold: beforeMCPExecution and its like have the arguments as a JSON text.
func unfold(in lenient.Value) lenient.Value {
	if in.Kind() == lenient.String {
		if inner := lenient.Parse([]byte(in.Text())).Value; inner.Kind() == lenient.Object {
			return inner
		}
	}
	return in
}

func tool(ev host.Event, m lenient.Members) *canon.Tool {
	inputs := inputsOf(m)
	var rows []host.Tool
	for _, name := range m.All("tool_name") {
		rows = append(rows, row(ev, name.Text()))
	}
	if len(rows) == 0 && len(inputs) == 0 {
		return nil
	}
	if len(rows) == 0 {
		rows = append(rows, row(ev, specific(ev.Name)))
	}
	t := host.NewTool(rows, inputs, args())
	if name, ok := strings.CutPrefix(t.HostName, mcpPrefix); ok && t.Kind == "mcp" {
		t.MCP = &canon.MCP{Server: m.Text("mcp_server_name"), Tool: name}
	}
	result(t, ev, m)
	return t
}

const mcpPrefix = "MCP:"

// row finds a tool. The two MCP events name it without the prefix.
func row(ev host.Event, name string) host.Tool {
	if strings.HasSuffix(ev.Name, "MCPExecution") && !strings.HasPrefix(name, mcpPrefix) {
		name = mcpPrefix + name
	}
	r := (&host.Host{Tools: tools()}).ToolRow(name)
	if strings.HasPrefix(name, mcpPrefix) {
		r.Name, r.Kind = "mcp", "mcp"
	}
	return r
}

// specific names the tool of an event that is about one tool alone, as the generic events would.
func specific(event string) string {
	switch event {
	case "beforeShellExecution", "afterShellExecution":
		return "Shell"
	case "beforeReadFile", "beforeTabFileRead":
		return "Read"
	case "afterFileEdit", "afterTabFileEdit":
		return "Write"
	}
	return ""
}

func result(t *canon.Tool, ev host.Event, m lenient.Members) {
	for _, key := range []string{"tool_output", "output", "result_json"} {
		if v := m.Get(key); v.Kind() != lenient.Missing {
			t.Output = unfold(v).Clean()
		}
	}
	if ms, err := strconv.ParseFloat(m.Text("duration"), 64); err == nil && ms >= 0 {
		t.DurationMS = ms
	}
	switch {
	case ev.Kind == canon.ToolError:
		t.Status, t.Error = "error", m.Text("error_message")
		if t.Error == "" {
			t.Error = m.Text("failure_type")
		}
	case ev.Kind == canon.ToolAfter:
		t.Status = "success"
	}
}
