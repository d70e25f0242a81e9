package policy

import (
	"encoding/json"
	"time"
)

// Command is one command that a call may run.
type Command struct {
	// Argv has U+FFFC for what only a run would tell.
	Argv []string `json:"argv"`
	// Op is empty for a program that is run; else inline code does this itself (delete, write), and Argv are its operands.
	Op      string `json:"op,omitempty"`
	Dynamic bool   `json:"dynamic,omitempty"`
	// Via is how it was reached, outermost first: "wrapper sudo", "substitution".
	Via   []string `json:"via,omitempty"`
	Dir   string   `json:"dir,omitempty"`
	Maybe bool     `json:"maybe,omitempty"`
	// Words are the bytes of each argument in Call.Text, {0,0} where it does not stand there; Span those of the command.
	Words [][2]int `json:"-"`
	Span  [2]int   `json:"-"`
}

// Call is a tool call as it is judged.
type Call struct {
	Agent string `json:"agent,omitempty"`
	// Event is the canonical kind, Tool the canonical name, HostTool the agent's own.
	Event    string `json:"event,omitempty"`
	Tool     string `json:"tool,omitempty"`
	HostTool string `json:"host_tool,omitempty"`
	CWD      string `json:"cwd,omitempty"`
	Project  string `json:"project,omitempty"`
	// Home is what ~ stands for in patterns.
	Home string `json:"home,omitempty"`
	// Fold says that the machine's file systems do not tell a from A.
	Fold bool `json:"fold,omitempty"`
	// Time is when the call is made. Without it no rule has expired, and no allow that could have counts.
	Time time.Time `json:"time,omitzero"`
	// Text is the command line that was read.
	Text     string    `json:"text,omitempty"`
	Commands []Command `json:"commands,omitempty"`
	Effects  []Effect  `json:"effects,omitempty"`
	// Paths are absolute, URLs as the tool was given them; both also from commands' effects.
	Paths []string `json:"paths,omitempty"`
	URLs  []string `json:"urls,omitempty"`
	// MCP is "server/tool".
	MCP  string          `json:"mcp,omitempty"`
	Args json.RawMessage `json:"args,omitempty"`
}
