package schema

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/host/registry"
	"github.com/boathook/boathook/internal/lenient"
	"github.com/boathook/boathook/internal/record"
)

// payload is one recorded hook payload.
type payload struct {
	Agent, Event string
	Payload      json.RawMessage
}

func TestDecodedEventsAreValid(t *testing.T) {
	events, records := load(t, "event"), load(t, "record")
	all := append(recorded(t), sessions(t)...)
	if len(all) < 150 {
		t.Fatalf("only %d payloads found", len(all))
	}
	for _, p := range all {
		h, _ := registry.Lookup(p.Agent)
		row, _ := h.Event(p.Event)
		value := lenient.Parse(p.Payload).Value
		ev := h.Decode(row, value, host.Env{Dir: "/work"})
		ev.ID, ev.SpanID, ev.Time = "01JNEXAMP0E000000000000000", "0123456789abcdef", time.Unix(1, 0).UTC()
		report(t, p, events.check(events.root, generic(t, ev), "event"))
		report(t, p, records.check(records.root, generic(t, filled(ev)), "record"))
	}
}

// filled is a record with every field set.
func filled(ev canon.Event) record.Record {
	return record.Record{
		V: record.Version, Event: ev,
		Decision: record.Decision{Action: canon.Ask, Expressed: canon.Deny, Reason: "r", Rule: "r", Source: "remote_guard", Mark: "review"},
		Policy: &record.Policy{
			Digest: "d", Action: "deny", Rule: "r", Pack: "p", Layer: "built-in", Shadow: true, Unsure: []string{"code"}, Problems: []string{"p"},
			Effects:   []record.Effect{{Kind: "delete", Verb: "v", Target: "/", Where: "root", Flags: []string{"recursive"}}},
			Hits:      []record.Hit{{Rule: "r", Pack: "p", Layer: "built-in", Action: "deny", Shadow: true, Relieved: "a", Effect: 0}},
			Rewritten: true, AllowedOnce: true, Loop: 5, TookMS: 1,
		},
		Guard:     &record.Guard{Outcome: "status_503", Fail: "open", Reason: "r", Rule: "r", DurationMS: 1.5},
		UserHooks: []record.UserHook{{Name: "h", Outcome: "timeout", Fail: "closed", Reason: "r", Rewrote: true, Added: true, DurationMS: 1}},
		Hook:      record.Hook{Version: "v1", LatencyMS: 2, PayloadBytes: 3, AgentLabel: "agy", Redactions: map[string]int{"jwt": 1}, Privacy: "minimal"},
		Notes:     []string{"n"},
	}
}

func TestTheValidatorFindsFaults(t *testing.T) {
	v := load(t, "record")
	good := filled(canon.Event{ID: "01JNEXAMP0E000000000000000", SpanID: "0123456789abcdef", Agent: "gemini", Event: canon.Other})
	tests := []struct {
		name  string
		spoil func(node)
	}{
		{"unknown kind", func(n node) { n["event"] = "tool:befor" }},
		{"bad id", func(n node) { n["id"] = "x" }},
		{"missing decision", func(n node) { delete(n, "decision") }},
		{"wrong type below", func(n node) { n["guard"].(node)["duration_ms"] = "fast" }},
		{"wrong map value", func(n node) { n["hook"].(node)["redactions"] = node{"jwt": "one"} }},
		{"wrong version", func(n node) { n["v"] = 2.0 }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc := generic(t, good).(node)
			if faults := v.check(v.root, doc, "record"); faults != nil {
				t.Fatal(faults)
			}
			tt.spoil(doc)
			if v.check(v.root, doc, "record") == nil {
				t.Error("the fault went unseen")
			}
		})
	}
}

func report(t *testing.T, p payload, faults []string) {
	t.Helper()
	for _, f := range faults {
		t.Errorf("%s %s: %s", p.Agent, p.Event, f)
	}
}

func generic(t *testing.T, v any) any {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(b, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// recorded are the hosts' own test payloads, named <event>[.<variant>].json, in a folder for each version.
func recorded(t *testing.T) []payload {
	t.Helper()
	files, err := filepath.Glob("../host/*/testdata/*/*.json")
	if err != nil {
		t.Fatal(err)
	}
	var out []payload
	for _, f := range files {
		if strings.HasSuffix(f, ".golden.json") {
			continue
		}
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		event, _, _ := strings.Cut(filepath.Base(f), ".")
		out = append(out, payload{filepath.Base(filepath.Dir(filepath.Dir(filepath.Dir(f)))), event, b})
	}
	return out
}

// sessions are those that `boathook try` plays.
func sessions(t *testing.T) []payload {
	t.Helper()
	var out []payload
	for _, agent := range []string{"gemini", "antigravity"} {
		b, err := os.ReadFile("../trial/sessions/" + agent + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		for lines := bufio.NewScanner(bytes.NewReader(b)); lines.Scan(); {
			var p payload
			if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
				t.Fatal(err)
			}
			out = append(out, p)
		}
	}
	return out
}
