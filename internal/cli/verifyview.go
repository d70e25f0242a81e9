package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/host/registry"
	"github.com/boathook/boathook/internal/verify"
)

// watchView shows a report that grows: on a terminal the whole of it, drawn again, elsewhere what is new in it.
type watchView struct {
	env  *Env
	json bool
	// drawn is the text on the terminal.
	drawn string
	seen  map[string]bool
}

func newWatchView(env *Env, asJSON bool) *watchView {
	return &watchView{env: env, json: asJSON, seen: map[string]bool{}}
}

// live tells whether the cursor can be moved back.
func (v *watchView) live() bool {
	return !v.json && v.env.IsTerminal && v.env.variable("TERM") != "dumb"
}

func (v *watchView) show(r *verify.Report) error {
	if v.live() {
		return v.redraw(r)
	}
	for _, h := range r.Hosts {
		if err := v.news(h); err != nil {
			return err
		}
	}
	return nil
}

func (v *watchView) redraw(r *verify.Report) error {
	var b strings.Builder
	width := v.env.columns() - 1
	for _, h := range r.Hosts {
		fmt.Fprintf(&b, "%s\n", h.Title)
		var rows []item
		for _, c := range h.Events {
			name, text := v.row(h, c)
			rows = append(rows, item{indent: 2, name: name, text: text, hang: 2 + max(rowName, columns(name)+1)})
		}
		writeItems(&b, rows, width)
		for _, f := range h.Findings {
			item{indent: 2, name: "✗", text: plain(f.Event + ": " + f.Text), hang: 4}.write(&b, width, false)
		}
	}
	var fitted strings.Builder // a line that the terminal breaks would be two to go back over
	for line := range strings.Lines(b.String()) {
		fitted.WriteString(shorten(strings.TrimSuffix(line, "\n"), width) + "\n")
	}
	if fitted.String() == v.drawn {
		return nil
	}
	back := ""
	if n := strings.Count(v.drawn, "\n"); n > 0 {
		back = fmt.Sprintf("\x1b[%dA\x1b[J", n)
	}
	v.drawn = fitted.String()
	_, err := fmt.Fprint(v.env.Stdout, back+v.drawn)
	return err
}

// rowName is how wide the names of events are, with their marks.
const rowName = 22

// row is one event: how often it came and when last, or how to make it come.
func (v *watchView) row(h *verify.HostReport, c *verify.Coverage) (name, text string) {
	if c.Count == 0 {
		how := ""
		for _, w := range (&verify.Report{Hosts: []*verify.HostReport{h}}).Waiting() {
			if w.Event == c.Event {
				how = w.How
			}
		}
		return "… " + plain(c.Event), how
	}
	mark, odd := "✓", ""
	if n := findingsOf(h, c.Event); n > 0 {
		mark, odd = "✗", ", "+count(n, "finding")
	}
	last := ""
	if c.Last != nil {
		last = c.Last.In(v.env.Now().Location()).Format(time.TimeOnly)
	}
	text = fmt.Sprintf("%d×, last %s%s", c.Count, last, odd)
	if h.Contract.Denied > 0 && gate(h.Agent, c.Event) {
		text += fmt.Sprintf(", %d denied", h.Contract.Denied)
	}
	return mark + " " + plain(c.Event), text
}

func gate(agent, event string) bool {
	h, _ := registry.Lookup(agent)
	ev, _ := h.Event(event)
	return ev.Gate
}

func findingsOf(h *verify.HostReport, event string) int {
	n := 0
	for _, f := range h.Findings {
		if f.Event == event && f.Kind.Fault() {
			n++
		}
	}
	return n
}

// news prints what of an agent was not printed yet.
func (v *watchView) news(h *verify.HostReport) error {
	for _, c := range h.Events {
		if c.Count > 0 && v.first(h.Agent+" "+c.Event) {
			if err := v.line(h, c, nil); err != nil {
				return err
			}
		}
	}
	for _, f := range h.Findings {
		if v.first(h.Agent + " " + f.Event + " " + f.Text) {
			if err := v.line(h, nil, f); err != nil {
				return err
			}
		}
	}
	if n := h.Contract.Denied; n > 0 && v.first(h.Agent+" denied") && !v.json {
		_, err := fmt.Fprintf(v.env.Stdout, "%s a deny was seen\n", fill(h.Agent, 12))
		return err
	}
	return nil
}

func (v *watchView) first(key string) bool {
	if v.seen[key] {
		return false
	}
	v.seen[key] = true
	return true
}

// watchNews is one line of watch's JSON.
type watchNews struct {
	Agent   string           `json:"agent,omitempty"`
	Seen    *verify.Coverage `json:"seen,omitempty"`
	Finding *verify.Finding  `json:"finding,omitempty"`
}

func (v *watchView) line(h *verify.HostReport, c *verify.Coverage, f *verify.Finding) error {
	if v.json {
		return printJSON(v.env, watchNews{h.Agent, c, f})
	}
	if c != nil {
		name, text := v.row(h, c)
		width := max(rowName, columns(name)+1)
		return v.env.hanging(fill(h.Agent, 12)+" "+fill(name, width), text, 12+1+width, v.env.columns())
	}
	return v.env.hanging(fill(h.Agent, 12)+" ", plain("✗ "+f.Event+": "+f.Text), 13, v.env.columns())
}

// end says what is missing, and how to make it happen.
func (v *watchView) end(r *verify.Report, missing []verify.Wanted) error {
	if v.json {
		return printJSON(v.env, struct {
			OK      bool            `json:"ok"`
			Missing []verify.Wanted `json:"missing"`
			Report  *verify.Report  `json:"report"`
		}{r.OK, append([]verify.Wanted{}, missing...), r})
	}
	if len(missing) == 0 {
		return v.env.sentence("All expected events were seen.", 0)
	}
	if v.live() {
		return nil // it stands there
	}
	for _, w := range missing {
		if err := v.env.sentence("not seen: "+w.Agent+" "+plain(w.Event)+": "+w.How, 2); err != nil {
			return err
		}
	}
	return nil
}
