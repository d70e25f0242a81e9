package agentlab

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// Record is a line of `boathook log --json`, as far as the tests look at it. It is written out here, rather than shared
// with the product, since these names are what users' scripts depend on.
type Record struct {
	ID             string `json:"id"`
	Time           string `json:"time"`
	Agent          string `json:"agent"`
	Event          string `json:"event"`
	HostEvent      string `json:"host_event"`
	SessionID      string `json:"session_id"`
	CWD            string `json:"cwd"`
	Project        string `json:"project"`
	TranscriptPath string `json:"transcript_path"`
	Tool           *Tool  `json:"tool"`
	Prompt         string `json:"prompt"`
	Response       string `json:"response"`
	Source         string `json:"source"`
	Reason         string `json:"reason"`
	SpanID         string `json:"span_id"`
	Notification   *struct {
		Type    string          `json:"type"`
		Message string          `json:"message"`
		Details json.RawMessage `json:"details"`
	} `json:"notification"`
	Raw      map[string]json.RawMessage `json:"raw"`
	Decision struct {
		Action    string `json:"action"`
		Expressed string `json:"expressed"`
		Reason    string `json:"reason"`
		Rule      string `json:"rule"`
		Source    string `json:"source"`
		Mark      string `json:"mark"`
	} `json:"decision"`
	Guard *struct {
		Outcome     string `json:"outcome"`
		MatchedRule string `json:"matched_rule"`
		Reason      string `json:"reason"`
	} `json:"guard"`
	Hook struct {
		Version      string  `json:"version"`
		LatencyMS    float64 `json:"latency_ms"`
		PayloadBytes int     `json:"payload_bytes"`
	} `json:"hook"`
	Notes []string `json:"notes"`
}

// Tool is the tool call of a record.
type Tool struct {
	Name     string          `json:"name"`
	HostName string          `json:"host_name"`
	Kind     string          `json:"kind"`
	Input    json.RawMessage `json:"input"`
	Output   json.RawMessage `json:"output"`
	Error    string          `json:"error"`
	Status   string          `json:"status"`
	Command  string          `json:"command"`
	Paths    []string        `json:"paths"`
	MCP      *MCP            `json:"mcp"`
}

// MCP names the server and the tool behind a call.
type MCP struct {
	Server string `json:"server"`
	Tool   string `json:"tool"`
}

// filesChanged is what the worker says of files that others than boathook changed, as tests do between sessions.
const filesChanged = "FilesChanged"

// Log is what `boathook log --json` prints now of the agent's events.
func (l *Lab) Log(tb testing.TB, env ...string) []Record {
	tb.Helper()
	r := l.Boathook(tb, env, "log", "--json")
	if r.Code != 0 {
		tb.Fatalf("boathook log --json: exit code %d\n%s", r.Code, r.Stderr)
	}
	var records []Record
	for line := range strings.Lines(r.Stdout) {
		var rec Record
		if err := json.Unmarshal([]byte(line), &rec); err != nil {
			tb.Fatalf("boathook log --json: %v in %q", err, line)
		}
		if rec.HostEvent != filesChanged {
			records = append(records, rec)
		}
	}
	return records
}

// WaitLog waits until the log has the end of a session, for the events of one run are stored after its end.
func (l *Lab) WaitLog(tb testing.TB, env ...string) []Record {
	tb.Helper()
	return l.WaitFor(tb, "the end of a session", func(records []Record) bool {
		return len(Select(records, "SessionEnd")) > 0
	}, env...)
}

// WaitFor waits until the log is as wanted.
func (l *Lab) WaitFor(tb testing.TB, what string, done func([]Record) bool, env ...string) []Record {
	tb.Helper()
	deadline := time.Now().Add(time.Minute)
	for {
		records := l.Log(tb, env...)
		if done(records) {
			return records
		}
		if time.Now().After(deadline) {
			tb.Fatalf("boathook log --json never showed %s; it has %d records: %q", what, len(records), HostEvents(records))
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// Select picks the records of one of the host's events, in their order.
func Select(records []Record, hostEvent string) []Record {
	var out []Record
	for _, r := range records {
		if r.HostEvent == hostEvent {
			out = append(out, r)
		}
	}
	return out
}

// HostEvents are the host's names of the records' events.
func HostEvents(records []Record) []string {
	var names []string
	for _, r := range records {
		names = append(names, r.HostEvent)
	}
	return names
}
