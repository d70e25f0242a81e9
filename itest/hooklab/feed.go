package hooklab

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"time"

	"github.com/boathook/boathook/itest/otelcol"
)

// turnEvents are the events of one turn of Gemini CLI, with what their payloads have beside the session. Each holds the text
// where the agent would have it.
func turnEvents(text string) [][2]string {
	q := strconv.Quote(text)
	call := `"tool_name":"run_shell_command","tool_input":{"command":"echo same","description":` + q + `}`
	return [][2]string{
		{"BeforeAgent", `"prompt":` + q},
		{"BeforeTool", call},
		{"AfterTool", call + `,"tool_response":{"llmContent":` + q + `}`},
		{"AfterAgent", `"prompt":"please do","prompt_response":` + q},
	}
}

// Feed puts turns into a lab's spool, each of a session of its own, in records as a hook makes them. It is for one goroutine.
type Feed struct {
	lab    *Lab
	events []Template
	first  time.Time
	n      int

	// Prompts has the id of each session's first event, Spans the id of every span that has to come of all this.
	Prompts map[string]string
	Spans   map[string]bool
}

// SpansEach is how many spans come of one turn: its events, its tool call, and itself.
const SpansEach = 6

// NewFeed has hooks make the patterns of the records, with a text (of plain letters) as prompt, argument, result and answer.
// No worker may be running.
func (l *Lab) NewFeed(text string) *Feed {
	l.tb.Helper()
	release := l.Hold()
	events := turnEvents(text)
	for _, e := range events {
		l.Hook("gemini", e[0], `{"session_id":"pattern",`+e[1]+`}`)
	}
	f := &Feed{
		lab: l, events: l.Take(), first: time.Now().Add(-time.Minute),
		Prompts: map[string]string{}, Spans: map[string]bool{},
	}
	release()
	if len(f.events) != len(events) {
		l.tb.Fatal(fmt.Errorf("%d records of %d hooks", len(f.events), len(events)))
	}
	return f
}

// Turns spools so many turns, event by event of all of them, so that the sessions come in turns.
func (f *Feed) Turns(sessions int) {
	f.lab.tb.Helper()
	from := len(f.Prompts)
	ids := make([]string, sessions)
	for e := range f.events {
		for i := range sessions {
			session := fmt.Sprintf("session-%d", from+i)
			id, span := f.put(e, session)
			f.Spans[span] = true
			switch e {
			case 0:
				f.Prompts[session] = id
				f.Spans[otelcol.TurnOf(id)] = true
			case 1:
				ids[i] = id
			case 2:
				f.Spans[otelcol.CallOf(ids[i])] = true
			}
		}
	}
}

// put spools one record. Its ids and its time follow from how many there were.
func (f *Feed) put(event int, session string) (id, span string) {
	f.lab.tb.Helper()
	at := f.first.Add(time.Duration(f.n) * time.Millisecond)
	id = ULID(at, f.n)
	sum := sha256.Sum256([]byte(id))
	span = hex.EncodeToString(sum[:8])
	f.n++
	raw := map[string]any{}
	if old, ok := f.events[event]["raw"].(map[string]any); ok {
		for k, v := range old {
			raw[k] = v
		}
	}
	raw["session_id"] = session
	f.lab.Put(f.events[event], map[string]any{
		"id": id, "time": at.UTC().Format(time.RFC3339Nano), "session_id": session, "span_id": span, "raw": raw,
	})
	return id, span
}
