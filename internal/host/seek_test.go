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
		{"a shell's words", `{"command":["bash","-lc","rm -rf x; ls"]}`, "bash -lc 'rm -rf x; ls'\nbash -lc rm -rf x; ls"},
		{"words with a blank", `{"command":["rm","-rf","a b"]}`, "rm -rf 'a b'\nrm -rf a b"},
		{"lines where words should be", `{"command":["cd x","rm y"]}`, "cd x\nrm y\ncd x rm y"},
		{"in another case", `{"Command":"rm x"}`, "rm x"},
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

// TestCommandsOfShells: an agent's own shell is given a text; in whatever else it gets what runs is found.
func TestCommandsOfShells(t *testing.T) {
	for input, want := range map[string]string{
		`{"command":"rm x","description":"ls"}`:       "rm x",
		`{"command":["bash","-lc","rm -rf x"]}`:       "bash -lc 'rm -rf x'",
		`{"command":["sudo","bash","-c","rm -rf x"]}`: "sudo bash -c 'rm -rf x'\nsudo bash -c rm -rf x",
		`{"command":["rm","-rf","~"]}`:                "rm -rf ~",
		`{"command":["echo hi","rm -rf x"]}`:          "echo hi\nrm -rf x",
		`{"command":[["bash","-c","rm x"],["ls"]]}`:   "bash -c 'rm x'\nls",
		`{"command":{"cmd":"rm x"}}`:                  "rm x",
		`{"command":[{"command":"rm","args":["x"]}]}`: "rm x",
		`["bash","-lc","rm -rf x"]`:                   "bash -lc 'rm -rf x'",
		`"{\"command\":[\"bash\",\"-c\",\"rm x\"]}"`:  "bash -c 'rm x'",
		`{"COMMAND":"rm x"}`:                          "rm x",
		`{"script":{"cmd":"rm x"}}`:                   "rm x",
		`{}`:                                          "",
	} {
		in := lenient.Parse([]byte(`{"in":` + input + `}`)).Value.Members().Get("in")
		if got := NewTool([]Tool{{Kind: "shell"}}, []lenient.Value{in}, Args{Command: []string{"command"}}); got.Command != want {
			t.Errorf("%s: %q, want %q", input, got.Command, want)
		}
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
