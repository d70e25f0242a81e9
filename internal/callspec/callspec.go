// Package callspec reads a tool call as people and programs write it down, outside any agent's payload: on the command line, in
// cases, in old transcripts. The events that it makes are those that the agent's own decoder would make of the same call.
package callspec

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/host/registry"
	"github.com/boathook/boathook/internal/lenient"
)

// Call is one tool call. Either Command is set or Tool.
type Call struct {
	// Command is a line for the shell.
	Command string `json:"command,omitempty"`
	// Tool is the canonical name or the agent's own; mcp:SERVER/TOOL is one of an MCP server.
	Tool  string          `json:"tool,omitempty"`
	Input json.RawMessage `json:"input,omitempty"`
	// Agent is any label that it is known under; empty is no certain one.
	Agent   string `json:"agent,omitempty"`
	CWD     string `json:"cwd,omitempty"`
	Project string `json:"project,omitempty"`
}

// shell is the tool of a call that is only a command.
const shell = "bash"

// Event is the call as an event that could still be stopped.
func (c Call) Event() canon.Event {
	e := canon.Event{Event: canon.ToolBefore, CWD: c.CWD, Project: c.Project}
	var own *host.Host
	if h, known := registry.Lookup(strings.ToLower(c.Agent)); c.Agent != "" {
		e.Agent = c.Agent
		if known {
			own, e.Agent = h, h.ID
		}
	}
	if c.Tool == "" {
		e.Tool = command(own, c)
		return e
	}
	row, mcp := rowOf(own, c.Tool)
	e.Tool = host.NewTool([]host.Tool{row}, inputs(c.Input), argsOf())
	e.Tool.MCP = mcp
	e.Tool.Paths = unique(e.Tool.Paths)
	switch {
	case c.Command != "":
		e.Tool.Command = c.Command
	case e.Tool.Command == "" && row.Kind == "shell":
		e.Tool.Command = listed(c.Input)
	}
	return e
}

// listed are the command lines of a shell that is given a list of them, as Cline's is.
func listed(input json.RawMessage) string {
	var lines []string
	for _, list := range lenient.Parse(input).Value.Members().All("commands") {
		for _, e := range list.Elems() {
			lines = append(lines, e.Text())
		}
	}
	return strings.Join(lines, "\n")
}

// unique leaves the first of each: two names of an argument are one where an agent has both.
func unique(list []string) []string {
	var out []string
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// command is a call of the agent's shell.
func command(h *host.Host, c Call) *canon.Tool {
	t := &canon.Tool{Name: shell, HostName: shell, Kind: "shell", Command: c.Command, Input: c.Input}
	if h != nil {
		for _, row := range h.Tools {
			if row.Name == shell {
				t.HostName = row.HostName
				break
			}
		}
	}
	if t.Input == nil {
		t.Input, _ = json.Marshal(map[string]string{"command": c.Command}) // texts always marshal
	}
	return t
}

func inputs(raw json.RawMessage) []lenient.Value {
	if len(raw) == 0 {
		raw = json.RawMessage("{}")
	}
	return []lenient.Value{lenient.Parse(raw).Value}
}

// rowOf finds what is known of a tool: by the agent's own name, else by the canonical one, first of that agent, then of all.
func rowOf(own *host.Host, name string) (host.Tool, *canon.MCP) {
	if mcp := mcpOf(name); mcp != nil {
		return host.Tool{HostName: name, Name: "mcp", Kind: "mcp"}, mcp
	}
	if inner, glued := strings.CutPrefix(name, "collaboration"); glued && own != nil && own.ID == "codex" {
		if row := own.ToolRow(inner); row.Kind == "agent" {
			row.HostName = name
			return row, nil
		}
	}
	hosts := registry.Hosts()
	if own != nil {
		hosts = append([]*host.Host{own}, hosts...)
	}
	for _, h := range hosts {
		for _, row := range h.Tools {
			if row.HostName == name {
				return row, nil
			}
		}
		if own == h { // its own names go before others'
			for _, row := range h.Tools {
				if row.Name == name {
					return row, nil
				}
			}
		}
	}
	for _, h := range hosts {
		for _, row := range h.Tools {
			if row.Name == name {
				row.HostName = name
				return row, nil
			}
		}
	}
	return host.Tool{HostName: name, Name: name, Kind: "other"}, nil
}

// mcpOf reads the forms that agents have for a tool of an MCP server: mcp:server/tool, mcp__server__tool.
func mcpOf(name string) *canon.MCP {
	if rest, ok := strings.CutPrefix(name, "mcp:"); ok {
		server, tool, _ := strings.Cut(rest, "/")
		return &canon.MCP{Server: server, Tool: tool}
	}
	if rest, ok := strings.CutPrefix(name, "mcp__"); ok {
		if server, tool, both := strings.Cut(rest, "__"); both {
			return &canon.MCP{Server: server, Tool: tool}
		}
	}
	return nil
}

// argsOf are the names that the agents' tools have for what they touch.
func argsOf() host.Args {
	return host.Args{
		Command: []string{"command", "cmd", "CommandLine", "Command", "command_line", "Input"},
		Paths: []string{
			"file_path", "path", "paths", "filePath", "absolute_path", "dir_path", "directory", "dir", "notebook_path", "workdir",
			"TargetFile", "AbsolutePath", "DirectoryPath", "SearchDirectory", "SearchPath", "FilePath", "Path", "ImagePaths", "include",
		},
		URLs: []string{"url", "urls", "uri", "Url", "URL", "Urls"},
		Text: []string{"prompt"},
	}
}
