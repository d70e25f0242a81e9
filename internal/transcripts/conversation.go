package transcripts

import (
	"context"
	"encoding/json"
	"time"
)

// The roles of messages. Gemini's own records have gemini, info, error and warning beside them.
const (
	roleUser      = "user"
	roleAssistant = "assistant"
	roleSystem    = "system"
)

// How a call ended. What nobody told has no status.
const (
	statusSuccess = "success"
	statusError   = "error"
	statusBlocked = "blocked"
)

// Message is one thing that was said in a session.
type Message struct {
	// ID is the agent's own, the same in each reading.
	ID   string
	Role string
	// Text is what was said, without what the agent put around it; Content the message as it stands in the record.
	Text    string
	Content json.RawMessage
	// Model and the tokens are the answer's. A message in several lines has its tokens in the first alone.
	Model                 string
	Input, Output, Tokens int64
	// Generated says what put a text there that no person and no model wrote: context, command, reminder, summary, subagent,
	// instructions, hook. It is empty for what was said.
	Generated string
}

// Use is a tool call with what came of it.
type Use struct {
	Call
	// Status is success, error or blocked, as far as the record shows it.
	Status string
	// Result is the result as it stands in the record, Output as text, Error the agent's error text.
	Result        json.RawMessage
	Output, Error string
	Duration      time.Duration
}

// Item is one thing in a session's record: Message or Use.
type Item struct {
	// Session is the agent's id of it. A subagent's items are those of its parent's session, as the hooks tell it; Subagent
	// names it then.
	Session, Subagent string
	CWD               string
	Time              time.Time
	Message           *Message
	Use               *Use
}

// Told is what was found in a record beside its items.
type Told struct {
	// Items counts them. Skipped are lines that could not be read, Unknown those of a kind that this version does not know.
	Items, Skipped, Unknown int
}

// talk reads the conversation in one file.
type talk func(ctx context.Context, f File, each func(Item) error) (Told, error)

// Conversation calls each for each message and tool call, in the order in which they began, and stops with its error. A call comes
// with its result. Nothing is read whole into memory; what stands in a line of more than 16 MiB is passed over and counted, and
// so is a torn last line. The same file gives the same items with the same ids.
func (f File) Conversation(ctx context.Context, each func(Item) error) (Told, error) {
	n := 0
	told, err := f.talk(ctx, f, func(it Item) error {
		if it.Use != nil {
			it.Use.Agent = f.Agent
			it.Use.Session = it.Session
			it.Use.CWD = it.CWD
			it.Use.Time = it.Time
		}
		n++
		return each(it)
	})
	told.Items = n
	return told, err
}

// At is the record of an agent in a file that a hook named. It is not looked at yet; false is an agent whose records are not known,
// or a file that is no such record by its name.
func At(agent, path string) (File, bool) {
	for _, s := range sources() {
		if s.agent == agent && s.named(path) {
			return File{Agent: agent, Path: path, read: s.read, talk: s.talk}, true
		}
	}
	return File{}, false
}
