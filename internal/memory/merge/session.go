package merge

import (
	"strings"
	"time"

	"github.com/boathook/boathook/internal/memory"
)

// SessionRow is a session as it is stored.
type SessionRow struct {
	memory.Session
	// SummaryAt and OutcomeAt are when what they say was so: a later telling wins.
	SummaryAt, OutcomeAt time.Time
	// CoveredUntil is up to when a transcript has told all.
	CoveredUntil time.Time
	Anonymous    bool
}

// Stub is the row of a session that only its messages have told of.
func Stub(id string) SessionRow {
	agent, _ := memory.SplitSessionID(id)
	return SessionRow{Session: memory.Session{ID: id, Agent: agent}}
}

// Session adds what was told of a session to its row. The order of what is told does not matter, and neither does how often.
func Session(row SessionRow, s memory.Session) SessionRow {
	at := s.Active
	if s.Ended.After(at) {
		at = s.Ended
	}
	row.Agent = joinString(row.Agent, s.Agent)
	row.Project, row.Root = first(row.Project, s.Project), first(row.Root, s.Root)
	row.Started = joinTime(row.Started, s.Started)
	if s.Ended.After(row.Ended) {
		row.Ended = s.Ended
	}
	row = Active(row, at)
	row.Summary, row.SummaryAt = later(row.Summary, row.SummaryAt, s.Summary, at)
	row.Outcome, row.OutcomeAt = later(row.Outcome, row.OutcomeAt, s.Outcome, at)
	if row.Anonymous {
		row.Root, row.Summary = "", ""
	}
	return row
}

// Active says that something was told of a time in a session.
func Active(row SessionRow, at time.Time) SessionRow {
	if at.After(row.Active) {
		row.Active = at
	}
	return row
}

// Covered says up to when a transcript has told all of a session.
func Covered(row SessionRow, until time.Time) SessionRow {
	if until.After(row.CoveredUntil) {
		row.CoveredUntil = until
	}
	return row
}

// later keeps what was said last, and of two things of the same time the one that says more.
func later(a string, was time.Time, b string, at time.Time) (string, time.Time) {
	switch c := at.Compare(was); {
	case b == "" || a != "" && c < 0:
		return a, was
	case a != "" && c == 0:
		return joinString(a, b), at
	}
	return b, at
}

// first keeps what is known; of two places the one above the other, and of others the same in any order.
func first(a, b string) string {
	if a == "" || b != "" && strings.Compare(b, a) < 0 {
		return b
	}
	return a
}
