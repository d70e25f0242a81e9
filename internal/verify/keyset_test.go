package verify

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/host"
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
		k := KeySetOf(h.ID, "")
		if k == nil {
			t.Fatalf("%s has no key set", h.ID)
		}
		for name := range k.Events {
			if _, known := h.Event(name); !known {
				t.Errorf("%s has no event %s", h.ID, name)
			}
		}
	}
}

// unseen are the events that install registers and nobody has recorded: there is a sample of their common fields, and no
// field is known.
func unseen() map[string]string {
	return map[string]string{
		"antigravity": "SessionStart", "copilot": "preCompact notification errorOccurred", "cline": "TaskResume UserPromptSubmit TaskCancel TaskError",
		"qwen":     "PermissionRequest PermissionDenied StopFailure SubagentStart SubagentStop PreCompact PostCompact SessionEnd",
		"opencode": "experimental.session.compacting session.compacted session.deleted",
	}
}

// Whatever was recorded of an agent agrees with one of its key sets, and there is a sample of all that install registers.
func TestRecordingsAgreeWithKeySets(t *testing.T) {
	for _, h := range Hosts() {
		for event, payloads := range recordings(t, h) {
			for _, payload := range payloads {
				agrees(t, h.ID, event, payload)
			}
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
			if err != nil || len(list) == 0 && ev.Default {
				t.Errorf("%s %s has no sample (%v)", h.ID, ev.Name, err)
			}
			known := KeySetOf(h.ID, "").shapes[ev.Name] != nil
			if never := slices.Contains(strings.Fields(unseen()[h.ID]), ev.Name); ev.Default && known == never {
				t.Errorf("%s %s: fields are known: %t, was never recorded: %t", h.ID, ev.Name, known, never)
			}
			for _, s := range list {
				if known {
					agrees(t, h.ID, ev.Name, s.Payload)
				}
			}
		}
	}
}

// recordings are the payloads of an agent by event. Those of opencode and Amp were recorded by another plugin than boathook's, which
// sends the directory, and not when and what it was.
func recordings(t *testing.T, h *host.Host) map[string][][]byte {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "host", h.ID, "testdata", "*", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings of %s (%v)", h.ID, err)
	}
	out := map[string][][]byte{}
	for _, file := range files {
		if strings.HasSuffix(file, ".golden.json") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		event := strings.TrimSuffix(filepath.Base(file), ".json")
		for _, known := h.Event(event); !known && strings.Contains(event, "."); _, known = h.Event(event) {
			event = event[:strings.LastIndexByte(event, '.')]
		}
		if h.ID == "opencode" && textAt(text, "input.properties.part.type") == "text" {
			continue // the plugin does not send it
		}
		var payload map[string]any
		if err := json.Unmarshal(text, &payload); err != nil {
			t.Fatal(err)
		}
		if _, other := payload["hook"]; h.ID == "opencode" && other {
			delete(payload, "hook")
			delete(payload, "t")
			payload["directory"] = "/home/user/proj"
		}
		if h.ID == "amp" {
			delete(payload, "env")
		}
		if text, err = json.Marshal(payload); err != nil {
			t.Fatal(err)
		}
		out[event] = append(out[event], text)
	}
	return out
}

// A version has the key set that was recorded of it, or of one before it.
func TestKeySetOfVersion(t *testing.T) {
	for _, tt := range []struct{ agent, version, want string }{
		{"claude", "2.1.332", "2.1.332"}, {"claude", "2.2.0", "2.1.332"}, {"claude", "1.0.0", "2.1.332"}, {"claude", "", "2.1.332"},
		{"cline", "3.0.65", "3.0.65"}, {"cline", "", "3.0.65"}, {"cursor", "1.2", "documented"}, {"antigravity", "1.1.26", "1.0.7-1.2.3"},
	} {
		if k := KeySetOf(tt.agent, tt.version); k == nil || k.Version != tt.want {
			t.Errorf("%s %s: %+v", tt.agent, tt.version, k)
		}
	}
	older, newer := &KeySet{Version: "1.9.2"}, &KeySet{Version: "1.10.0"}
	for version, newest := range map[string]bool{"": true, "1.10.0": true, "2.0": true, "1.9.9": false, "1.9.2": false, "1.0": false} {
		if newer.suits(version, older) != newest || older.suits(version, newer) == newest {
			t.Errorf("%s: the newer one suits: %t", version, !newest)
		}
	}
}

// What another version is known to send is no difference.
func TestAnotherVersionsPayload(t *testing.T) {
	k := KeySetOf("cline", "")
	payload := []byte(`{"clineVersion":"3.40.0","timestamp":"1","taskId":"1","workspaceRoots":[],"userId":"u","hookName":"PreToolUse","preToolUse":{"toolName":"x","parameters":{}}}`)
	if got, ok := k.known("PreToolUse", payload); !ok || got != nil {
		t.Errorf("%t %+v", ok, got)
	}
	if got, ok := k.known("PreToolUse", []byte(`{"taskId":"1"}`)); !ok || len(got) == 0 {
		t.Errorf("%t %+v", ok, got)
	}
}

func agrees(t *testing.T, agent, event string, payload []byte) {
	t.Helper()
	got, ok := KeySetOf(agent, "").known(event, payload)
	if KeySetOf(agent, "").shapes[event] == nil {
		return // of another program of the agent's
	}
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

// A sample is what was recorded, but for events that nobody has recorded and for agents whose samples are older than that.
func TestSamplesAreRecordings(t *testing.T) {
	for _, h := range Hosts() {
		if h.ID == "gemini" || h.ID == "antigravity" {
			continue
		}
		known := recordings(t, h)
		for _, ev := range h.Events {
			if slices.Contains(strings.Fields(unseen()[h.ID]), ev.Name) {
				continue
			}
			ev.Gate = false // as they are
			list, err := samplesOf(h, ev, sampleHome)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range list {
				if !slices.ContainsFunc(known[ev.Name], func(text []byte) bool { return sameButForTheParent(text, s.Payload) }) {
					t.Errorf("%s %s: no recording of %s", h.ID, ev.Name, s.Payload)
				}
			}
		}
	}
}

// sameButForTheParent: a payload of opencode's was recorded in a subagent, and the sample is a session's.
func sameButForTheParent(recording, sample []byte) bool {
	var a, b map[string]any
	if json.Unmarshal(recording, &a) != nil || json.Unmarshal(sample, &b) != nil {
		return false
	}
	for _, name := range []string{"parentID", "worktree"} {
		delete(a, name)
		delete(b, name)
	}
	return cmp.Diff(a, b) == ""
}
