// Package hosttest is what the tests of every host share: reading recorded payloads, holding that nothing of a payload is
// lost, and fuzzing a decoder together with its encoder. Only tests import it.
package hosttest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/lenient"
)

// Dir is where Decode says that the hook runs.
const Dir = "/where/the/hook/runs"

// Decode decodes one payload that must be well-formed and of a known event.
func Decode(t testing.TB, h *host.Host, event string, text []byte) canon.Event {
	t.Helper()
	ev, ok := h.Event(event)
	if !ok {
		t.Fatalf("event %s is not known", event)
	}
	payload := lenient.Parse(text)
	if payload.Problems != nil {
		t.Fatalf("problems in a payload: %v", payload.Problems)
	}
	return h.Decode(ev, payload.Value, host.Env{Dir: Dir})
}

// Recordings decodes every file of a folder, named <Event>.json or <Event>.<variant>.json, and compares it with what is
// wanted under its name. Raw must equal the file; inputs, outputs and details are left to it.
func Recordings(t *testing.T, h *host.Host, dir string, want map[string]canon.Event) {
	t.Helper()
	files := list(t, dir)
	if len(files) != len(want) {
		t.Fatalf("%s has %d recordings, %d are expected", dir, len(files), len(want))
	}
	ignore := cmp.Options{
		cmpopts.IgnoreFields(canon.Event{}, "Raw"), cmpopts.IgnoreFields(canon.Tool{}, "Input", "Output"),
		cmpopts.IgnoreFields(canon.Notification{}, "Details"),
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			exp, ok := want[name]
			if !ok {
				t.Fatal("nothing is expected of this recording")
			}
			exp.Agent, exp.HostEvent = h.ID, event(h, file)
			got := Decode(t, h, exp.HostEvent, text)
			if diff := cmp.Diff(exp, got, ignore); diff != "" {
				t.Error(diff)
			}
			sameJSON(t, text, got.Raw)
			sameInput(t, h, text, got.Tool)
		})
	}
}

// event is the event of a file's name: the longest that the host knows, since some have dots in their names.
func event(h *host.Host, file string) string {
	parts := strings.Split(strings.TrimSuffix(filepath.Base(file), ".json"), ".")
	for n := len(parts); n > 1; n-- {
		if name := strings.Join(parts[:n], "."); known(h, name) {
			return name
		}
	}
	return parts[0]
}

func known(h *host.Host, name string) bool {
	_, ok := h.Event(name)
	return ok
}

func list(t testing.TB, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	files = slices.DeleteFunc(files, func(file string) bool { return strings.HasSuffix(file, goldenExt) })
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings in %s (%v)", dir, err)
	}
	return files
}

// sameInput holds that the arguments are those that the host sent.
func sameInput(t *testing.T, h *host.Host, text []byte, tool *canon.Tool) {
	t.Helper()
	inputs, _ := h.Calls(lenient.Parse(text).Value)
	switch {
	case (len(inputs) == 0) != (tool == nil):
		t.Errorf("the payload has %d inputs, the event has tool %+v", len(inputs), tool)
	case tool != nil:
		sameJSON(t, inputs[len(inputs)-1].Raw(), tool.Input)
	}
}

func sameJSON(t *testing.T, want, got []byte) {
	t.Helper()
	var a, b any
	if err := json.Unmarshal(want, &a); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(got, &b); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(a, b); diff != "" {
		t.Errorf("JSON differs from the payload:\n%s", diff)
	}
}

// Fuzz holds that any payload under any event name becomes an event that marshals, and that a deny with any reason is
// valid JSON, where it is not an exit code.
func Fuzz(f *testing.F, h *host.Host, dir string) {
	for _, file := range list(f, dir) {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(event(h, file), text)
	}
	f.Fuzz(func(t *testing.T, event string, text []byte) {
		ev, _ := h.Event(event)
		e := h.Decode(ev, lenient.Parse(text).Value, host.Env{Dir: Dir})
		if _, err := json.Marshal(e); err != nil {
			t.Fatalf("event of %q does not marshal: %v", text, err)
		}
		for _, d := range []canon.Decision{
			{Action: canon.Deny, Reason: e.Prompt + e.Reason, Context: e.Response},
			{Action: canon.Ask, Reason: e.Prompt},
			{Action: canon.Allow, Input: text, Context: string(text)},
		} {
			said, _ := h.Express(ev, d)
			if out := h.Encode(ev, said); out.Exit == 0 && len(out.Stdout) > 0 && !json.Valid(out.Stdout) {
				t.Fatalf("answer %q is not valid JSON", out.Stdout)
			}
		}
	})
}
