package otlp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/host/registry"
	"github.com/boathook/boathook/internal/lenient"
	wire "github.com/boathook/boathook/internal/otlp"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/store"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// begin is when the n-th event of a test is n seconds later than.
var begin = time.Date(2026, 11, 30, 9, 27, 44, 0, time.UTC)

// id makes the n-th of a row of ids that sort like n.
func id(n int) string {
	var u ulid.ULID
	_ = u.SetTime(uint64(begin.UnixMilli() + int64(n)*1000))
	u[15] = byte(n)
	return u.String()
}

// made is the n-th record: what the hook would keep of this payload.
func made(t testing.TB, n int, agent, event, payload string, change ...func(*record.Record)) record.Record {
	t.Helper()
	h, ok := registry.Lookup(agent)
	if !ok {
		t.Fatalf("no agent %s", agent)
	}
	ev, _ := h.Event(event)
	r := record.Record{
		V:        record.Version,
		Event:    h.Decode(ev, lenient.Parse([]byte(payload)).Value, host.Env{}),
		Decision: record.Decision{Action: canon.Allow, Expressed: canon.Allow, Source: "default"},
		Hook:     record.Hook{Version: "1.2.3", LatencyMS: 2.5, PayloadBytes: len(payload)},
	}
	r.ID, r.Time, r.SpanID = id(n), begin.Add(time.Duration(n)*time.Second), fmt.Sprintf("%016x", n+1)
	if r.Tool != nil {
		r.Tool.InputHash = fmt.Sprintf("hash of %s", r.Tool.Input)
	}
	for _, f := range change {
		f(&r)
	}
	return r
}

// encoded is a record as the hook writes it.
func encoded(t testing.TB, r record.Record) []byte {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	must(t, e.Encode(r))
	return b.Bytes()
}

// stored is what the store gives back of a record.
func stored(t testing.TB, r record.Record) record.Record {
	t.Helper()
	back, err := record.Parse(encoded(t, r))
	must(t, err)
	return back
}

// recording reads a payload that was recorded from the real program.
func recording(t testing.TB, agent, name string) string {
	t.Helper()
	version := map[string]string{"gemini": "0.61.0", "antigravity": "agy-1.1.26", "claude": "2.1.332"}[agent]
	b, err := os.ReadFile(filepath.Join("..", "..", "host", agent, "testdata", version, name+".json"))
	must(t, err)
	return string(b)
}

// recorded is the n-th record, of a recorded payload: the event's name is the file's, up to the first dot.
func recorded(t testing.TB, n int, agent, name string, change ...func(*record.Record)) record.Record {
	t.Helper()
	event, _, _ := strings.Cut(name, ".")
	return made(t, n, agent, event, recording(t, agent, name), change...)
}

func denied(r *record.Record) {
	r.Decision = record.Decision{Action: canon.Deny, Expressed: canon.Deny, Source: "remote_guard", Rule: "no-echo", Reason: "echo is loud"}
	r.Guard = &record.Guard{Outcome: "deny", Reason: "echo is loud", Rule: "no-echo", DurationMS: 7.25}
}

// inStore is a store that holds these records, in their order.
func inStore(t testing.TB, records ...record.Record) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), store.FileName))
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	insert(t, s, records...)
	return s
}

func insert(t testing.TB, s *store.Store, records ...record.Record) {
	t.Helper()
	rows := make([]store.Row, 0, len(records))
	for _, r := range records {
		rows = append(rows, store.Row{Record: r, JSON: encoded(t, r)})
	}
	_, err := s.Insert(t.Context(), rows)
	must(t, err)
}

// spansIn are all spans of what a store holds.
func spansIn(t testing.TB, s *store.Store, c Config) []wire.Span {
	t.Helper()
	var out []wire.Span
	for _, it := range New(c).load(t.Context(), s, position{}).items {
		if it.span != nil {
			out = append(out, *it.span)
		}
	}
	return out
}

func both(content bool) Config { return Config{EventSpans: true, GenAISpans: true, Content: content} }

// attr gives an attribute's value, nil without it. A key that comes twice is a fault.
func attr(t testing.TB, list []wire.Attr, key string) any {
	t.Helper()
	var found any
	for _, a := range list {
		if a.Key == key {
			if found != nil {
				t.Errorf("%s comes twice", key)
			}
			found = a.Value
		}
	}
	return found
}

// pick gives the attributes of these keys.
func pick(t testing.TB, s wire.Span, keys ...string) map[string]any {
	t.Helper()
	out := map[string]any{}
	for _, key := range keys {
		if v := attr(t, s.Attrs, key); v != nil {
			out[key] = v
		}
	}
	return out
}

func named(t testing.TB, spans []wire.Span, name string) wire.Span {
	t.Helper()
	for _, s := range spans {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("no span %q", name)
	return wire.Span{}
}

// show is a span for people.
func show(s wire.Span) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n  trace %x span %x parent %x flags %x state %q\n", s.Name, s.TraceID, s.SpanID, s.ParentID, s.Flags, s.TraceState)
	fmt.Fprintf(&b, "  kind %d start %d for %d status %d %q\n", s.Kind, s.Start, s.End-s.Start, s.Status, s.Message)
	showAttrs(&b, "  ", s.Attrs)
	for _, e := range s.Events {
		fmt.Fprintf(&b, "  event %s at %d\n", e.Name, e.Time)
		showAttrs(&b, "    ", e.Attrs)
	}
	return b.String()
}

func showAttrs(b *strings.Builder, indent string, list []wire.Attr) {
	for _, a := range list {
		if text, ok := a.Value.(string); ok {
			fmt.Fprintf(b, "%s%s = %q\n", indent, a.Key, text)
			continue
		}
		fmt.Fprintf(b, "%s%s = %T %v\n", indent, a.Key, a.Value, a.Value)
	}
}
