package forgotten

import (
	"time"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/merge"
)

// Filter takes out of a batch what was forgotten, and says how many messages and calls that were. The batch itself stays as it is. An
// error is of the disk: then nothing may be written.
func (b *Book) Filter(in memory.Batch) (out memory.Batch, dropped int, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.refresh(); err != nil || len(b.known) == 0 {
		return in, 0, err
	}
	clean, err := merge.Clean(in)
	if err != nil {
		return in, 0, nil //nolint:nilerr // a store refuses it for the same reason, and says so
	}
	left, gone := b.rows(in, clean, &out)
	for _, n := range gone {
		dropped += n
	}
	for i, s := range clean.Sessions {
		if !left[s.ID] && b.whole(s, gone[s.ID] > 0) {
			continue
		}
		kept := in.Sessions[i]
		if b.silent(s) {
			kept.Summary = ""
		}
		out.Sessions = append(out.Sessions, kept)
		left[s.ID] = true
	}
	for i, c := range clean.Covers {
		if left[c.Session] || len(clean.Sessions) == 0 {
			out.Covers = append(out.Covers, in.Covers[i])
		}
	}
	return out, dropped, nil
}

// rows keeps what is not forgotten; left are the sessions of which something is left, gone how many rows were taken of which.
func (b *Book) rows(in, clean memory.Batch, out *memory.Batch) (left map[string]bool, gone map[string]int) {
	left, gone = map[string]bool{}, map[string]int{}
	projects := map[string]string{}
	for _, s := range clean.Sessions {
		projects[s.ID] = s.Project
	}
	for i, m := range clean.Messages {
		if b.forgot(m.Session, projects[m.Session], merge.MessageGroup(m), m.Time) {
			gone[m.Session]++
			continue
		}
		left[m.Session] = true
		out.Messages = append(out.Messages, in.Messages[i])
	}
	for i, c := range clean.ToolCalls {
		if b.forgot(c.Session, projects[c.Session], merge.CallGroup(c), c.Time) {
			gone[c.Session]++
			continue
		}
		left[c.Session] = true
		out.ToolCalls = append(out.ToolCalls, in.ToolCalls[i])
	}
	return left, gone
}

// Forgot tells whether all of a session that was said at a time is forgotten.
func (b *Book) Forgot(session, project string, at time.Time) (bool, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.refresh(); err != nil || len(b.known) == 0 {
		return false, err
	}
	return b.forgot(session, project, "", at), nil
}

func (b *Book) forgot(session, project, group string, at time.Time) bool {
	return b.in(Session, session, at) || project != "" && b.in(Project, project, at) || b.in(All, "", at) ||
		group != "" && b.in(Row, group, at)
}

func (b *Book) in(kind, id string, at time.Time) bool {
	for _, s := range b.known[kind+b.hash(kind, id)] {
		if s.has(at) {
			return true
		}
	}
	return false
}

// whole tells whether a session without rows in a batch is forgotten: when it was told of last is.
func (b *Book) whole(s memory.Session, gone bool) bool {
	at := s.Active
	if s.Ended.After(at) {
		at = s.Ended
	}
	if at.IsZero() {
		return gone
	}
	return b.forgot(s.ID, s.Project, "", at)
}

// silent tells whether a session's summary may say what was forgotten: it is made of its first prompt, and of its end.
func (b *Book) silent(s memory.Session) bool {
	if len(b.known[Summary+b.hash(Summary, s.ID)]) > 0 {
		return true
	}
	return b.any(Session, s.ID) || s.Project != "" && b.within(Project, s.Project, s) || b.within(All, "", s)
}

func (b *Book) any(kind, id string) bool { return len(b.known[kind+b.hash(kind, id)]) > 0 }

func (b *Book) within(kind, id string, s memory.Session) bool {
	return b.in(kind, id, s.Started) || b.in(kind, id, s.Active)
}
