// Package proof holds what runs have shown of each agent: which of its events arrived, and where a deny, an ask, a rewrite or a
// context did what it should. The conformance suite (itest/conform) writes verified.json and fails where it says other
// than was seen, so that a claim of the documents and of `boathook hosts` is a run's. It is not on the hook path.
package proof

import (
	_ "embed"
	"encoding/json"
	"slices"
	"sync"
)

// How a claim was shown.
type How string

// The ways. Live is the real program; Replay is its documented contract, played by the suite, where the program can't be
// driven: it shows what boathook does, and nothing of the agent.
const (
	Live   How = "live"
	Replay How = "replay"
)

// Host is what was shown of one agent.
type Host struct {
	// Version is the agent's, Date when it was driven (2026-11-30).
	Version string `json:"version"`
	Date    string `json:"date"`
	How     How    `json:"how"`
	Shown   Shown  `json:"shown"`
}

// Shown names the host's events at which a run has shown a thing.
type Shown struct {
	// Events arrived and were recorded.
	Events []string `json:"events"`
	// Deny: nothing happened. Allow: what happened is what happens without boathook, and nobody was granted anything.
	Deny  []string `json:"deny,omitempty"`
	Allow []string `json:"allow,omitempty"`
	// Ask: a person was asked, or where there was none the call was refused.
	Ask []string `json:"ask,omitempty"`
	// Rewrite: the tool ran with the other input. Context: the model was told.
	Rewrite []string `json:"rewrite,omitempty"`
	Context []string `json:"context,omitempty"`
	// Reason: the model was told why it was denied.
	Reason []string `json:"reason,omitempty"`
	// Gone: with the program deleted the agent ran as without it. Uninstall: its files had the same bytes as before.
	Gone      bool `json:"gone,omitempty"`
	Uninstall bool `json:"uninstall,omitempty"`
}

// Label says what boathook can be trusted to do on an agent.
type Label string

// The labels.
const (
	Observe Label = "observe"
	Context Label = "context"
	Enforce Label = "enforce"
)

// Labels are those that an agent has earned. Context and enforce stand side by side: an agent may have either alone.
func (h Host) Labels() []Label {
	var out []Label
	for _, l := range []struct {
		label Label
		shown bool
	}{{Observe, len(h.Shown.Events) > 0}, {Context, len(h.Shown.Context) > 0}, {Enforce, len(h.Shown.Deny) > 0}} {
		if l.shown {
			out = append(out, l.label)
		}
	}
	return out
}

//go:embed verified.json
var text []byte

// All is what was shown, by the agent's id. Callers must not change it.
var All = sync.OnceValue(func() map[string]Host {
	var all map[string]Host
	_ = json.Unmarshal(text, &all) // a test holds that it can be read
	return all
})

// Of is what was shown of one agent; the zero Host where nothing was.
func Of(id string) Host { return All()[id] }

// Has tells whether an event is among those shown.
func Has(list []string, event string) bool { return slices.Contains(list, event) }
