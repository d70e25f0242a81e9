package intake

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/host/registry"
	"github.com/boathook/boathook/internal/lenient"
	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/redact"
)

var update = flag.Bool("update", false, "write the golden files anew")

var begin = time.Date(2026, 11, 30, 9, 27, 44, 0, time.UTC)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// made is the n-th record: what the hook would keep of a payload.
func made(t testing.TB, n int, agent, event string, payload []byte) *record.Record {
	t.Helper()
	h, ok := registry.Lookup(agent)
	if !ok {
		t.Fatalf("no agent %s", agent)
	}
	ev, ok := h.Event(event)
	if !ok {
		t.Fatalf("%s has no event %s", agent, event)
	}
	r := &record.Record{
		V: record.Version, Event: h.Decode(ev, lenient.Parse(payload).Value, host.Env{}),
		Decision: record.Decision{Action: canon.Allow, Expressed: canon.Allow, Source: "default"},
	}
	r.ID, r.Time = fmt.Sprintf("event-%03d", n), begin.Add(time.Duration(n)*time.Second)
	return r
}

// recordings are all payloads that were recorded of an agent, by their names.
func recordings(t testing.TB, agent string) (names []string, payloads map[string][]byte) {
	t.Helper()
	payloads = map[string][]byte{}
	root := filepath.Join("..", "..", "host", agent, "testdata")
	must(t, filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Contains(path, ".golden.") || strings.Contains(path, "/others/") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		switch filepath.Ext(path) {
		case ".json":
			payloads[rel] = text
		case ".jsonl":
			n := 0
			for line := range bytes.Lines(text) {
				n++
				payloads[fmt.Sprintf("%s:%02d", rel, n)] = line
			}
		}
		return nil
	}))
	for name := range payloads {
		names = append(names, name)
	}
	slices.Sort(names)
	return names, payloads
}

// TestRecordings: what each recorded payload of every agent tells, as a person reads it; -update writes it anew.
func TestRecordings(t *testing.T) {
	in := New(Options{Mask: new(redact.Redactor)})
	for _, h := range registry.Hosts() {
		t.Run(h.ID, func(t *testing.T) {
			names, payloads := recordings(t, h.ID)
			var got bytes.Buffer
			for n, name := range names {
				event := eventOf(h, filepath.Base(name))
				if event == "" {
					continue // another agent's payload, or a transcript
				}
				r := made(t, n, h.ID, event, payloads[name])
				var b memory.Batch
				in.Add(&b, Told{Record: r})
				fmt.Fprintf(&got, "%s\n%s", name, shown(t, b))
			}
			golden(t, h.ID, got.Bytes())
		})
	}
}

// eventOf is the event that a recording is named after: the longest that its name begins with.
func eventOf(h *host.Host, name string) (event string) {
	for _, e := range h.Events {
		if strings.HasPrefix(name, e.Name+".") && len(e.Name) > len(event) {
			event = e.Name
		}
	}
	return event
}

// shown is a batch without what is the same in each.
func shown(t testing.TB, b memory.Batch) string {
	t.Helper()
	var out strings.Builder
	line := func(kind string, v any, drop ...string) {
		text, err := json.Marshal(v)
		must(t, err)
		var m map[string]any
		must(t, json.Unmarshal(text, &m))
		for _, key := range append(drop, "time", "source", "origin", "active") {
			delete(m, key)
		}
		var one bytes.Buffer
		e := json.NewEncoder(&one)
		e.SetEscapeHTML(false)
		must(t, e.Encode(m))
		fmt.Fprintf(&out, "\t%s %s", kind, one.String())
	}
	for _, s := range b.Sessions {
		line("session", s, "agent")
	}
	for _, m := range b.Messages {
		line("message", m, "session")
	}
	for _, c := range b.ToolCalls {
		line("call", c, "session")
	}
	return out.String()
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		must(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	must(t, err)
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("(-want +got; -update writes it anew):\n%s", diff)
	}
}
