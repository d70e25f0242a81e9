package hook_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/boathook/boathook/hook"
)

// A whole hook: one function, the same on every agent.
func ExampleMain() {
	hook.Main(func(_ context.Context, e *hook.Event) hook.Decision {
		if strings.Contains(e.Command(), "push --force") {
			return hook.Deny("force pushes are made by people")
		}
		return hook.Allow()
	})
}

// Who embeds the protocols, in a server say, decodes and encodes without Main.
func ExampleDecode() {
	payload := `{"session_id":"s1","tool_name":"run_shell_command","tool_input":{"command":"git push --force"}}`
	e, err := hook.Decode("gemini", "BeforeTool", []byte(payload))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(e.Event, e.Tool.Name, e.Command())
	// Output: tool:before bash git push --force
}

func ExampleEncode() {
	stdout, _, exit, err := hook.Encode("gemini", "BeforeTool", hook.Deny("not on this machine"))
	fmt.Printf("%s%d %v\n", stdout, exit, err)
	// Output:
	// {"decision":"deny","reason":"not on this machine","systemMessage":"not on this machine"}
	// 0 <nil>
}

// The input of a tool has the agent's own names; a struct takes out what is wanted.
func ExampleEvent() {
	payload := `{"tool_name":"write_file","tool_input":{"file_path":"/w/.env","content":"x"}}`
	e, err := hook.Decode("gemini", "BeforeTool", []byte(payload))
	if err != nil {
		fmt.Println(err)
		return
	}
	var input struct {
		Path string `json:"file_path"`
	}
	fmt.Println(e.DecodeInput(&input), input.Path, e.Tool.Paths, e.IsTool("write_file"))
	// Output: <nil> /w/.env [/w/.env] true
}

// A rewrite replaces the whole input; of a shell tool RewriteCommand changes the command line alone.
func ExampleRewrite() {
	d := hook.Rewrite(map[string]any{"command": "npm install --ignore-scripts"}).WithContext("scripts are off here")
	fmt.Printf("%s %s\n", d.Input, d.Context)
	// Output: {"command":"npm install --ignore-scripts"} scripts are off here
}
