package canon

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// Command is the command line that the event is about: that of a shell tool, or what the arguments of one that is not known have
// for one. It is empty where there is none.
func (e *Event) Command() string {
	if e.Tool == nil {
		return ""
	}
	return e.Tool.Command
}

// IsTool tells whether the event is about one of these tools, by canonical name or the agent's own.
func (e *Event) IsTool(names ...string) bool {
	for _, name := range names {
		if e.Tool != nil && (e.Tool.Name == name || e.Tool.HostName == name) {
			return true
		}
	}
	return false
}

// DecodeInput decodes the tool's input into v, as json.Unmarshal does. Names of members are the agent's own.
func (e *Event) DecodeInput(v any) error {
	if e.Tool == nil || len(e.Tool.Input) == 0 {
		return errors.New("decode the input: the event has no tool input")
	}
	if err := json.Unmarshal(e.Tool.Input, v); err != nil {
		return fmt.Errorf("decode the input of %s: %w", e.Tool.HostName, err)
	}
	return nil
}

// RewriteCommand has the shell tool run another command line, its other arguments as they are. Where the input has no one
// command line that could be set, it is a deny that tells the model the line to run.
func (e *Event) RewriteCommand(command string) Decision {
	input, ok := e.withCommand(command)
	if !ok {
		return Decision{Action: Deny, Reason: "run this instead: " + command}
	}
	return Decision{Input: input}
}

// withCommand finds the one argument that is the command line.
func (e *Event) withCommand(command string) (json.RawMessage, bool) {
	var input map[string]json.RawMessage
	if e.Command() == "" || e.DecodeInput(&input) != nil {
		return nil, false
	}
	var found []string
	for name, raw := range input {
		var text string
		if json.Unmarshal(raw, &text) == nil && text == e.Tool.Command {
			found = append(found, name)
		}
	}
	for _, name := range []string{"command", "cmd", "CommandLine"} {
		if slices.Contains(found, name) {
			found = []string{name}
		}
	}
	if len(found) != 1 {
		return nil, false
	}
	input[found[0]] = plain(command)
	return plain(input), true
}

// plain is JSON without escapes for markup. What is given here always marshals.
func plain(v any) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v)
	return bytes.TrimSpace(b.Bytes())
}
