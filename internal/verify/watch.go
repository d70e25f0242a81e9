package verify

import (
	"time"

	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/store"
)

// Watch follows events as they come: first from the spool, then, placed, from the store. It is a report that grows.
type Watch struct {
	Report *Report
	since  time.Time
	// early are the events that were seen in the spool and not yet in the store.
	early map[string]bool
}

// NewWatch begins one; what is older than since does not count.
func NewWatch(hosts []*host.Host, expect map[string]Expectation, since time.Time) *Watch {
	return &Watch{Report: NewReport(hosts, expect), since: since, early: map[string]bool{}}
}

// Spooled takes an event that waits in the spool; news tells that it was not seen before.
func (w *Watch) Spooled(r record.Record) (news bool) {
	if w.early[r.ID] || r.Time.Before(w.since) {
		return false
	}
	w.early[r.ID] = true
	return w.Report.note(&r)
}

// Stored takes the next event of the store.
func (w *Watch) Stored(p store.Placed) (news bool) {
	if p.Record.Time.Before(w.since) {
		return false
	}
	if w.early[p.Record.ID] {
		delete(w.early, p.Record.ID)
		w.Report.follow(p)
		return false
	}
	news = w.Report.note(&p.Record)
	w.Report.follow(p)
	return news
}

// Unplaced counts the events that were seen and are not in the store yet: what became of their decisions isn't known.
func (w *Watch) Unplaced() int { return len(w.early) }

// Waiting are the expected events that were not seen yet, as "agent Event".
func (r *Report) Waiting() []Wanted {
	var out []Wanted
	for _, h := range r.Hosts {
		for _, c := range h.Events {
			if c.Expected && c.Count == 0 {
				out = append(out, Wanted{Agent: h.Agent, Event: c.Event, How: hint(h.host, c.Event)})
			}
		}
	}
	return out
}

// Wanted is an event that was not seen, and how a person makes it happen.
type Wanted struct {
	Agent string `json:"agent"`
	Event string `json:"event"`
	How   string `json:"how,omitempty"`
}
