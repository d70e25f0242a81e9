package codex

import (
	"strconv"
	"strings"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/host/claudeshape"
	"github.com/boathook/boathook/internal/lenient"
)

func args() host.Args {
	return host.Args{Command: []string{"command"}, Paths: []string{"path"}, URLs: []string{"url"}}
}

func decode(ev host.Event, payload lenient.Value, _ host.Env) canon.Event {
	m, e := claudeshape.Decode("codex", ev, payload)
	e.TurnID = m.Text("turn_id")
	if e.Tool = claudeshape.Tool(m, row, args()); e.Tool != nil {
		if ev.Kind == canon.ToolAfter {
			outcome(e.Tool, m.Get("tool_response"))
		}
	}
	if ev.Name == "Interrupt" {
		e.Reason = "interrupt"
	}
	return e
}

// namespace is what stands before the names of the tools for subagents: collaborationspawn_agent.
const namespace = "collaboration"

func row(name string) host.Tool {
	r := claudeshape.Row(tools(), name)
	if inner, glued := strings.CutPrefix(name, namespace); glued && r.Kind == "other" {
		if found := claudeshape.Row(tools(), inner); found.Kind == "agent" {
			r.Name, r.Kind = found.Name, found.Kind
		}
	}
	return r
}

// outcome says what the payload proves. A shell's has no exit code, only what the command printed, which may say anything. A
// patch's begins with Codex's own words, and an MCP tool that failed has no PostToolUse at all (0.171.0).
func outcome(t *canon.Tool, response lenient.Value) {
	switch {
	case t.HostName == patchTool:
		line, _, _ := strings.Cut(response.Text(), "\n")
		digits, stated := strings.CutPrefix(line, "Exit code: ")
		code, err := strconv.Atoi(digits)
		switch {
		case !stated || err != nil:
		case code == 0:
			t.Status = "success"
		default:
			t.Status, t.Error = "error", "exit code "+strconv.Itoa(code)
		}
	case t.Kind == "mcp" && response.Kind() == lenient.Object:
		t.Status = "success"
		if response.Members().Text("isError") == "true" {
			t.Status = "error"
		}
	}
}
