package merge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/boathook/boathook/internal/memory"
)

// Clean checks a batch and brings its items into the form in which they are compared and stored: no text has a byte that a database
// refuses, line ends are LF, white space at the end of lines and around a text is gone, JSON is in its canonical form, times are
// in UTC and within what a store can hold. The batch itself stays as it is. An error is memory.ErrPoison and names the item.
func Clean(b memory.Batch) (memory.Batch, error) {
	out := memory.Batch{
		Sessions: make([]memory.Session, len(b.Sessions)), Messages: make([]memory.Message, len(b.Messages)),
		ToolCalls: make([]memory.ToolCall, len(b.ToolCalls)), Covers: make([]memory.Cover, len(b.Covers)),
	}
	var err error
	for i, s := range b.Sessions {
		if out.Sessions[i], err = cleanSession(s); err != nil {
			return out, fmt.Errorf("session %d: %w", i, err)
		}
	}
	for i, m := range b.Messages {
		if out.Messages[i], err = cleanMessage(m); err != nil {
			return out, fmt.Errorf("message %d: %w", i, err)
		}
	}
	for i, c := range b.ToolCalls {
		if out.ToolCalls[i], err = cleanCall(c); err != nil {
			return out, fmt.Errorf("tool call %d: %w", i, err)
		}
	}
	for i, c := range b.Covers {
		if c.Session == "" {
			return out, fmt.Errorf("cover %d: %w: no session", i, memory.ErrPoison)
		}
		out.Covers[i] = memory.Cover{Session: word(c.Session), Until: Time(c.Until)}
	}
	return out, nil
}

func cleanSession(s memory.Session) (memory.Session, error) {
	if s.ID == "" || s.Agent == "" {
		return s, fmt.Errorf("%w: no id or no agent", memory.ErrPoison)
	}
	return memory.Session{
		ID: word(s.ID), Project: word(s.Project), Root: word(s.Root), Agent: word(s.Agent), Started: Time(s.Started), Ended: Time(s.Ended),
		Active: Time(s.Active), Summary: Text(s.Summary), Outcome: word(s.Outcome),
	}, nil
}

func cleanMessage(m memory.Message) (memory.Message, error) {
	if m.Session == "" || m.Role == "" || !source(m.Source) {
		return m, fmt.Errorf("%w: no session, no role or no source", memory.ErrPoison)
	}
	var err error
	if m.Content, err = Canonical(m.Content); err != nil {
		return m, err
	}
	m.ID, m.Session, m.Role, m.Model = "", word(m.Session), word(m.Role), word(m.Model)
	m.Time, m.Text = Time(m.Time), Text(m.Text)
	m.TokensInput, m.TokensOutput, m.TokensTotal = max(m.TokensInput, 0), max(m.TokensOutput, 0), max(m.TokensTotal, 0)
	m.Origin = origin(m.Origin, m.Time)
	return m, nil
}

func cleanCall(c memory.ToolCall) (memory.ToolCall, error) {
	if c.Session == "" || c.Tool == "" || !source(c.Source) {
		return c, fmt.Errorf("%w: no session, no tool or no source", memory.ErrPoison)
	}
	var err error
	if c.Args, err = Canonical(c.Args); err != nil {
		return c, err
	}
	if c.Result, err = Canonical(c.Result); err != nil {
		return c, err
	}
	paths := make([]string, 0, len(c.Paths))
	for _, p := range c.Paths {
		paths = append(paths, word(p))
	}
	if c.Paths = paths; len(paths) == 0 {
		c.Paths = nil
	}
	c.ID, c.Session, c.Message, c.CallID = "", word(c.Session), word(c.Message), word(c.CallID)
	c.Tool, c.HostTool, c.Kind, c.Status = word(c.Tool), word(c.HostTool), word(c.Kind), word(c.Status)
	c.Command, c.Output, c.Error = Text(c.Command), Text(c.Output), Text(c.Error)
	if !slices.Contains(statuses(), c.Status) {
		c.Status = "" // nobody told how it ended
	}
	c.Time, c.Duration = Time(c.Time), max(c.Duration, 0)
	c.Origin = origin(c.Origin, c.Time)
	return c, nil
}

func source(s memory.Source) bool {
	return s == memory.FromHook || s == memory.FromTranscript || s == memory.FromImport
}

// origin of an item without one is its time.
func origin(o string, at time.Time) string {
	if o != "" {
		return word(o)
	}
	return "at " + at.Format(time.RFC3339Nano)
}

// word is a string without what a database refuses. It is not trimmed: it may be a key.
func word(s string) string {
	if utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 {
		return s
	}
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

// Text is how a text is stored.
func Text(s string) string {
	s = word(s)
	if strings.IndexByte(s, '\r') >= 0 {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	if strings.Contains(s, " \n") || strings.Contains(s, "\t\n") {
		lines := strings.Split(s, "\n")
		for i, line := range lines {
			lines[i] = strings.TrimRight(line, " \t")
		}
		s = strings.Join(lines, "\n")
	}
	return strings.TrimSpace(s)
}

// What a store can hold, whatever an agent's clock says.
const (
	minYear = 1700
	maxYear = 2250
)

// Time is in UTC. One that no store can hold is not known.
func Time(t time.Time) time.Time {
	if t.IsZero() || t.Year() < minYear || t.Year() > maxYear {
		return time.Time{}
	}
	return t.UTC().Truncate(time.Microsecond)
}

// Canonical is a JSON value with sorted keys and without white space; nothing is nothing, and so is null.
func Canonical(raw json.RawMessage) (json.RawMessage, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil, nil
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, fmt.Errorf("%w: %w", memory.ErrPoison, err)
	}
	if dec.More() {
		return nil, fmt.Errorf("%w: more than one JSON value", memory.ErrPoison)
	}
	if v == nil {
		return nil, nil
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(noNUL(v)); err != nil {
		return nil, fmt.Errorf("%w: %w", memory.ErrPoison, err)
	}
	return bytes.TrimRight(out.Bytes(), "\n"), nil
}

// noNUL takes the one character out of strings that PostgreSQL has no place for.
func noNUL(v any) any {
	switch v := v.(type) {
	case string:
		return word(v)
	case []any:
		for i := range v {
			v[i] = noNUL(v[i])
		}
	case map[string]any:
		for key, value := range v {
			if clean := word(key); clean != key {
				delete(v, key)
				key = clean
			}
			v[key] = noNUL(value)
		}
	}
	return v
}
