// Package mockgemini plays the model behind the Gemini CLI: an HTTP server on a loopback port that answers
// generateContent, streamGenerateContent and countTokens from a scripted scenario and keeps what it was asked.
// The integration tests use it; it imports only the standard library.
package mockgemini

// Scenario is what the model says, one turn per call of the model.
// When a conversation has more turns than the scenario, the last one repeats.
type Scenario []Turn

// Turn is one answer of the model, sent as one server-sent event per chunk.
type Turn struct {
	Chunks [][]Part
}

// Part is one piece of an answer, in the API's own form. Exactly one of Text and Call is set.
type Part struct {
	Text    string `json:"text,omitempty"`
	Thought bool   `json:"thought,omitempty"`
	Call    *Call  `json:"functionCall,omitempty"`
}

// Call asks the agent to run a tool. An empty ID is left out, as the real API does for most models.
type Call struct {
	ID   string         `json:"id,omitempty"`
	Name string         `json:"name"`
	Args map[string]any `json:"args"`
}

// Say is a turn of one chunk.
func Say(parts ...Part) Turn { return Turn{Chunks: [][]Part{parts}} }

// Stream is a turn of several chunks, in their order.
func Stream(chunks ...[]Part) Turn { return Turn{Chunks: chunks} }

// Text is text that the user sees.
func Text(s string) Part { return Part{Text: s} }

// Thought is text of the model's reasoning.
func Thought(s string) Part { return Part{Text: s, Thought: true} }

// Tool is a call of a tool.
func Tool(name string, args map[string]any) Part { return Part{Call: &Call{Name: name, Args: args}} }

// Shell is a call of run_shell_command.
func Shell(command string) Part {
	return Tool("run_shell_command", map[string]any{"command": command})
}
