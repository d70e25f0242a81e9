package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/correlate"
	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/store"
)

// state is what the cursor keeps: the sessions that are to be finished, by hashes of their keys. It names them by events of theirs alone: who
// forgets a session forgets those, and nothing here tells of it then.
type state struct {
	V        int                 `json:"v"`
	Sessions map[string]*session `json:"sessions,omitempty"`
	// Failed is when the store of memory failed last, since it took something.
	Failed int64 `json:"failed,omitempty"`
}

// session is one that is to be finished. Times are nanoseconds since 1970.
type session struct {
	// Event is the last one that says where the agent keeps its record, else the last one.
	Event  string `json:"event"`
	Active int64  `json:"active"`
	Ended  int64  `json:"ended,omitempty"`
	// Open are the calls whose end has not been told.
	Open []openCall `json:"open,omitempty"`
}

// failed is Failed as a time.
func (s *state) failed() time.Time { return time.Unix(0, s.Failed) }

// last is when anything of it was told last.
func (of *session) last() time.Time { return time.Unix(0, max(of.Active, of.Ended)).UTC() }

// openCall is the event that began a call, and the beginning of its input's hash.
type openCall struct {
	ID   string `json:"id"`
	Hash string `json:"hash,omitempty"`
}

// What one cursor keeps at most. Beyond it the session that was active longest ago is finished at once, and the call that was open longest is
// forgotten.
const (
	maxSessions = 200
	maxOpen     = 64
	hashed      = 12
)

// settle is how long after its end a session is finished: its agent may still be writing.
const settle = 2 * time.Second

func readState(text []byte) *state {
	s := &state{}
	if json.Unmarshal(text, s) != nil || s.V > 1 {
		s = &state{}
	}
	if s.Sessions == nil {
		s.Sessions = map[string]*session{}
	}
	for key, of := range s.Sessions {
		if of == nil {
			delete(s.Sessions, key)
		}
	}
	return s
}

// encode never gives nothing: an empty state is that of a cursor which nobody has used.
func (s *state) encode() []byte {
	s.V = 1
	text, err := json.Marshal(s)
	if err != nil { // texts and numbers always marshal
		return []byte("{}")
	}
	return text
}

// hashOf is short, and as good as unique.
func hashOf(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:8])
}

// note remembers what an event means for the end of its session.
func (s *state) note(p *store.Placed) {
	r := &p.Record
	if r.SessionID == "" {
		return
	}
	key := hashOf(memory.SessionID(r.Agent, r.SessionID))
	of := s.Sessions[key]
	if of == nil {
		of = &session{Event: r.ID}
		s.Sessions[key] = of
	}
	at := r.Time.UnixNano()
	of.Active = max(of.Active, at)
	if r.TranscriptPath != "" && r.SubagentID == "" {
		of.Event = r.ID
	}
	switch {
	case r.SubagentID != "" && r.Event.Event == canon.SessionStop:
	case r.Event.Event == canon.SessionStop:
		of.Ended = max(of.Ended, at)
	case at > of.Ended:
		of.Ended = 0 // it goes on
	}
	of.calls(r, p.Place)
}

// calls keeps what is open. Which of several equal calls has ended can't be known, nor need it be.
func (of *session) calls(r *record.Record, place correlate.Place) {
	if r.Tool == nil && place.Before == "" {
		return
	}
	hash := ""
	if r.Tool != nil {
		hash = r.Tool.InputHash[:min(len(r.Tool.InputHash), hashed)]
	}
	switch r.Event.Event {
	case canon.ToolBefore:
		if r.Decision.Expressed == canon.Deny {
			return
		}
		of.Open = append(of.Open, openCall{r.ID, hash})
		if len(of.Open) > maxOpen {
			of.Open = slices.Delete(of.Open, 0, len(of.Open)-maxOpen)
		}
	case canon.ToolAfter, canon.ToolError:
		at := slices.IndexFunc(of.Open, func(c openCall) bool { return c.ID == place.Before })
		if at < 0 && hash != "" {
			at = slices.IndexFunc(of.Open, func(c openCall) bool { return c.Hash == hash })
		}
		if at >= 0 {
			of.Open = slices.Delete(of.Open, at, at+1)
		}
	}
}

// due are the sessions that can be finished, those first that were active longest ago, and when the next one that has ended can be. At
// once says that nothing is waited for that has ended.
func (s *state) due(now time.Time, idle time.Duration, atOnce bool) (keys []string, next time.Time) {
	for key, of := range s.Sessions {
		since := now.Sub(time.Unix(0, of.Active))
		switch {
		case of.Ended > 0 && (atOnce || now.Sub(time.Unix(0, of.Ended)) >= settle || since < 0):
			keys = append(keys, key)
		case of.Ended > 0:
			if at := time.Unix(0, of.Ended).Add(settle); next.IsZero() || at.Before(next) {
				next = at
			}
		case since >= idle:
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, s.older)
	return keys, next
}

// over are the sessions that there is no room for.
func (s *state) over() []string {
	if len(s.Sessions) <= maxSessions {
		return nil
	}
	keys := make([]string, 0, len(s.Sessions))
	for key := range s.Sessions {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, s.older)
	return keys[:len(keys)-maxSessions]
}

func (s *state) older(a, b string) int {
	if x, y := s.Sessions[a].Active, s.Sessions[b].Active; x != y {
		if x < y {
			return -1
		}
		return 1
	}
	return strings.Compare(a, b)
}
