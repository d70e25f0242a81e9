package cline

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host/hosttest"
)

func TestDecodeRecordings(t *testing.T) { hosttest.Golden(t, Host(), "testdata/3.0.65") }

// The VS Code extension's payloads, as its documentation shows them.
func TestDecodeDocumented(t *testing.T) { hosttest.Golden(t, Host(), "testdata/documented") }

func FuzzDecode(f *testing.F) { hosttest.Fuzz(f, Host(), "testdata/3.0.65") }

func TestToolDetails(t *testing.T) {
	bash := func(command string) canon.Tool {
		return canon.Tool{Name: "bash", HostName: "run_commands", Kind: "shell", Command: command}
	}
	call := func(input string) string {
		return `{"tool_call":{"id":"c","name":"run_commands","input":` + input + `},"preToolUse":{"toolName":"run_commands","parameters":{}}}`
	}
	failed := bash("false")
	failed.Status, failed.Error, failed.DurationMS = "error", "exit 1", 3
	for _, tc := range []struct {
		name, payload string
		want          canon.Tool
	}{
		{"each command is a line", call(`{"commands":["rm -rf x","ls"]}`), bash("rm -rf x\nls")},
		{"a program with arguments", call(`{"commands":[{"command":"rm","args":["-rf","x"]},"ls"]}`), bash("rm -rf x\nls")},
		{"one command", call(`{"commands":"rm x"}`), bash("rm x")},
		{"one program", call(`{"commands":{"command":"rm","args":["x"]}}`), bash("rm x")},
		{"the extension's name for it", call(`{"command":"rm x"}`), bash("rm x")},
		{"another name for it", call(`{"cmd":"rm x"}`), bash("rm x")},
		{"a list alone", call(`["rm x","ls"]`), bash("rm x\nls")},
		{"a list of programs", call(`[{"command":"rm"},{"command":"ls"}]`), bash("rm\nls")},
		{"a text alone", call(`"rm x"`), bash("rm x")},
		{"a test that begins as a list does", call(`"[ -f x ] && rm x"`), bash("[ -f x ] && rm x")},
		{"every duplicate", `{"tool_call":{"name":"run_commands","input":{"commands":["rm"]},"input":{"commands":["ls"]}}}`, bash("rm\nls")},
		{"nested too deep", call(`{"commands":[[[[["rm"]]]]]}`), bash(`[["rm"]]`)},
		{"a list as a text", `{"preToolUse":{"toolName":"run_commands","parameters":{"commands":"[\"rm x\",\"ls\"]"}}}`, bash("rm x\nls")},
		{"no call object", `{"preToolUse":{"toolName":"read_files","parameters":{"files":"[{\"path\":\"a\"},{\"path\":\"b\"}]"}}}`, canon.Tool{Name: "read_file", HostName: "read_files", Kind: "read", Paths: []string{"a", "b"}}},
		{"several files", `{"tool_call":{"name":"read_files","input":{"files":[{"path":"a","start_line":1},"b"]}}}`, canon.Tool{Name: "read_file", HostName: "read_files", Kind: "read", Paths: []string{"a", "b"}}},
		{"several requests", `{"tool_call":{"name":"fetch_web_content","input":{"requests":[{"url":"https://a.example","prompt":"sum up"}]}}}`, canon.Tool{Name: "web_fetch", HostName: "fetch_web_content", Kind: "web", URLs: []string{"https://a.example"}}},
		{"no name", `{"tool_call":{"input":{"command":"rm"}}}`, canon.Tool{Kind: "other", Command: "rm"}},
		{"a failed command", `{"tool_result":{"name":"run_commands","input":{"commands":["false"]},"output":[{"query":"false","result":"","error":"exit 1","success":false}],"durationMs":3},"postToolUse":{"success":true}}`, failed},
		{"every call, too", `{"tool_call":{"name":"run_commands","input":{"commands":["rm"]}},"tool_call":{"name":"read_files","input":{"files":["a"]}}}`, canon.Tool{Name: "read_file", HostName: "read_files", Kind: "read", Command: "rm", Paths: []string{"a"}}},
		{"a patch", `{"tool_call":{"name":"apply_patch","input":{"input":"*** Begin Patch\n*** Add File: a\n+x\n*** Move to: b\n*** End Patch"}}}`, canon.Tool{Name: "edit_file", HostName: "apply_patch", Kind: "write", Paths: []string{"a", "b"}}},
		{"a patch alone", `{"tool_call":{"name":"apply_patch","input":"*** Begin Patch\n*** Add File: a\n"}}`, canon.Tool{Name: "edit_file", HostName: "apply_patch", Kind: "write", Paths: []string{"a"}}},
		{"an MCP tool's command", `{"preToolUse":{"toolName":"use_mcp_tool","parameters":{"server_name":"s","tool_name":"t","arguments":"{\"command\":\"rm x\"}"}}}`, canon.Tool{Name: "mcp", HostName: "use_mcp_tool", Kind: "mcp", Command: "rm x", MCP: &canon.MCP{Server: "s", Tool: "t"}}},
		{"an MCP call without input", `{"preToolUse":{"toolName":"use_mcp_tool"}}`, canon.Tool{Name: "mcp", HostName: "use_mcp_tool", Kind: "mcp"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := hosttest.Decode(t, Host(), "PreToolUse", []byte(tc.payload))
			if diff := cmp.Diff(&tc.want, got.Tool, cmpopts.IgnoreFields(canon.Tool{}, "Input", "Output")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSubagents(t *testing.T) {
	payload := []byte(`{"taskId":"t","sessionContext":{"rootSessionId":"root"},"agent_id":"a2","parent_agent_id":"a1"}`)
	for name, kind := range map[string]canon.Kind{"TaskStart": canon.SubagentStart, "TaskComplete": canon.SubagentStop, "TaskError": canon.SubagentStop, "PreToolUse": canon.ToolBefore} {
		got := hosttest.Decode(t, Host(), name, payload)
		if got.Event != kind || got.SubagentID != "a2" || got.SessionID != "root" {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestEncode(t *testing.T) {
	deny := canon.Decision{Action: canon.Deny, Reason: "no <rm>", Context: "not said"}
	for _, tc := range []struct {
		event string
		d     canon.Decision
		want  string
	}{
		{"PreToolUse", canon.Decision{Action: canon.Allow}, ""},
		{"PreToolUse", deny, `{"cancel":true,"errorMessage":"no <rm>"}`},
		{"PreToolUse", canon.Decision{Input: []byte(`{"commands":["ls"]}`), Context: "know"}, `{"overrideInput":{"commands":["ls"]},"contextModification":"know"}`},
		{"PostToolUse", canon.Decision{Context: "know"}, `{"contextModification":"know"}`},
		{"PostToolUse", deny, `{"contextModification":"not said"}`},
		{"TaskStart", deny, ""},
		{"UserPromptSubmit", deny, ""},
		{"NeverHeardOf", deny, ""},
	} {
		ev, _ := Host().Event(tc.event)
		said, _ := Host().Express(ev, tc.d)
		reply := Host().Encode(ev, said)
		if got := strings.TrimSuffix(string(reply.Stdout), "\n"); got != tc.want || reply.Exit != 0 || reply.Stderr != nil {
			t.Errorf("%s %+v: %q, want %q", tc.event, tc.d, got, tc.want)
		}
	}
	before, _ := Host().Event("PreToolUse")
	if said, _ := Host().Express(before, canon.Decision{Action: canon.Ask, Reason: "sure?"}); said.Action != canon.Deny || !strings.HasPrefix(said.Reason, "sure? (needs") {
		t.Errorf("ask became %+v", said)
	}
}
