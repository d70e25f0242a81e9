package host

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/lenient"
)

// TestCommandsOfStrangers: what a tool that is no agent's own may run is shown, wherever its arguments have it.
func TestCommandsOfStrangers(t *testing.T) {
	for _, tc := range []struct{ name, input, want string }{
		{"at the top", `{"command":"rm x"}`, "rm x"},
		{"by another name", `{"cmd":"rm x","note":"ls"}`, "rm x"},
		{"by the agent's name", `{"run":"rm x"}`, "rm x"},
		{"with arguments", `{"command":"rm","args":["-rf",7]}`, "rm -rf 7"},
		{"words", `{"command":["rm","-rf","x"]}`, "rm -rf x"},
		{"several", `{"commands":["rm x","ls"]}`, "rm x\nls"},
		{"several programs", `{"commands":[{"command":"rm","args":["x"]},{"cmd":"ls"}]}`, "rm x\nls"},
		{"within", `{"tool_calls":[{"tool":"bash","parameters":{"command":"rm x"}},{"parameters":{"command":"ls"}}]}`, "rm x\nls"},
		{"as JSON texts", `{"arguments":"{\"params\":\"{\\\"command\\\":\\\"rm x\\\"}\"}"}`, "rm x"},
		{"an object as a text", `"{\"a\":{\"command\":\"rm x\"}}"`, "rm x"},
		{"a text alone", `"rm x"`, "rm x"},
		{"a test that begins as a list does", `{"command":"[ -f x ] && rm x"}`, "[ -f x ] && rm x"},
		{"every duplicate", `{"a":{"command":"rm x","command":"ls"},"a":{"command":"id"}}`, "rm x\nls\nid"},
		{"no text", `{"command":{"a":"rm x"}}`, `{"a":"rm x"}`},
		{"nested too deep", strings.Repeat(`{"a":`, 2*seekDepth) + `{"command":"rm x"}` + strings.Repeat("}", 2*seekDepth), "rm x"},
		{"behind too much", `{"a":[` + strings.Repeat("1,", seekSteps) + `1],"b":{"command":"rm x"}}`, "rm x"},
		{"nothing", `{"description":"rm x"}`, ""},
	} {
		for _, kind := range []string{"mcp", "other"} {
			got := NewTool([]Tool{{Kind: kind}}, []lenient.Value{lenient.Parse([]byte(`{"in":` + tc.input + `}`)).Value.Members().Get("in")}, Args{Command: []string{"run"}})
			if got.Command != tc.want {
				t.Errorf("%s, %s: %q, want %q", tc.name, kind, got.Command, tc.want)
			}
		}
	}
	if got := NewTool([]Tool{{Kind: "write"}}, []lenient.Value{lenient.Parse([]byte(`{"command":"x"}`)).Value}, Args{Command: []string{"command"}}); got.Command != "" {
		t.Errorf("an agent's own tool that runs nothing has %q", got.Command)
	}
}

// TestPatches: their files are read alike in whatever argument an agent has them.
func TestPatches(t *testing.T) {
	const patch = `"*** Begin Patch\n*** Add File: a b\n+*** Add File: no\n*** Move to: c\n"`
	for input, want := range map[string][]string{
		patch: {"a b", "c"}, `{"input":` + patch + `}`: {"a b", "c"}, `{"patch":` + patch + `}`: {"a b", "c"}, `{"patchText":` + patch + `,"path":"p"}`: {"p", "a b", "c"},
		`{"content":` + patch + `,"path":"p"}`: {"p"}, `"*** Add File: a"`: nil,
	} {
		got := NewTool([]Tool{{Kind: "write"}}, []lenient.Value{lenient.Parse([]byte(`{"in":` + input + `}`)).Value.Members().Get("in")}, Args{Paths: []string{"path"}})
		if diff := cmp.Diff(want, got.Paths); diff != "" {
			t.Errorf("%s: %s", input, diff)
		}
	}
}
