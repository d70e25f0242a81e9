package correlate

import (
	"slices"

	"github.com/boathook/boathook/hook"
	"github.com/boathook/boathook/internal/record"
)

// call is a Before whose After may come.
type call struct {
	ID     string `json:"id"`
	CallID string `json:"call_id,omitempty"`
	Tool   string `json:"tool,omitempty"`
	Hash   string `json:"hash,omitempty"`
	// Doubt says that an equal call was open at the same time and one of them has ended.
	Doubt bool `json:"doubt,omitempty"`
}

// maxCalls bounds what one session remembers.
const maxCalls = 1024

func isAfter(r *record.Record) bool {
	return r.Event.Event == hook.ToolAfter || r.Event.Event == hook.ToolError
}

func (s *Session) pair(r *record.Record, p *Place) {
	switch {
	case r.Event.Event == hook.ToolBefore && r.Tool != nil:
		p.Pairing = s.before(r)
	case isAfter(r):
		p.Pairing, p.Before = s.after(r)
	}
}

func (s *Session) before(r *record.Record) Pairing {
	if r.Decision.Expressed == hook.Deny {
		return Blocked
	}
	c := call{ID: r.ID, CallID: r.CallID, Tool: r.Tool.HostName, Hash: r.Tool.InputHash}
	if c.CallID != "" {
		s.Calls = slices.DeleteFunc(s.Calls, func(o call) bool { return o.CallID == c.CallID })
	}
	s.Calls = append(s.Calls, c)
	if over := len(s.Calls) - maxCalls; over > 0 {
		s.Calls = slices.Delete(s.Calls, 0, over)
		if s.Turn != nil {
			s.Turn.add(Unmatched, over)
		}
	}
	return Open
}

// after finds the call that ended. Without a call id only a single open call of the same tool and input is proof; where
// several are open one of them has ended, and from then on none of them can be told from the others.
func (s *Session) after(r *record.Record) (Pairing, string) {
	if r.CallID != "" {
		if i := slices.IndexFunc(s.Calls, func(c call) bool { return c.CallID == r.CallID }); i >= 0 {
			id := s.Calls[i].ID
			s.Calls = slices.Delete(s.Calls, i, i+1)
			return Exact, id
		}
	}
	if r.Tool == nil || r.Tool.InputHash == "" {
		return Unmatched, ""
	}
	var equal []int
	for i, c := range s.Calls {
		if c.Tool == r.Tool.HostName && c.Hash == r.Tool.InputHash && (c.CallID == "" || r.CallID == "") {
			equal = append(equal, i)
		}
	}
	if len(equal) == 0 {
		return Unmatched, ""
	}
	first := s.Calls[equal[0]]
	for _, i := range equal {
		s.Calls[i].Doubt = true
	}
	s.Calls = slices.Delete(s.Calls, equal[0], equal[0]+1)
	if len(equal) > 1 || first.Doubt {
		return Ambiguous, ""
	}
	return Unique, first.ID
}
