package correlate

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/record"
)

// id makes the n-th of a row of ids that sort like n.
func id(n int) string {
	var u ulid.ULID
	_ = u.SetTime(uint64(1_700_000_000_000 + n))
	return u.String()
}

var kinds = map[string]canon.Kind{
	"start": canon.SessionStart, "end": canon.SessionStop, "prompt": canon.PromptSubmit, "stop": canon.AgentStop,
	"before": canon.ToolBefore, "after": canon.ToolAfter, "error": canon.ToolError, "model": canon.ModelBefore, "answer": canon.ModelAfter,
	"batch": canon.ToolBatch, "asked": canon.PermissionRequest, "begun": canon.SubagentStart, "returned": canon.SubagentStop,
	"goes-on": canon.Notified, "Interrupt": canon.AgentStop, "StopFailure": canon.AgentStop,
}

// line makes the n-th event, n seconds after the first, of a line such as
//
//	s1 before bash:ls id=3 deny
//
// the session ("-" for none; a session that begins with "agy" is Antigravity's, one with "cline" Cline's), what happens, the tool and its input
// ("null" for a call that isn't named), and what else is said of it. sub= is the subagent that the event happens in, and
// goes-on is a continuation.
func line(t testing.TB, n int, text string) record.Record {
	t.Helper()
	words := strings.Fields(text)
	r := record.Record{V: record.Version, Event: canon.Event{
		ID: id(n), Time: time.Unix(int64(1_700_000_000+n), 0).UTC(), Agent: "gemini", Event: kinds[words[1]], HostEvent: words[1],
		SessionID: strings.TrimPrefix(words[0], "-"), CWD: "/one/directory",
	}}
	if r.Event.Event == "" {
		t.Fatalf("no such event: %s", text)
	}
	if strings.HasPrefix(words[0], "agy") {
		r.Agent = "antigravity"
	}
	if strings.HasPrefix(words[0], "cline") {
		r.Agent = "cline"
	}
	if words[1] == "goes-on" {
		r.Source = "continuation"
	}
	for _, word := range words[2:] {
		key, value, said := strings.Cut(word, "=")
		switch {
		case key == "deny":
			r.Decision.Expressed = canon.Deny
		case key == "failed":
			r.Tool.Status = "error"
		case key == "sub":
			r.SubagentID = value
		case key == "id":
			r.CallID = value
		case key == "parent":
			r.TraceParent = value
		case key == "source":
			r.Source = value
		case key == "reason":
			r.Reason = value
		case key == "null":
		case said:
			t.Fatalf("what is %s?", word)
		default:
			tool, input, _ := strings.Cut(word, ":")
			r.Tool = &canon.Tool{Name: tool, HostName: tool, InputHash: input}
		}
	}
	return r
}

// world keeps sessions as the store does.
type world struct {
	sessions map[string][]byte
	turns    []*Turn
}

// next places an event; the session is read from its JSON and written back.
func (w *world) next(t testing.TB, r *record.Record) Place {
	t.Helper()
	key := Key(r)
	if key == "" {
		return Alone(r)
	}
	s := w.read(t, key)
	p, turn := s.Next(r)
	w.write(t, key, s, turn)
	return p
}

func (w *world) sweep(t testing.TB, limit time.Time) {
	t.Helper()
	for _, key := range slices.Sorted(maps.Keys(w.sessions)) {
		s := w.read(t, key)
		w.write(t, key, s, s.Sweep(limit))
	}
}

func (w *world) read(t testing.TB, key string) *Session {
	t.Helper()
	s := &Session{}
	if text := w.sessions[key]; text != nil {
		if err := json.Unmarshal(text, s); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func (w *world) write(t testing.TB, key string, s *Session, turn *Turn) {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	if w.sessions == nil {
		w.sessions = map[string][]byte{}
	}
	w.sessions[key] = text
	if turn != nil {
		w.turns = append(w.turns, turn)
	}
}

// names gives ids and traces back as numbers of lines.
type names map[string]string

func namesOf(n int) names {
	out := names{"": "-"}
	for i := range n {
		out[id(i)], out[TraceID(id(i))] = strconv.Itoa(i), strconv.Itoa(i)
	}
	return out
}

func (ns names) of(text string) string {
	if n, ok := ns[text]; ok {
		return n
	}
	return text
}

// place is the trace, the turn and, of a tool event, what is known of its other half.
func (ns names) place(p Place) string {
	out := ns.of(p.TraceID) + " " + ns.of(p.TurnID)
	if p.ParentID != "" {
		out += " <" + p.ParentID
	}
	if p.Pairing != "" {
		out += " " + string(p.Pairing)
	}
	if p.Before != "" {
		out += " " + ns.of(p.Before)
	}
	return out
}

// turn is its first event, its last, how it ended, and its counts.
func (ns names) turn(u *Turn) string {
	out := fmt.Sprintf("%s-%s %s events=%d", ns.of(u.ID), ns.of(u.Last), u.Outcome, u.Events)
	for _, p := range slices.Sorted(maps.Keys(u.Calls)) {
		out += fmt.Sprintf(" %s=%d", p, u.Calls[p])
	}
	if u.Failed > 0 {
		out += fmt.Sprintf(" failed=%d", u.Failed)
	}
	return out
}
