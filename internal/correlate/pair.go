package correlate

import (
	"slices"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/record"
)

// call is a Before whose After may come.
type call struct {
	ID     string `json:"id"`
	CallID string `json:"call_id,omitempty"`
	Tool   string `json:"tool,omitempty"`
	Hash   string `json:"hash,omitempty"`
	// Subagent is whose call it is, where it is not the agent's own.
	Subagent string `json:"subagent,omitempty"`
	// Counted says that a turn which ended has counted it as unmatched: it is still open, as a subagent's may be for many turns.
	Counted bool `json:"counted,omitempty"`
	// Doubt says that an equal call was open at the same time and one of them has ended.
	Doubt bool `json:"doubt,omitempty"`
}

// maxCalls bounds what one session remembers.
const maxCalls = 1024

func isAfter(r *record.Record) bool {
	return r.Event.Event == canon.ToolAfter || r.Event.Event == canon.ToolError
}

func (s *Session) pair(r *record.Record, p *Place) {
	switch {
	case r.Event.Event == canon.ToolBefore && r.Tool != nil:
		p.Pairing = s.before(r)
	case isAfter(r):
		p.Pairing, p.Before = s.after(r)
	}
}

func (s *Session) before(r *record.Record) Pairing {
	if r.Decision.Expressed == canon.Deny {
		return Blocked
	}
	c := call{ID: r.ID, CallID: r.CallID, Tool: r.Tool.HostName, Hash: r.Tool.InputHash, Subagent: r.SubagentID}
	s.Calls = append(s.Calls, c)
	if len(s.Calls) > maxCalls {
		s.forgetOldest()
	}
	return Open
}

// forgetOldest leaves the calls that its After might be taken for in doubt.
func (s *Session) forgetOldest() {
	old := s.Calls[0]
	s.Calls = slices.Delete(s.Calls, 0, 1)
	for i, c := range s.Calls {
		if c.Tool == old.Tool && c.Hash == old.Hash {
			s.Calls[i].Doubt = true
		}
	}
	if s.Turn != nil && !old.Counted {
		s.Turn.add(Unmatched, 1)
	}
}

// after finds the call that ended. Only a single open call is proof: of one call id, and where there is none, of one tool
// and input. Where several are open one of them has ended, and from then on none of them can be told from the others.
func (s *Session) after(r *record.Record) (Pairing, string) {
	if r.CallID != "" {
		if same := s.candidates(func(c call) bool { return c.CallID == r.CallID }); len(same) > 0 {
			return s.take(same, Exact)
		}
	}
	if r.Tool == nil || r.Tool.InputHash == "" {
		return Unmatched, ""
	}
	equal := s.candidates(func(c call) bool {
		return c.Tool == r.Tool.HostName && c.Hash == r.Tool.InputHash && (c.CallID == "" || r.CallID == "")
	})
	return s.take(equal, Unique)
}

// candidates are the indices of the open calls that may be the one.
func (s *Session) candidates(is func(call) bool) (at []int) {
	for i, c := range s.Calls {
		if is(c) {
			at = append(at, i)
		}
	}
	return at
}

// take ends the first of those found, with that proof if it is the only one.
func (s *Session) take(found []int, proof Pairing) (Pairing, string) {
	if len(found) == 0 {
		return Unmatched, ""
	}
	first := s.Calls[found[0]]
	for _, i := range found {
		s.Calls[i].Doubt = true
	}
	s.Calls = slices.Delete(s.Calls, found[0], found[0]+1)
	if len(found) > 1 || first.Doubt {
		return Ambiguous, ""
	}
	return proof, first.ID
}
