package antigravity

import (
	"strings"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/lenient"
)

// args are the PascalCase parameters seen in captures and documentation.
func args() host.Args {
	return host.Args{
		Command: []string{"CommandLine", "Command", "Input"},
		Paths: []string{
			"TargetFile", "AbsolutePath", "DirectoryPath", "SearchDirectory", "SearchPath", "FilePath", "Path", "ImagePaths",
		},
		URLs: []string{"Url", "URL", "Urls"},
	}
}

// calls takes every toolCall that a payload holds, whatever its shape: an object's arguments (or all of it, where it has
// none under that name), a JSON text, a list. null, which is normal on PostToolUse, is no call.
func calls(payload lenient.Value) (inputs []lenient.Value, mcp lenient.Value) {
	for _, call := range toolCalls(payload.Members()) {
		if args := call.Members().All("args"); len(args) > 0 {
			inputs = append(inputs, args...)
		} else {
			inputs = append(inputs, call)
		}
	}
	return inputs, lenient.Value{}
}

func toolCalls(m lenient.Members) []lenient.Value {
	var out []lenient.Value
	for _, call := range m.All("toolCall") {
		if call.Kind() != lenient.Null {
			out = append(out, call)
		}
	}
	return out
}

func decode(ev host.Event, payload lenient.Value, env host.Env) canon.Event {
	m := payload.Members()
	e := canon.Event{
		Agent: "antigravity", Product: product(m.Text("transcriptPath")), Event: ev.Kind, HostEvent: ev.Name,
		SessionID: m.Text("conversationId"), TranscriptPath: m.Text("transcriptPath"),
		CWD: workDir(m, env), Model: m.Text("modelName"), Source: m.Text("source"), Reason: m.Text("terminationReason"),
		CallID: step(m), Raw: host.Raw(payload),
	}
	found := toolCalls(m)
	if len(found) == 0 {
		return e
	}
	var rows []host.Tool
	for _, call := range found {
		rows = append(rows, row(call.Members().Text("name")))
	}
	inputs, _ := calls(payload)
	e.Tool = host.NewTool(rows, inputs, args())
	if ev.Kind == canon.ToolAfter {
		outcome(e.Tool, m.Get("error"))
	}
	return e
}

// step is the place of a tool call in its conversation: what a PreToolUse and its PostToolUse have in common, the latter's
// call being null as often as not.
func step(m lenient.Members) string {
	if v := m.Get("stepIdx"); v.Kind() == lenient.Number {
		return v.Text()
	}
	return ""
}

func row(name string) host.Tool {
	r := (&host.Host{Tools: tools()}).ToolRow(name)
	if r.Kind == "other" && strings.HasPrefix(name, "browser_") {
		r.Name, r.Kind = "browser", "web"
	}
	if r.Kind == "other" && strings.HasPrefix(name, "mcp_") {
		r.Name, r.Kind = "mcp", "mcp"
	}
	return r
}

// outcome: an empty error is Antigravity's word for success; without the field nothing is known.
func outcome(t *canon.Tool, failure lenient.Value) {
	switch {
	case failure.Kind() == lenient.Missing || failure.Kind() == lenient.Null:
	case failure.Text() == "":
		t.Status = "success"
	default:
		t.Status, t.Error = "error", failure.Text()
	}
}

// workDir: print mode has no workspace; the tool's own directory is the next best, then where the hook runs.
func workDir(m lenient.Members, env host.Env) string {
	for _, dir := range m.Get("workspacePaths").Elems() {
		if s := dir.Text(); s != "" {
			return s
		}
	}
	if dir := m.Get("toolCall").Members().Get("args").Members().Text("Cwd"); dir != "" {
		return dir
	}
	return env.Dir
}

// product tells the two programs apart by the folder that their transcripts live in.
func product(transcript string) string {
	slashed := strings.ReplaceAll(transcript, `\`, "/")
	switch {
	case strings.Contains(slashed, "/antigravity-cli/brain/"):
		return "agy"
	case strings.Contains(slashed, "/antigravity/brain/"):
		return "antigravity2"
	}
	return ""
}
