package windsurf

import (
	"strings"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/lenient"
)

func args() host.Args {
	return host.Args{Command: []string{"command_line"}, Paths: []string{"file_path"}, URLs: []string{"url"}}
}

// calls gives tool_info but for the events in which something else stands there: a prompt, an answer.
func calls(payload lenient.Value) (inputs []lenient.Value, mcp lenient.Value) {
	m := payload.Members()
	if ev, known := Host().Event(m.Text("agent_action_name")); known && !ev.Tool {
		return nil, lenient.Value{}
	}
	return m.All("tool_info"), lenient.Value{}
}

// toolOf is the tool's part of an event's name, empty where the event is about none.
func toolOf(event string) string {
	_, name, _ := strings.Cut(event, "_")
	for _, t := range tools() {
		if t.HostName == name {
			return name
		}
	}
	return ""
}

func decode(ev host.Event, payload lenient.Value, env host.Env) canon.Event {
	m := payload.Members()
	info := m.Get("tool_info").Members()
	e := canon.Event{
		Agent: "windsurf", Event: ev.Kind, HostEvent: ev.Name,
		SessionID: m.Text("trajectory_id"), TurnID: m.Text("execution_id"), Model: m.Text("model_name"),
		CWD: info.Text("cwd"), TranscriptPath: info.Text("transcript_path"),
		Prompt: info.Text("user_prompt"), Response: info.Text("response"), Raw: host.Raw(payload),
	}
	if e.CWD == "" {
		e.CWD = env.Dir
	}
	if !ev.Tool {
		return e
	}
	name := toolOf(ev.Name)
	e.Tool = host.NewTool([]host.Tool{(&host.Host{Tools: tools()}).ToolRow(name)}, m.All("tool_info"), args())
	if name == "mcp_tool_use" {
		e.Tool.MCP = &canon.MCP{Server: info.Text("mcp_server_name"), Tool: info.Text("mcp_tool_name")}
		if v := info.Get("mcp_result"); v.Kind() != lenient.Missing {
			e.Tool.Output = v.Clean()
		}
	}
	return e
}
