package amp

import (
	"strings"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/lenient"
)

// args are the parameter names of the built-in tools.
func args() host.Args {
	return host.Args{
		Command: []string{"cmd", "command"},
		Paths:   []string{"path", "paths", "file_path", "directory", "dir"},
		URLs:    []string{"url", "urls"},
	}
}

func calls(payload lenient.Value) ([]lenient.Value, lenient.Value) {
	return datas(payload).all("input"), lenient.Value{}
}

// data is the event as the plugin API gave it: every one that the payload holds.
type data []lenient.Members

func datas(payload lenient.Value) (out data) {
	for _, v := range payload.Members().All("data") {
		out = append(out, v.Members())
	}
	return out
}

func (d data) all(key string) (out []lenient.Value) {
	for _, m := range d {
		out = append(out, m.All(key)...)
	}
	return out
}

// get is the last that there is of a member, which is what a parser would give.
func (d data) get(key string) lenient.Value {
	if len(d) == 0 {
		return lenient.Value{}
	}
	return d[len(d)-1].Get(key)
}

func decode(ev host.Event, payload lenient.Value, env host.Env) canon.Event {
	m, d := payload.Members(), datas(payload)
	e := canon.Event{
		Agent: "amp", Event: ev.Kind, HostEvent: ev.Name,
		SessionID: d.get("thread").Members().Text("id"), CallID: d.get("toolUseID").Text(), CWD: m.Text("cwd"),
		Raw: host.Raw(payload),
	}
	if e.CWD == "" {
		e.CWD = env.Dir
	}
	if len(d.all("tool")) > 0 || len(d.all("input")) > 0 {
		e.Tool = tool(d)
	}
	switch ev.Kind {
	case canon.PromptSubmit:
		e.Prompt = d.get("message").Text()
	case canon.AgentStop:
		e.Prompt, e.Reason, e.Response = d.get("message").Text(), d.get("status").Text(), response(d.get("messages"))
	case canon.ToolAfter:
		if e.Tool != nil {
			outcome(e.Tool, d)
		}
	case canon.Other:
		e.Source = d.get("workflow").Text()
	}
	return e
}

func tool(d data) *canon.Tool {
	var rows []host.Tool
	for _, name := range d.all("tool") {
		rows = append(rows, row(name.Text()))
	}
	if len(rows) == 0 {
		rows = append(rows, row(""))
	}
	t := host.NewTool(rows, d.all("input"), args())
	if server, name, ok := mcp(t.HostName); ok {
		t.MCP = &canon.MCP{Server: server, Tool: name}
	}
	return t
}

func row(name string) host.Tool {
	r := (&host.Host{Tools: tools()}).ToolRow(name)
	if _, _, ok := mcp(name); ok && r.Kind == "other" {
		r.Name, r.Kind = "mcp", "mcp"
	}
	return r
}

// mcp takes the name of a tool of an MCP server apart: mcp__server__tool.
func mcp(name string) (server, tool string, ok bool) {
	rest, ok := strings.CutPrefix(name, "mcp__")
	if !ok {
		return "", "", false
	}
	server, tool, ok = strings.Cut(rest, "__")
	return server, tool, ok && server != "" && tool != ""
}

// outcome reads a tool.result: status is done, error or cancelled.
func outcome(t *canon.Tool, d data) {
	t.Output = d.get("output").Clean()
	switch status := d.get("status").Text(); status {
	case "done":
		t.Status = "success"
		if code := d.get("output").Members().Text("exitCode"); t.Kind == "shell" && code != "" && code != "0" && code != "null" {
			t.Status, t.Error = "error", "exit code "+code
		}
	case "error", "cancelled":
		t.Status, t.Error = "error", d.get("error").Text()
		if t.Error == "" {
			t.Error = status
		}
	}
}

// response is the text of the last message that the model wrote.
func response(messages lenient.Value) string {
	for list := messages.Elems(); len(list) > 0; list = list[:len(list)-1] {
		m := list[len(list)-1].Members()
		if m.Text("role") != "assistant" {
			continue
		}
		var texts []string
		for _, block := range m.Get("content").Elems() {
			if b := block.Members(); b.Text("type") == "text" {
				texts = append(texts, b.Text("text"))
			}
		}
		if len(texts) > 0 {
			return strings.Join(texts, "\n")
		}
	}
	return ""
}
