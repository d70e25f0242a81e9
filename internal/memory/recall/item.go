package recall

import (
	"strings"
	"time"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/inert"
	"github.com/boathook/boathook/internal/memory/rank"
)

// The headings, in the words of the long-term memory design.
var headings = [...]string{"Relevant Past Incidents", "Previously Successful Commands", "Known Failure Patterns"}

const (
	incident = iota
	worked
	broke
)

// Item is one thing that a model may be told.
type Item struct {
	// ID is that of the message or the call, or "session:" and a session's.
	ID      string
	heading int
	agent   string
	session string
	outcome string
	at      time.Time
	command string
	what    string // asked, answered, …
	text    string
}

// How many bytes of an item's parts are told.
const (
	maxText    = 420
	maxError   = 240
	maxCommand = 400
	maxOfMore  = 2 // commands of one session beside what was found
)

// maker makes items of what was found, masked and harmless.
type maker struct {
	q     Request
	asked map[string]bool
	found *Found
	seen  map[string]bool // ids, and the texts of items
	told  int             // what the session knows already
}

// add takes an item that is not there yet, and that the session was not told.
func (m *maker) add(it Item) bool {
	same := strings.Join([]string{headings[it.heading], it.what, it.command, it.text}, "\x00")
	if it.command == "" && it.text == "" || m.seen[it.ID] || m.seen[same] {
		return false
	}
	m.seen[it.ID] = true
	if m.q.Told != nil && m.q.Told(it.ID) {
		m.told++
		return false
	}
	m.seen[same] = true
	m.found.items = append(m.found.items, it)
	return true
}

// clean is a text as it may be told. It is masked once more at the end: what was hidden between the characters of a secret is gone then.
func (m *maker) clean(text string, most int) string {
	if m.q.Mask != nil {
		text = m.q.Mask(text)
	}
	line, dropped := inert.Line(Strip(text), most)
	m.found.Recall.Dropped += dropped
	if m.q.Mask != nil && line != "" {
		line, _ = inert.Line(m.q.Mask(line), most)
	}
	return line
}

// fromHits makes items of what was found, the best first.
func (m *maker) fromHits(items []rank.Item) {
	for i := range items {
		h := &items[i].Hit
		it := Item{ID: h.Message, heading: incident, agent: h.Agent, session: h.Session, outcome: h.Outcome, at: h.Time}
		if h.Call == "" {
			it.what = said(h.Role)
			it.text = m.clean(excerpt(h.Text, m.asked, maxText), maxText)
			m.add(it)
			continue
		}
		it.ID, it.outcome = h.Call, h.Status
		rest := output(h.Text, h.Tool, h.Command)
		switch {
		case h.Status == memory.StatusError || h.Status == memory.StatusBlocked:
			it.heading, it.what = broke, "failed"
			if h.Status == memory.StatusBlocked {
				it.what = "was blocked"
			}
			it.command = m.command(h.Command, h.Tool)
			it.text = m.clean(excerpt(rest, m.asked, maxError), maxError)
		case h.Status == memory.StatusSuccess && h.Command != "":
			it.heading, it.command = worked, m.command(h.Command, h.Tool)
		default:
			it.what, it.text = h.Tool, m.clean(excerpt(rest, m.asked, maxText), maxText)
		}
		if h.Command != "" && it.command == "" {
			continue // what of it could be told was an instruction
		}
		m.add(it)
	}
}

// command is a command line as it may be told; that of a tool that has none is the tool's name.
func (m *maker) command(line, tool string) string {
	if line == "" {
		return m.clean(tool, maxCommand)
	}
	return m.clean(line, maxCommand)
}

// output is a call's text without the name and the command line that it begins with.
func output(text, tool, command string) string {
	text = strings.TrimPrefix(text, tool+"\n")
	if rest, ok := strings.CutPrefix(text, "$ "); ok && command != "" {
		if after, ok := strings.CutPrefix(rest, command); ok {
			return after
		}
		if _, after, ok := strings.Cut(rest, "\n"); ok {
			return after
		}
		return ""
	}
	return text
}

func said(role string) string {
	switch role {
	case memory.RoleUser:
		return "asked"
	case memory.RoleAssistant, memory.RoleGemini:
		return "answered"
	}
	return "noted"
}

// fromSessions adds what the sessions of the best items were about, and the commands with which they went on after what was found.
func (m *maker) fromSessions(all []more) {
	for _, one := range all {
		if one.session.ID != "" && one.session.Summary != "" {
			s := one.session
			m.add(Item{
				ID: "session:" + s.ID, heading: incident, agent: s.Agent, session: s.ID, outcome: s.Outcome, at: s.Started, what: "summary",
				text: m.clean(s.Summary, maxText),
			})
		}
		m.fromEntries(one.entries)
	}
}

// fromEntries takes the last successful commands of a session's next rows, up to where somebody asks for something else.
func (m *maker) fromEntries(entries []memory.Entry) {
	var commands []Item
	prompts := 0
	for _, e := range entries {
		if e.Message != nil && e.Message.Role == memory.RoleUser {
			if prompts++; prompts > 1 && len(commands) > 0 {
				break
			}
		}
		c := e.Call
		if c == nil || c.Status != memory.StatusSuccess || c.Command == "" {
			continue
		}
		commands = append(commands, Item{
			ID: c.ID, heading: worked, agent: e.Agent, session: c.Session, outcome: c.Status, at: c.Time, command: c.Command,
		})
	}
	for i, n := len(commands)-1, 0; i >= 0 && n < maxOfMore; i-- {
		it := commands[i]
		if m.seen[it.ID] {
			continue
		}
		if it.command = m.command(it.command, ""); m.add(it) {
			n++
		}
	}
}
