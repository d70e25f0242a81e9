package verify

import (
	"slices"
	"time"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/store"
)

// Report is what stored events say of the agents. Events are added in the order of the store; Finish ends it.
type Report struct {
	OK    bool          `json:"ok"`
	Hosts []*HostReport `json:"agents"`
}

// HostReport is one agent's part.
type HostReport struct {
	Agent string `json:"agent"`
	Title string `json:"title"`
	// Installed says that Events are those of the installed configuration; else they are the usual ones.
	Installed bool `json:"installed"`
	// HostVersion is the version of the agent that is on this machine, where it can be told without running it.
	HostVersion string `json:"host_version,omitempty"`
	// KeysVersion and KeysSource say where the known fields were seen; the version is "documented" where they were not.
	KeysVersion string `json:"keys_version"`
	KeysSource  string `json:"keys_source"`

	Events   []*Coverage `json:"events"`
	Seen     int         `json:"seen"`
	Expected int         `json:"expected"`
	Records  int         `json:"records"`
	// Judged are the payloads that were compared with the key set; Unjudged counts the others by why.
	Judged   int            `json:"judged"`
	Unjudged map[string]int `json:"unjudged,omitempty"`
	Contract Contract       `json:"contract"`
	Findings []*Finding     `json:"findings"`

	host     *host.Host
	keys     *KeySet
	found    map[string]*Finding
	renames  map[[3]string]int
	sessions map[string]*denied
}

// Coverage is how often an event was seen.
type Coverage struct {
	Event string `json:"event"`
	// Expected says that the event is registered, or would be.
	Expected bool       `json:"expected"`
	Count    int        `json:"count"`
	First    *time.Time `json:"first,omitempty"`
	Last     *time.Time `json:"last,omitempty"`
}

// Contract counts what became of decisions at the gate.
type Contract struct {
	Denied    int `json:"denied"`
	NotObeyed int `json:"not_obeyed"`
	Allowed   int `json:"allowed"`
	// Ran are the allowed calls whose end is proven.
	Ran int `json:"ran"`
}

// Expectation is what an agent is installed with.
type Expectation struct {
	Installed   bool
	Events      []string
	HostVersion string
}

// NewReport begins a report on some agents.
func NewReport(hosts []*host.Host, expect map[string]Expectation) *Report {
	r := &Report{}
	for _, h := range hosts {
		x := expect[h.ID]
		out := &HostReport{
			Agent: h.ID, Title: h.Title, Installed: x.Installed, HostVersion: x.HostVersion, Unjudged: map[string]int{}, Findings: []*Finding{},
			host: h, keys: KeySetOf(h.ID, x.HostVersion), found: map[string]*Finding{}, renames: map[[3]string]int{}, sessions: map[string]*denied{},
		}
		if out.keys != nil {
			out.KeysVersion, out.KeysSource = out.keys.Version, out.keys.Source
		}
		events := x.Events
		if !x.Installed {
			events = usual(h)
		}
		for _, name := range events {
			out.Events = append(out.Events, &Coverage{Event: name, Expected: true})
		}
		r.Hosts = append(r.Hosts, out)
	}
	return r
}

// Add takes the next event of a store. One of another agent is left out.
func (r *Report) Add(p store.Placed) {
	r.note(&p.Record)
	r.follow(p)
}

// note takes what the record alone says; ok tells that it is one of an agent that is reported on.
func (r *Report) note(rec *record.Record) (ok bool) {
	for _, h := range r.Hosts {
		if h.Agent == rec.Agent {
			h.note(rec)
			return true
		}
	}
	return false
}

// follow takes what the record's place says.
func (r *Report) follow(p store.Placed) {
	for _, h := range r.Hosts {
		if h.Agent == p.Record.Agent {
			h.obeyed(p, seen{time: p.Record.Time, id: p.Record.ID})
		}
	}
}

func (h *HostReport) note(r *record.Record) {
	h.Records++
	at := seen{time: r.Time, id: r.ID}
	h.cover(eventName(r.HostEvent), at)
	lost := Losses(h.host, r)
	for _, loss := range lost {
		h.find(Finding{Kind: LostArgument, Event: eventName(r.HostEvent), Text: loss}, at)
	}
	if len(lost) == 0 { // a payload that was taken for another agent's or event's has other fields
		h.judge(r, at)
	}
}

func (h *HostReport) cover(event string, at seen) {
	c := h.coverage(event)
	c.Count++
	if c.First == nil || at.time.Before(*c.First) {
		c.First = &at.time
	}
	if c.Last == nil || at.time.After(*c.Last) {
		c.Last = &at.time
	}
}

func (h *HostReport) coverage(event string) *Coverage {
	for _, c := range h.Events {
		if c.Event == event {
			return c
		}
	}
	c := &Coverage{Event: event}
	h.Events = append(h.Events, c)
	return c
}

// judge compares the payload with the key set.
func (h *HostReport) judge(r *record.Record, at seen) {
	if why := Unjudgeable(r); why != "" {
		h.Unjudged[why]++
		return
	}
	if h.keys == nil {
		h.Unjudged[noKeys]++
		return
	}
	differences, ok := h.keys.known(r.HostEvent, r.Raw)
	if !ok {
		h.Unjudged[noKeys]++
		return
	}
	h.Judged++
	event := eventName(r.HostEvent)
	for _, d := range differences {
		h.find(d.finding(event), at)
	}
	h.pair(event, differences)
}

// Finish sums up.
func (r *Report) Finish() {
	r.OK = true
	for _, h := range r.Hosts {
		for _, fault := range CheckHost(h.host) {
			h.find(Finding{Kind: AnswerChanged, Text: fault}, seen{})
		}
		for _, c := range h.Events {
			if c.Expected {
				h.Expected++
				h.Seen += min(1, c.Count)
			}
		}
		h.name()
		h.sort()
		for _, f := range h.Findings {
			r.OK = r.OK && !f.Kind.Fault()
		}
	}
}

// Trim leaves out agents that are not installed and of which nothing is stored, if any other remains.
func (r *Report) Trim() {
	if some := slices.DeleteFunc(slices.Clone(r.Hosts), func(h *HostReport) bool { return !h.Installed && h.Records == 0 }); len(some) > 0 {
		r.Hosts = some
	}
}

// Records counts all events of the report.
func (r *Report) Records() int {
	n := 0
	for _, h := range r.Hosts {
		n += h.Records
	}
	return n
}

func isGate(h *host.Host, event string) bool {
	ev, ok := h.Event(event)
	return ok && ev.Gate
}

func isAfter(kind canon.Kind) bool { return kind == canon.ToolAfter || kind == canon.ToolError }
