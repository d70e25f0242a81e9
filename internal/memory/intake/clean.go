package intake

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/private"
	"github.com/boathook/boathook/internal/redact"
)

// What one row may have, in bytes. What is longer keeps its beginning and its end, and says how much is gone.
const (
	maxText    = 64 << 10
	maxOutput  = 16 << 10
	maxJSON    = 64 << 10
	maxCommand = 16 << 10
	maxError   = 8 << 10
	maxPath    = 1 << 10
	maxPaths   = 64
	// maxString is what a text within JSON keeps once the whole is too long.
	maxString = 4 << 10
)

// Message is a message as it is kept; ok is false where nothing is left of it. What is in the user's place and not the user's gets its
// role here.
func (in *Intake) Message(agent string, m memory.Message) (kept memory.Message, ok bool) {
	m.Text = in.Strip(m.Text)
	if m.Role == memory.RoleUser {
		m.Role, m.Text = Said(m.Text)
	}
	m.Text = strings.TrimSpace(in.text(m.Text, true, maxText))
	m.Content = in.json(m.Content)
	if m.Text == "" || m.Text == private.Mark {
		return m, false
	}
	return m, true
}

// Call is a call as it is kept; ok is false where it touches what is excluded.
func (in *Intake) Call(c memory.ToolCall) (kept memory.ToolCall, ok bool) {
	if in.Excluded(c.Paths...) || in.namesExcluded(c.Command) {
		return c, false
	}
	c.Command = in.text(c.Command, true, maxCommand)
	c.Output = in.text(in.Strip(c.Output), true, maxOutput)
	c.Error = in.text(in.Strip(c.Error), true, maxError)
	c.Args, c.Result = in.json(c.Args), in.json(c.Result)
	paths := make([]string, 0, min(len(c.Paths), maxPaths))
	for _, p := range c.Paths[:min(len(c.Paths), maxPaths)] {
		paths = append(paths, in.text(p, strings.ContainsAny(p, " \t\n"), maxPath)) // what has blanks may be a command
	}
	c.Paths = paths
	if len(paths) == 0 {
		c.Paths = nil
	}
	return c, c.Tool != ""
}

// Summary is one line that may be kept.
func (in *Intake) Summary(text string) string {
	text = strings.Join(strings.Fields(in.text(in.Strip(text), true, maxText)), " ")
	return Cut(text, maxSummary)
}

const maxSummary = 600

// text is a text without private passages and secrets, of so many bytes at most. A secret must not be cut before it is masked.
func (in *Intake) text(s string, shell bool, most int) string {
	if s == "" {
		return ""
	}
	s = private.Text(strings.ToValidUTF8(s, "\uFFFD"))
	if in.Mask != nil {
		s = in.Mask.Text(s, shell, redact.Counts{})
	}
	return Cut(s, most)
}

// json is JSON of which the same holds; nil where it can't be read.
func (in *Intake) json(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	if !json.Valid(raw) {
		return nil
	}
	raw = private.JSON(private.EachText(raw, func(s string, _ bool) string { return in.Strip(s) }))
	if in.Mask != nil {
		raw = in.masked(raw)
	}
	if len(raw) > maxJSON {
		raw = private.EachText(raw, func(s string, _ bool) string { return Cut(s, maxString) })
	}
	if len(raw) > maxJSON {
		return whole(map[string]any{"cut": len(raw)})
	}
	return raw
}

// masked is JSON without secrets. All of it may be commands and program text, as in a payload what is called so: there a command line's
// password and KEY=value are looked for.
func (in *Intake) masked(raw json.RawMessage) json.RawMessage {
	const begin, end = `{"tool_input":`, `}`
	whole := in.Mask.JSON(json.RawMessage(begin+string(raw)+end), redact.Counts{})
	if inner, ok := bytes.CutPrefix(bytes.TrimSpace(whole), []byte(begin)); ok {
		if inner, ok = bytes.CutSuffix(inner, []byte(end)); ok && json.Valid(inner) {
			return inner
		}
	}
	return in.Mask.JSON(raw, redact.Counts{})
}
