package proof

import (
	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
)

// State is what is known of one ability at one event.
type State string

// The states. Said is what the agent's documents, or its source, say and no run has shown.
const (
	No   State = "no"
	Said State = "said"
	Seen State = "shown"
)

// Table is what boathook knows of one agent.
type Table struct {
	ID     string  `json:"agent"`
	Title  string  `json:"title"`
	Labels []Label `json:"labels"`
	// Version, Date and How are of the runs; empty without any.
	Version string `json:"verified_version,omitempty"`
	Date    string `json:"verified_date,omitempty"`
	How     How    `json:"verified_how,omitempty"`
	Events  []Row  `json:"events"`
}

// Row is one event of an agent.
type Row struct {
	Event string     `json:"event"`
	Kind  canon.Kind `json:"kind"`
	// Registered says that install registers it without being asked; Gate that the guard is asked.
	Registered bool `json:"registered"`
	Gate       bool `json:"gate"`
	// Arrives is whether the event was seen.
	Arrives State `json:"arrives"`
	Deny    State `json:"deny"`
	Ask     State `json:"ask"`
	Rewrite State `json:"rewrite"`
	Context State `json:"context"`
	CallID  bool  `json:"call_id"`
	// Crash, Garbage and Timeout are open or closed: what becomes of the call when a hook does so. Empty is not known.
	Crash   host.Fail `json:"on_crash,omitempty"`
	Garbage host.Fail `json:"on_garbage,omitempty"`
	Timeout host.Fail `json:"on_timeout,omitempty"`
}

// TableOf puts together what an agent's protocol says and what runs have shown.
func TableOf(h *host.Host) Table {
	seen := Of(h.ID)
	t := Table{ID: h.ID, Title: h.Title, Labels: seen.Labels(), Version: seen.Version, Date: seen.Date, How: seen.How}
	for _, ev := range h.Events {
		r := Row{
			Event: ev.Name, Kind: ev.Kind, Registered: ev.Default, Gate: ev.Gate, CallID: ev.CallID,
			Arrives: state(true, seen.Shown.Events, ev.Name), Deny: state(ev.Can.Deny, seen.Shown.Deny, ev.Name),
			Ask: state(ev.Can.Ask, seen.Shown.Ask, ev.Name), Rewrite: state(ev.Can.Rewrite, seen.Shown.Rewrite, ev.Name),
			Context: state(ev.Can.Context, seen.Shown.Context, ev.Name),
			Crash:   ev.Fails.Crash, Garbage: ev.Fails.Garbage, Timeout: ev.Fails.Timeout,
		}
		t.Events = append(t.Events, r)
	}
	return t
}

func state(can bool, shown []string, event string) State {
	switch {
	case !can:
		return No
	case Has(shown, event):
		return Seen
	}
	return Said
}
