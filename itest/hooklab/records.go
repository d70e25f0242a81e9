package hooklab

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Record is a stored record, as far as these tests look at it: the names that users' scripts depend on.
type Record struct {
	ID        string    `json:"id"`
	Time      time.Time `json:"time"`
	Agent     string    `json:"agent"`
	Event     string    `json:"event"`
	HostEvent string    `json:"host_event"`
	SessionID string    `json:"session_id"`
	CallID    string    `json:"call_id"`
	SpanID    string    `json:"span_id"`
	Hook      struct {
		LatencyMS float64 `json:"latency_ms"`
	} `json:"hook"`
}

// Records are all that is stored, in the order of their insertion, through the command that a user has.
func (l *Lab) Records() []Record {
	l.tb.Helper()
	var all []Record
	for line := range strings.Lines(l.Must("log", "--json")) {
		var r Record
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			l.tb.Fatal(fmt.Errorf("boathook log --json: %w in %q", err, line))
		}
		all = append(all, r)
	}
	return all
}

// Template is what one hook recorded, to be recorded again under other names.
type Template map[string]any

// Take takes what waits in the spool, in its order; the spool is empty then.
func (l *Lab) Take() []Template {
	l.tb.Helper()
	files, err := filepath.Glob(filepath.Join(l.Data, "spool", "new", "*.json")) // sorted by name
	l.must(err)
	var all []Template
	for _, file := range files {
		b, err := os.ReadFile(file)
		l.must(err)
		var t Template
		l.must(json.Unmarshal(b, &t))
		l.must(os.Remove(file))
		all = append(all, t)
	}
	return all
}

// Put spools a record as the hook would, with other fields at its top level.
func (l *Lab) Put(t Template, fields map[string]any) {
	l.tb.Helper()
	out := make(map[string]any, len(t)+len(fields))
	for k, v := range t {
		out[k] = v
	}
	for k, v := range fields {
		out[k] = v
	}
	b, err := json.Marshal(out)
	l.must(err)
	name := fmt.Sprint(out["id"]) + ".json"
	tmp := filepath.Join(l.Data, "spool", "tmp", name)
	l.must(os.WriteFile(tmp, b, 0o600))
	l.must(os.Rename(tmp, filepath.Join(l.Data, "spool", "new", name)))
}

// ULID is an id of a time and a number, in the order of both.
func ULID(at time.Time, n int) string {
	const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	out := make([]byte, 26)
	ms, rest := uint64(at.UnixMilli()), uint64(n)
	for i := 9; i >= 0; i-- {
		out[i] = alphabet[ms&31]
		ms >>= 5
	}
	for i := 25; i >= 10; i-- {
		out[i] = alphabet[rest&31]
		rest >>= 5
	}
	return string(out)
}
