package hosttest

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/hook/canon"
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
			e := Decode(t, h, event(h, file), text)
			if e.Agent != h.ID || e.HostEvent != event(h, file) {
				t.Errorf("agent %q, event %q", e.Agent, e.HostEvent)
			}
			sameJSON(t, text, e.Raw)
			sameInput(t, h, text, e.Tool)
			got := golden(t, e)
			path := strings.TrimSuffix(file, ".json") + goldenExt
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
		})
	}
}

// golden is an event as a person reads it: without what is the same in every event, and without what is held to equal the
// payload.
func golden(t *testing.T, e canon.Event) []byte {
	t.Helper()
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
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
