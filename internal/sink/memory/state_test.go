package memory

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// FuzzState: whatever a cursor has, it is read as a state that can be used, and written as what is read again.
func FuzzState(f *testing.F) {
	f.Add(`{"v":1,"sessions":{"a":{"event":"e","active":5,"ended":6,"open":[{"id":"x","hash":"y"}]}}}`)
	f.Add(`{"sessions":{"a":null}}`)
	f.Add(`{"v":2,"sessions":{"a":{}}}`)
	f.Add("null")
	f.Fuzz(func(t *testing.T, text string) {
		s := readState([]byte(text))
		due, _ := s.due(begin, time.Minute, true)
		for _, key := range append(due, s.over()...) {
			if s.Sessions[key] == nil {
				t.Errorf("no session %s", key)
			}
		}
		once := s.encode()
		if diff := cmp.Diff(string(once), string(readState(once).encode())); diff != "" || len(once) == 0 {
			t.Errorf("%s: %s", text, diff)
		}
	})
}
