package gemini

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/lenient"
)

// args are the parameter names of the built-in tools (0.61.0).
func args() host.Args {
	return host.Args{
		Command: []string{"command"},
		Paths:   []string{"file_path", "dir_path", "path", "absolute_path", "paths", "include"},
		URLs:    []string{"url", "urls"},
		Text:    []string{"prompt"},
	}
}

func calls(payload lenient.Value) ([]lenient.Value, lenient.Value) {
	m := payload.Members()
	return m.All("tool_input"), m.Get("mcp_context")
}

func decode(ev host.Event, payload lenient.Value, _ host.Env) canon.Event {
	m := payload.Members()
	e := canon.Event{
		Agent: "gemini", Event: ev.Kind, HostEvent: ev.Name,
		SessionID: m.Text("session_id"), CWD: m.Text("cwd"), TranscriptPath: m.Text("transcript_path"),
		Prompt: m.Text("prompt"), Response: m.Text("prompt_response"),
		Source: m.Text("source"), Reason: m.Text("reason"),
		Raw: host.Raw(payload),
	}
	if trigger := m.Text("trigger"); trigger != "" {
		e.Source = trigger
	}
	if m.Get("tool_name").Kind() != lenient.Missing || m.Get("tool_input").Kind() != lenient.Missing {
		e.Tool = tool(m)
	}
	model(m, &e)
	if kind := m.Text("notification_type"); kind != "" || ev.Kind == canon.Notified {
		e.Notification = &canon.Notification{Type: kind, Message: m.Text("message"), Details: m.Get("details").Clean()}
	}
	return e
}

func tool(m lenient.Members) *canon.Tool {
	context := m.Get("mcp_context").Members()
	rows := []host.Tool{}
	for _, name := range m.All("tool_name") {
		rows = append(rows, row(name.Text(), context != nil))
	}
	if len(rows) == 0 {
		rows = append(rows, row("", context != nil))
	}
	t := host.NewTool(rows, m.All("tool_input"), args())
	if context != nil {
		t.MCP = &canon.MCP{Server: context.Text("server_name"), Tool: context.Text("tool_name")}
	}
	result(t, m.Get("tool_response"))
	return t
}

func row(name string, mcp bool) host.Tool {
	r := (&host.Host{Tools: tools()}).ToolRow(name)
	if r.Kind == "other" && (mcp || strings.HasPrefix(name, "mcp_")) {
		r.Name, r.Kind = "mcp", "mcp"
	}
	return r
}

// result reads an AfterTool's outcome. Gemini reports a failed shell command as a success: only the text of the result
// says that the exit code was not 0.
func result(t *canon.Tool, response lenient.Value) {
	if response.Kind() == lenient.Missing {
		return
	}
	t.Output = response.Clean()
	t.Status = "success"
	m := response.Members()
	if failure := m.Get("error"); failure.Kind() != lenient.Missing && failure.Kind() != lenient.Null {
		t.Status, t.Error = "error", failure.Text()
		if text := failure.Members().Text("message"); text != "" {
			t.Error = text
		}
		return
	}
	if t.Kind != "shell" {
		return
	}
	if code := exitCode(m.Text("llmContent")); code != 0 {
		t.Status, t.Error = "error", "exit code "+strconv.Itoa(code)
	}
}

// exitLine matches the lines that Gemini itself puts behind a command's output; the command's own output stands before
// them, so that the last one counts.
var exitLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\nExit Code: (-?\d{1,9})\n(?:[A-Z][A-Za-z ]*: [^\n]*\n)*</untrusted_context>\s*$`)
})

func exitCode(content string) int {
	const tail = 4096
	if len(content) > tail {
		content = content[len(content)-tail:]
	}
	found := exitLine().FindStringSubmatch(content)
	if found == nil {
		return 0
	}
	code, err := strconv.Atoi(found[1])
	if err != nil {
		return 0
	}
	return code
}

// model reads what the model events carry.
func model(m lenient.Members, e *canon.Event) {
	e.Model = m.Get("llm_request").Members().Text("model")
	response := m.Get("llm_response").Members()
	if response == nil {
		return
	}
	e.Response = response.Text("text")
	usage := response.Get("usageMetadata").Members()
	if usage == nil {
		return
	}
	e.Usage = &canon.Usage{
		InputTokens:  count(usage.Text("promptTokenCount")),
		OutputTokens: count(usage.Text("candidatesTokenCount")),
		TotalTokens:  count(usage.Text("totalTokenCount")),
	}
}

func count(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0
	}
	return n
}
