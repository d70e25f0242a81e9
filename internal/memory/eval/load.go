// Package eval measures how well what was said is found again: turns are written into a store, questions are asked of it, and what
// comes back is held against the turns that answer them. It has a generated corpus of its own, and takes any other.
package eval

import (
	"context"
	"fmt"
	"time"

	"github.com/boathook/boathook/internal/memory"
)

// agent is whose sessions those of a corpus are.
const agent = "eval"

// batch is how many turns are written in one transaction.
const batch = 100

// place is where a turn stands. Stores give messages ids of their own, but keep their times.
type place struct {
	session string
	micros  int64
}

func placeOf(session string, at time.Time) place { return place{session, at.UnixMicro()} }

// Loaded is a corpus that is in a store.
type Loaded struct {
	Turns    int
	Sessions int
	places   map[string]place
	projects map[string]string // of sessions
	texts    map[string][]string
	last     time.Time
}

// Load writes a corpus to a store. Progress, which may be nil, is told how many of the turns are written. With an error of the store
// what was written until then is known to Remove.
func Load(ctx context.Context, store memory.Store, turns []Turn, progress func(done, of int)) (*Loaded, error) {
	l := &Loaded{places: map[string]place{}, projects: map[string]string{}, texts: map[string][]string{}}
	last := map[string]time.Time{}
	for from := 0; from < len(turns); from += batch {
		part := turns[from:min(len(turns), from+batch)]
		b := memory.Batch{}
		for _, t := range part {
			id := memory.SessionID(agent, t.Session)
			if p, known := l.projects[id]; known && p != t.Project {
				return l, fmt.Errorf("load turn %s: its session %s is of project %s and of %s", t.ID, t.Session, p, t.Project)
			}
			at := after(last[id], t.TS)
			last[id], l.projects[id] = at, t.Project
			if at.After(l.last) {
				l.last = at
			}
			l.places[t.ID] = placeOf(id, at)
			l.texts[t.Project] = append(l.texts[t.Project], t.Text)
			b.Messages = append(b.Messages, memory.Message{
				Session: id, Role: role(t.Role), Time: at, Text: t.Text, Source: memory.FromImport, Origin: t.ID,
			})
			b.Sessions = append(b.Sessions, memory.Session{ID: id, Project: t.Project, Agent: agent, Started: at, Active: at, Ended: at})
		}
		b.Sessions = firstAndLast(b.Sessions)
		if _, err := store.Write(ctx, b); err != nil {
			return l, fmt.Errorf("load turns: %w", err)
		}
		if progress != nil {
			progress(from+len(part), len(turns))
		}
	}
	l.Turns, l.Sessions = len(turns), len(l.projects)
	return l, nil
}

// after is a turn's time, moved behind the one before it where it isn't: a time is what a turn is recognised by.
func after(last, at time.Time) time.Time {
	if at.IsZero() {
		at = time.Unix(1_700_000_000, 0)
	}
	at = at.UTC().Truncate(time.Microsecond)
	if !at.After(last) {
		at = last.Add(time.Microsecond)
	}
	return at
}

func role(r string) string {
	if r == "" {
		return memory.RoleUser
	}
	return r
}

// firstAndLast leaves one row for each session, from its first to its last turn.
func firstAndLast(all []memory.Session) []memory.Session {
	at := map[string]int{}
	var out []memory.Session
	for _, s := range all {
		n, ok := at[s.ID]
		if !ok {
			at[s.ID] = len(out)
			out = append(out, s)
			continue
		}
		out[n].Active, out[n].Ended = s.Active, s.Ended
	}
	return out
}
