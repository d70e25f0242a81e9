package correlate

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/record"
)

// FuzzSession: whatever is read as a session, its events are placed, and what is written can be read again.
func FuzzSession(f *testing.F) {
	f.Add(`{}`, "prompt", "ls")
	f.Add(`{"trace_id":"x","turn_id":"a","turn":{"id":"a","start":"2023-11-14T22:13:20Z"},"calls":[{"id":"b","hash":"ls"}],"last":"2023-11-14T22:13:20Z"}`, "after", "ls")
	f.Add(`{"calls":[{"id":"b","hash":"ls","doubt":true},{"call_id":"1"}]}`, "after", "ls")
	f.Add(`null`, "end", "")
	f.Fuzz(func(t *testing.T, text, kind, input string) {
		s := &Session{}
		if json.Unmarshal([]byte(text), s) != nil || !s.Valid() {
			return
		}
		r := &record.Record{Event: canon.Event{ID: id(1), Agent: "gemini", SessionID: "s", Event: kinds[kind], Time: time.Unix(1, 0)}}
		if input != "" {
			r.Tool = &canon.Tool{InputHash: input}
		}
		if p, _ := s.Next(r); p.TraceID == "" || p.Pairing.Proven() != (p.Before != "") && text == "{}" {
			t.Errorf("place %+v", p)
		}
		s.Sweep(time.Unix(1<<33, 0))
		again, err := json.Marshal(s)
		if err != nil {
			return // a year that JSON can't say
		}
		if err := json.Unmarshal(again, &Session{}); err != nil {
			t.Errorf("%s: %v", again, err)
		}
	})
}
