package verify

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/host/registry"
)

// An event that is seen in the spool and then in the store is one event; what it means is told once it is placed.
func TestWatchCountsOnce(t *testing.T) {
	s := newScene(t, "")
	s.event("gemini", "SessionStart", `{`+geminiCommon+`"SessionStart","source":"startup"}`)
	begin := s.clock.Add(time.Second / 2)
	s.event("gemini", "BeforeTool", `{`+geminiCommon+`"BeforeTool","tool_name":"run_shell_command","tool_input":{"command":"rm -rf x"}}`)
	all := s.placed()
	gemini, _ := registry.Lookup("gemini")
	w := NewWatch(Hosts(), map[string]Expectation{gemini.ID: {Installed: true, Events: []string{"SessionStart", "BeforeTool"}}}, begin)
	if w.Spooled(all[0].Record) || w.Stored(all[0]) {
		t.Error("an event from before counts")
	}
	if !w.Spooled(all[1].Record) || w.Spooled(all[1].Record) || w.Unplaced() != 1 || w.Stored(all[1]) || w.Unplaced() != 0 {
		t.Error("one event, not counted once")
	}
	h := w.Report.Hosts[0]
	if h.Records != 1 || h.Contract.Denied != 1 || h.Events[1].Count != 1 {
		t.Errorf("%+v %+v", h, h.Events[1])
	}
	want := Wanted{Agent: "gemini", Event: "SessionStart", How: "start the agent"}
	if diff := cmp.Diff(want, w.Report.Waiting()[0]); diff != "" {
		t.Error(diff)
	}
}

func TestHintsForEveryEvent(t *testing.T) {
	for _, h := range Hosts() {
		for name := range hints()[h.ID] {
			if _, known := h.Event(name); !known {
				t.Errorf("%s has no event %s", h.ID, name)
			}
		}
		for _, e := range h.Events {
			if hint(h, e.Name) == "" {
				t.Errorf("%s %s: no hint", h.ID, e.Name)
			}
		}
	}
}
