// Package intake makes rows of memory out of what agents told: of stored hook events (Add), and of messages and calls that transcripts and
// imports tell of (Message, Call). What goes into a store has passed here: private passages and what memory itself had put into a prompt are
// taken out, secrets are masked once more, texts are bounded, and what the user has excluded is gone. It invents nothing: a call whose
// end shows no success has no status, a session whose beginning was not told has no start. It reads no disk and asks no store.
package intake

import (
	"time"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/redact"
)

// Options say what is kept.
type Options struct {
	// Mask masks what is kept once more; nil masks nothing (memory.redaction.enabled).
	Mask *redact.Redactor
	// Strip takes out of a text what memory had put into it; nil takes nothing.
	Strip func(string) string
	// Project finds the project that a session in a directory belongs to, and its root; root is what the hook took for it.
	Project func(dir, root string) (key, where string)
	// Exclude are globs of paths, and names of projects, of which nothing is stored; Home is what ~ stands for in them.
	Exclude []string
	Home    string
	// Outside tells whether nothing is stored of the project that a directory is in, as far as its id says; nil knows no ids.
	Outside func(dir string) bool
}

// Intake makes rows. It may be used concurrently if what its options have may.
type Intake struct{ Options }

// New makes an intake.
func New(o Options) *Intake {
	if o.Strip == nil {
		o.Strip = func(s string) string { return s }
	}
	if o.Project == nil {
		o.Project = func(dir, root string) (string, string) { return first(root, dir), first(root, dir) }
	}
	return &Intake{Options: o}
}

// Told is a stored event with what is known of its other half.
type Told struct {
	Record *record.Record
	// Before is the beginning of the call that the event ends, where that is proven.
	Before *record.Record
}

// Add adds what an event tells to a batch. It reports whether it told anything at all that may be kept: an event without a session, or of a
// place that is excluded, tells nothing.
func (in *Intake) Add(b *memory.Batch, t Told) bool {
	r := t.Record
	if r.SessionID == "" || r.Agent == "" {
		return false
	}
	s, ok := in.session(r)
	if !ok {
		return false
	}
	addSession(b, s)
	if m, ok := said(r); ok {
		m.Session = s.ID
		if m, ok = in.Message(r.Agent, m); ok {
			b.Messages = append(b.Messages, m)
		}
	}
	if c, ok := called(t); ok {
		c.Session = s.ID
		if c, ok = in.Call(c); ok {
			b.ToolCalls = append(b.ToolCalls, c)
		}
	}
	return true
}

// session is what an event tells of its session.
func (in *Intake) session(r *record.Record) (memory.Session, bool) {
	s := memory.Session{ID: memory.SessionID(r.Agent, r.SessionID), Agent: r.Agent, Active: r.Time}
	dir := first(r.CWD, r.Project)
	if dir != "" {
		s.Project, s.Root = in.Project(dir, r.Project)
	}
	if in.leavesOut(dir, s.Root, s.Project) {
		return s, false
	}
	switch {
	case r.SubagentID != "":
	case r.Event.Event == canon.SessionStart && begins(r.Source):
		s.Started = r.Time
	case r.Event.Event == canon.SessionStop:
		s.Ended = r.Time
	}
	return s, true
}

// begins tells whether what a start is told with is that of a session which wasn't there before.
func begins(source string) bool { return source != "resume" && source != "compact" }

// addSession adds what is told of a session to what the batch has of it.
func addSession(b *memory.Batch, s memory.Session) {
	for i := range b.Sessions {
		old := &b.Sessions[i]
		if old.ID != s.ID {
			continue
		}
		old.Active, old.Ended = latest(old.Active, s.Active), latest(old.Ended, s.Ended)
		if old.Started.IsZero() {
			old.Started = s.Started
		}
		if old.Project == "" {
			old.Project, old.Root = s.Project, s.Root
		}
		return
	}
	b.Sessions = append(b.Sessions, s)
}

func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

func first(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}
