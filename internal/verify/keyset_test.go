package verify

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boathook/boathook/internal/trial"
)

// Every key set can be read, names its source, and knows every event that install registers.
func TestKeySets(t *testing.T) {
	files, err := keysets.ReadDir("keysets")
	if err != nil || len(files) != len(allKeySets()) {
		t.Fatalf("%d files, %d can be read (%v)", len(files), len(allKeySets()), err)
	}
	for i, k := range allKeySets() {
		if want := k.Agent + "-" + k.Version + ".json"; files[i].Name() != want || k.Source == "" {
			t.Errorf("%s: source %q, want the name %s", files[i].Name(), k.Source, want)
		}
	}
	for _, h := range Hosts() {
		k := KeySetOf(h.ID)
		if k == nil {
			t.Fatalf("%s has no key set", h.ID)
		}
		for _, e := range h.Events {
			if e.Default && k.shapes[e.Name] == nil {
				t.Errorf("%s %s has no fields", h.ID, e.Name)
			}
		}
		for name := range k.Events {
			if _, known := h.Event(name); !known {
				t.Errorf("%s has no event %s", h.ID, name)
			}
		}
	}
}

// Whatever was recorded of an agent agrees with its key set.
func TestRecordingsAgreeWithKeySets(t *testing.T) {
	for _, h := range Hosts() {
		files, err := filepath.Glob(filepath.Join("..", "host", h.ID, "testdata", "*", "*.json"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no recordings of %s (%v)", h.ID, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			agrees(t, h.ID, strings.Split(filepath.Base(file), ".")[0], text)
		}
		steps, err := trial.Sessions([]string{h.ID}, "/h", "x")
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range steps {
			agrees(t, h.ID, s.Event, s.Payload)
		}
		for _, ev := range h.Events {
			list, err := samplesOf(h, ev, "/h")
			if err != nil || len(list) == 0 {
				t.Errorf("%s %s has no sample (%v)", h.ID, ev.Name, err)
			}
			for _, s := range list {
				if KeySetOf(h.ID).shapes[ev.Name] != nil {
					agrees(t, h.ID, ev.Name, s.Payload)
				}
			}
		}
	}
}

func agrees(t *testing.T, agent, event string, payload []byte) {
	t.Helper()
	got, ok := KeySetOf(agent).Compare(event, payload)
	if !ok || len(got) > 0 {
		t.Errorf("%s %s: %t %+v", agent, event, ok, got)
	}
}

func TestKeySetsThatAreWrong(t *testing.T) {
	for _, text := range []string{`{`, `{"events":{"E":{"a":"text"}}}`, `{"events":{"E":{"a.b":""}}}`} {
		if _, err := parseKeySet([]byte(text)); err == nil {
			t.Errorf("%s: no error", text)
		}
	}
}

func TestCompare(t *testing.T) {
	k, err := parseKeySet([]byte(`{"common":{"id":"string"},"events":{"E":{"o.deep.x":"number","o?":"object|null","o.deep?":"object","n":"number","free":"object"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ payload, want string }{
		{`{"id":"1","n":1,"free":{"any":[]}}`, ""},
		{`{"id":"1","n":1,"free":{},"o":null}`, ""},
		{`{"id":"1","n":1,"free":{},"o":{}}`, ""},
		{`{"id":"1","n":1,"free":{},"o":{"deep":{}}}`, "missing o.deep.x"},
		{`{"id":"1","n":1,"free":{},"o":{"deep":{"x":true,"y":null}}}`, "type o.deep.x, unknown o.deep.y"},
		{`{"id":1,"n":[],"free":""}`, "type free, type id, type n"},
		{`{"id":"1","n":"[REDACTED:card]","free":{}}`, ""},
		{`{}`, "missing free, missing id, missing n"},
		{`[]`, "not judged"},
		{`null`, "not judged"},
	}
	for _, tt := range tests {
		got, ok := k.Compare("E", json.RawMessage(tt.payload))
		var parts []string
		for _, d := range got {
			parts = append(parts, string(d.Kind)+" "+d.Field)
		}
		text := strings.Join(parts, ", ")
		if !ok {
			text = "not judged"
		}
		if text != tt.want {
			t.Errorf("%s: %s, want %s", tt.payload, text, tt.want)
		}
	}
	if _, ok := k.Compare("Other", []byte(`{}`)); ok {
		t.Error("an event without fields was judged")
	}
}

func FuzzCompare(f *testing.F) {
	f.Add("BeforeTool", []byte(geminiBefore))
	f.Add("PreToolUse", []byte(agyBefore))
	f.Fuzz(func(t *testing.T, event string, payload []byte) {
		for _, k := range allKeySets() {
			got, _ := k.Compare(event, payload)
			for _, d := range got {
				text := d.finding(eventName(event)).Text
				for _, r := range text {
					if r < ' ' || r > '~' {
						t.Fatalf("%q is shown", text)
					}
				}
			}
		}
	})
}
