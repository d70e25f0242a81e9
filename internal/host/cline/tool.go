package cline

import (
	"slices"
	"strconv"
	"strings"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/lenient"
)

// args are the parameter names of both programs' tools; the command lines are read by commands.
func args() host.Args {
	return host.Args{
		Paths: []string{"path", "paths", "file_path", "filePath", "file_paths", "directory"},
		URLs:  []string{"url", "urls", "uri"},
		Text:  []string{"prompt"},
	}
}

// found is what a payload holds of one call. The CLI says it twice: whole, and in the extension's form, whose values are all
// texts. A payload that repeats a key holds more than one of either; the last is the one that counts, and all are judged.
type found struct {
	calls, olds []lenient.Members
}

func find(m lenient.Members) found {
	all := func(keys ...string) (out []lenient.Members) {
		for _, key := range keys {
			for _, v := range m.All(key) {
				if v.Kind() == lenient.Object {
					out = append(out, v.Members())
				}
			}
		}
		return out
	}
	return found{all("tool_call", "tool_result"), all("preToolUse", "postToolUse")}
}

func last(of []lenient.Members) lenient.Members {
	if len(of) == 0 {
		return nil
	}
	return of[len(of)-1]
}

func values(of []lenient.Members, keys ...string) (out []lenient.Value) {
	for _, m := range of {
		for _, key := range keys {
			out = append(out, m.All(key)...)
		}
	}
	return out
}

func (f found) inputs() []lenient.Value {
	if in := values(f.calls, "input"); len(in) > 0 {
		return in
	}
	return values(f.olds, "parameters")
}

func (f found) names() []lenient.Value {
	if names := values(f.calls, "name"); len(names) > 0 {
		return names
	}
	return values(f.olds, "toolName", "tool")
}

func calls(payload lenient.Value) (inputs []lenient.Value, mcp lenient.Value) {
	return find(payload.Members()).inputs(), lenient.Value{}
}

func (f found) tool() *canon.Tool {
	inputs, names := f.inputs(), f.names()
	if len(inputs) == 0 && len(names) == 0 {
		return nil
	}
	h := host.Host{Tools: tools()}
	var rows []host.Tool
	for _, name := range names {
		rows = append(rows, h.ToolRow(name.Text()))
	}
	if len(rows) == 0 {
		rows = append(rows, h.ToolRow(""))
	}
	t := host.NewTool(rows, inputs, args())
	runs := slices.ContainsFunc(rows, func(row host.Tool) bool { return row.Kind == "shell" })
	var lines []string
	for _, in := range inputs {
		if runs {
			lines = append(lines, commands(in, 4)...)
		}
		nested(t, in)
	}
	if runs && len(lines) > 0 {
		t.Command = strings.Join(lines, "\n") // else what looks like one
	}
	if t.Kind == "mcp" && len(inputs) > 0 {
		m := inputs[len(inputs)-1].Members()
		t.MCP = &canon.MCP{Server: m.Text("server_name"), Tool: m.Text("tool_name")}
	}
	f.result(t)
	return t
}

// commands lists the command lines of an input in any of the forms that run_commands takes (3.0.65): each of a list's texts
// is a line of its own, an object is a program with its arguments. What is nested deeper than any of these is one line.
func commands(v lenient.Value, depth int) []string {
	if depth == 0 {
		return notEmpty(v.Text())
	}
	v = host.Unfold(v)
	switch v.Kind() {
	case lenient.String:
		return notEmpty(v.Text())
	case lenient.Array:
		var out []string
		for _, e := range v.Elems() {
			out = append(out, commands(e, depth-1)...)
		}
		return out
	case lenient.Object:
		m := v.Members()
		var out []string
		for _, key := range []string{"commands", "cmd"} {
			for _, c := range m.All(key) {
				out = append(out, commands(c, depth-1)...)
			}
		}
		words := ""
		for _, list := range m.All("args") {
			for _, e := range list.Elems() {
				words += " " + e.Text()
			}
		}
		for _, c := range m.All("command") {
			if k := host.Unfold(c).Kind(); k == lenient.Array || k == lenient.Object { // no tool of Cline's takes it so
				out = append(out, host.Lines(v, nil)...)
				continue
			}
			out = append(out, notEmpty(c.Text()+words)...)
		}
		return out
	}
	return nil
}

func notEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// nested adds the paths and URLs of tools that take several at once.
func nested(t *canon.Tool, in lenient.Value) {
	m := host.Unfold(in).Members()
	for _, key := range []string{"files", "requests"} {
		for _, list := range m.All(key) {
			list = host.Unfold(list)
			elems := list.Elems()
			if list.Kind() != lenient.Array {
				elems = []lenient.Value{list}
			}
			for _, e := range elems {
				if e.Kind() == lenient.String {
					t.Paths = append(t.Paths, notEmpty(e.Text())...)
					continue
				}
				one := host.NewTool([]host.Tool{{}}, []lenient.Value{e}, args())
				t.Paths, t.URLs = append(t.Paths, one.Paths...), append(t.URLs, one.URLs...)
			}
		}
	}
}

// result reads an outcome. A run_commands whose command failed is a success as a whole; its parts say more.
func (f found) result(t *canon.Tool) {
	call, old := last(f.calls), last(f.olds)
	out := call.Get("output")
	if out.Kind() == lenient.Missing {
		out = old.Get("result")
	}
	if out.Kind() == lenient.Missing {
		return
	}
	t.Output = out.Clean()
	for _, key := range []string{"durationMs", "executionTimeMs"} {
		for _, m := range []lenient.Members{call, old} {
			if ms, err := strconv.ParseFloat(m.Text(key), 64); err == nil && ms >= 0 && t.DurationMS == 0 {
				t.DurationMS = ms
			}
		}
	}
	failure := call.Text("error")
	switch old.Text("success") {
	case "true":
		t.Status = "success"
	case "false":
		t.Status = "error"
	}
	for _, part := range host.Unfold(out).Elems() {
		if m := part.Members(); m.Text("success") == "false" {
			t.Status = "error"
			if failure == "" {
				failure = m.Text("error")
			}
		}
	}
	if failure != "" {
		t.Status, t.Error = "error", failure
	}
}
