package proof

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/host/registry"
)

func TestFileIsRead(t *testing.T) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	var all map[string]Host
	if err := dec.Decode(&all); err != nil {
		t.Fatal(err)
	}
	for id, h := range all {
		if h.Version == "" || len(h.Date) != len("2006-01-02") || h.How != Live && h.How != Replay || len(h.Shown.Events) == 0 {
			t.Errorf("%s: %+v", id, h)
		}
	}
}

// TestClaims: nothing was shown that the table says an agent cannot do, and what it says of the gate before a tool, where the
// program can be driven, was shown.
func TestClaims(t *testing.T) {
	for _, h := range registry.Hosts() {
		seen := Of(h.ID)
		for name, list := range map[string][]string{
			"deny": seen.Shown.Deny, "ask": seen.Shown.Ask, "rewrite": seen.Shown.Rewrite, "context": seen.Shown.Context,
		} {
			for _, event := range list {
				if ev, ok := h.Event(event); !ok || !can(ev, name) {
					t.Errorf("%s: %s was shown at %s, and the table says that it can't be", h.ID, name, event)
				}
			}
		}
		for _, ev := range h.Events {
			if seen.How != Live || ev.Kind != canon.ToolBefore || !ev.Gate || !ev.Default {
				continue
			}
			for name, list := range map[string][]string{"deny": seen.Shown.Deny, "ask": seen.Shown.Ask, "rewrite": seen.Shown.Rewrite} {
				if can(ev, name) && !Has(list, ev.Name) {
					t.Errorf("%s: the table says that %s can %s, and no run has shown it", h.ID, ev.Name, name)
				}
			}
		}
	}
}

func can(ev host.Event, name string) bool {
	return map[string]bool{"deny": ev.Can.Deny, "ask": ev.Can.Ask, "rewrite": ev.Can.Rewrite, "context": ev.Can.Context}[name]
}
