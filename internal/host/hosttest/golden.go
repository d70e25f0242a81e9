package hosttest

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/host"
)

var update = flag.Bool("update", false, "write the golden files anew")

const goldenExt = ".golden.json"

// Golden decodes every recording of a folder and compares the event with <recording>.golden.json beside it, which -update
// writes anew. Raw and the tool's input are not in it: they must equal the payload's own.
func Golden(t *testing.T, h *host.Host, dir string) {
	t.Helper()
	for _, file := range list(t, dir) {
		t.Run(strings.TrimSuffix(strings.TrimPrefix(file, dir+"/"), ".json"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, strings.TrimSuffix(file, ".json")+goldenExt, encode(t, summary(t, h, event(h, file), text), "  "))
		})
	}
}

// GoldenLines is Golden for files that hold all the payloads of one event in a session, one a line: <Event>.jsonl, with
// <Event>.golden.jsonl beside it.
func GoldenLines(t *testing.T, h *host.Host, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	files = slices.DeleteFunc(files, func(file string) bool { return strings.HasSuffix(file, goldenExt+"l") })
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings in %s (%v)", dir, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var got []byte
			for line := range bytes.Lines(text) {
				got = append(got, encode(t, summary(t, h, name, line), "")...)
			}
			compare(t, strings.TrimSuffix(file, ".jsonl")+goldenExt+"l", got)
		})
	}
}

// compare holds that a golden file says the same.
func compare(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("(-want +got; -update writes it anew):\n%s", diff)
	}
}

// summary is an event as a person reads it: without what is the same in every event, and without what is held to equal the
// payload.
func summary(t *testing.T, h *host.Host, name string, payload []byte) map[string]any {
	t.Helper()
	e := Decode(t, h, name, payload)
	if e.Agent != h.ID || e.HostEvent != name {
		t.Errorf("agent %q, event %q", e.Agent, e.HostEvent)
	}
	sameJSON(t, payload, e.Raw)
	sameInput(t, h, payload, e.Tool)
	text, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"raw", "id", "time", "span_id"} {
		delete(m, key)
	}
	if tool, ok := m["tool"].(map[string]any); ok {
		delete(tool, "input")
	}
	return m
}

func encode(t *testing.T, m map[string]any, indent string) []byte {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
