package callspec

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/host/registry"
	"github.com/boathook/boathook/internal/lenient"
)

// TestAsTheAgentsDecodersDo: of every call that an agent was recorded with, the name and the arguments give the same tool.
func TestAsTheAgentsDecodersDo(t *testing.T) {
	n := 0
	for _, h := range registry.Hosts() {
		files, err := filepath.Glob(filepath.Join("..", "host", h.ID, "testdata", "*", "*.json"))
		if err != nil || len(files) == 0 {
			t.Fatal("no recordings of "+h.ID, err)
		}
		for _, path := range files {
			name, _, _ := strings.Cut(filepath.Base(path), ".")
			ev, known := h.Event(name)
			if strings.HasSuffix(path, ".golden.json") || !known || ev.Kind != canon.ToolBefore {
				continue
			}
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			want := h.Decode(ev, lenient.Parse(text).Value, host.Env{})
			if want.Tool == nil || !json.Valid(want.Tool.Input) {
				continue
			}
			n++
			got := Call{Agent: h.ID, Tool: want.Tool.HostName, Input: want.Tool.Input, CWD: want.CWD}.Event()
			type tool struct {
				Agent, Name, HostName, Kind, Command string
				Paths, URLs                          []string
			}
			of := func(e canon.Event) tool {
				return tool{e.Agent, e.Tool.Name, e.Tool.HostName, e.Tool.Kind, e.Tool.Command, e.Tool.Paths, e.Tool.URLs}
			}
			if diff := cmp.Diff(of(want), of(got)); diff != "" && want.Tool.MCP == nil {
				t.Errorf("%s (-decoder +callspec):\n%s", path, diff)
			}
		}
	}
	if n < 40 {
		t.Errorf("only %d calls were compared", n)
	}
}

func TestNamesOfTools(t *testing.T) {
	for _, tt := range []struct {
		call                  Call
		name, host, kind, mcp string
	}{
		{Call{Command: "ls"}, "bash", "bash", "shell", ""},
		{Call{Command: "ls", Agent: "gemini"}, "bash", "run_shell_command", "shell", ""},
		{Call{Tool: "bash", Agent: "Codex"}, "bash", "Bash", "shell", ""},
		{Call{Tool: "Write"}, "write_file", "Write", "write", ""},
		{Call{Tool: "write_file", Agent: "claude"}, "write_file", "Write", "write", ""},
		{Call{Tool: "mcp:tracker/close"}, "mcp", "mcp:tracker/close", "mcp", "tracker/close"},
		{Call{Tool: "mcp__tracker__close", Agent: "claude"}, "mcp", "mcp__tracker__close", "mcp", "tracker/close"},
		{Call{Tool: "frobnicate", Agent: "nobody"}, "frobnicate", "frobnicate", "other", ""},
	} {
		e := tt.call.Event()
		mcp := ""
		if e.Tool.MCP != nil {
			mcp = e.Tool.MCP.Server + "/" + e.Tool.MCP.Tool
		}
		got := [4]string{e.Tool.Name, e.Tool.HostName, e.Tool.Kind, mcp}
		if want := [4]string{tt.name, tt.host, tt.kind, tt.mcp}; got != want {
			t.Errorf("%+v: %v, want %v", tt.call, got, want)
		}
	}
}
