package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host/registry"
	"github.com/boathook/boathook/internal/spelling"
	"github.com/boathook/boathook/internal/store"
)

// glance is what of a record a match looks at, beyond what the store's own filter can.
type glance struct {
	Event     string `json:"event"`
	HostEvent string `json:"host_event"`
	Decision  struct {
		Source string `json:"source"`
		Mark   string `json:"mark"`
		Rule   string `json:"rule"`
	} `json:"decision"`
	Policy struct {
		Hits []struct {
			Rule string `json:"rule"`
		} `json:"hits"`
		Effects []struct {
			Kind  string `json:"kind"`
			Verb  string `json:"verb"`
			Where string `json:"where"`
		} `json:"effects"`
	} `json:"policy"`
}

// match tells whether a record is wanted. A nil one wants all.
type match func(glance) bool

func (m match) line(line []byte) bool {
	var g glance
	return m == nil || json.Unmarshal(line, &g) == nil && m(g)
}

func (m match) and(n match) match {
	switch {
	case m == nil:
		return n
	case n == nil:
		return m
	}
	return func(g glance) bool { return m(g) && n(g) }
}

// reviewed is the mark of a call that the guard wanted reviewed; unasked stands for a decision that nobody made.
const (
	reviewed = "review"
	unasked  = "none"
)

func decisions() []string { return []string{"allow", "ask", "deny", reviewed, unasked} }

// filter makes of the flags what the store looks for and what is looked for in each record then.
func (o logOptions) filter(now time.Time) (store.Filter, match, error) {
	f := store.Filter{
		Session: o.session, Text: o.search, Tool: canonicalTool(o.tool), Limit: o.count, Newest: true,
		Trace: strings.ToLower(o.trace), Turn: strings.ToUpper(o.turn),
	}
	if o.count < 0 {
		return f, nil, usage("--lines (-n) wants 0 or more, not %d", o.count)
	}
	s, err := parseSpan(now, o.since, o.until)
	if err != nil {
		return f, nil, err
	}
	f.Since, f.Until = s.since, s.until
	if f.Agent, err = agentID(o.agent); err != nil {
		return f, nil, err
	}
	decided, err := decisionMatch(&f, o.decision)
	if err != nil {
		return f, nil, err
	}
	spoken, err := policyMatch(o.rule, o.effect)
	if err != nil {
		return f, nil, err
	}
	happened, err := eventMatch(&f, o.events)
	return f, decided.and(spoken).and(happened), err
}

// agentID finds an agent by any label that it is known under.
func agentID(label string) (string, error) {
	if label == "" {
		return "", nil
	}
	if h, known := registry.Lookup(strings.ToLower(label)); known {
		return h.ID, nil
	}
	return "", usage("--agent %q is none of %s", label, strings.Join(agentNames(), ", "))
}

func decisionMatch(f *store.Filter, name string) (match, error) {
	switch {
	case name == "":
		return nil, nil
	case !slices.Contains(decisions(), name):
		return nil, usage("--decision %q is none of %s", name, strings.Join(decisions(), ", "))
	case name == reviewed: // a mark on another action
		return func(g glance) bool { return g.Decision.Mark == reviewed }, nil
	case name == unasked:
		return func(g glance) bool { return g.Decision.Source == sourceNobody }, nil
	}
	f.Action = name
	return nil, nil
}

// eventMatch reads names, families (tool:*) and, after a !, what to leave out. A single name is left to the store.
func eventMatch(f *store.Filter, terms []string) (match, error) {
	var wanted, unwanted []match
	for _, term := range terms {
		name, not := strings.CutPrefix(term, "!")
		m, err := oneEvent(name)
		switch {
		case err != nil:
			return nil, err
		case not:
			unwanted = append(unwanted, m)
		default:
			wanted = append(wanted, m)
		}
	}
	if len(terms) == 1 && len(wanted) == 1 && !strings.HasSuffix(terms[0], familyMark) {
		kind, host, _ := knownEvent(terms[0])
		f.Event, f.HostEvent = string(kind), host
		return nil, nil
	}
	if len(terms) == 0 {
		return nil, nil
	}
	is := func(g glance) func(match) bool { return func(m match) bool { return m(g) } }
	return func(g glance) bool {
		return (len(wanted) == 0 || slices.ContainsFunc(wanted, is(g))) && !slices.ContainsFunc(unwanted, is(g))
	}, nil
}

// familyMark ends the name of a family: all kinds that begin alike.
const familyMark = ":*"

func oneEvent(name string) (match, error) {
	if slices.Contains(families(), strings.ToLower(name)) {
		prefix := strings.TrimSuffix(strings.ToLower(name), "*")
		return func(g glance) bool { return strings.HasPrefix(g.Event, prefix) }, nil
	}
	kind, host, known := knownEvent(name)
	switch {
	case !known:
		return nil, unknownEvent(name)
	case kind != "":
		return func(g glance) bool { return g.Event == string(kind) }, nil
	}
	return func(g glance) bool { return g.HostEvent == host }, nil
}

// unknownEvent names what is spelled alike, or else all there is, on lines of their own.
func unknownEvent(name string) error {
	own := eventsOf("")
	all := slices.Concat(kindNames(), families(), own)
	if alike := similar(name, all); alike != nil {
		return usage("--event %q is no event: did you mean %s?", name, strings.Join(alike, " or "))
	}
	lines := []string{fmt.Sprintf("--event %q is no event. There are", name)}
	for _, names := range [][]string{slices.Concat(kindNames(), families()), own} {
		for i, line := range wrap(strings.Join(names, ", "), eventList) {
			lines = append(lines, strings.Repeat(" ", 2+2*min(i, 1))+line)
		}
	}
	return usage("%s", strings.Join(lines, "\n"))
}

// eventList is how wide lists of events get in a message, which has the program's name before it.
const eventList = 66

// similar finds the names that are a slip or two away from one, or begin as it does; at most three.
func similar(name string, names []string) []string {
	var out []string
	typed := strings.ToLower(name)
	for _, n := range names {
		known := strings.ToLower(n)
		near := len(typed) > 3 && spelling.Distance(typed, known) <= min(2, len(typed)/3)
		if near || len(typed) > 2 && strings.HasPrefix(known, typed) {
			out = append(out, n)
		}
	}
	return out[:min(len(out), 3)]
}

// knownEvent finds a canonical kind, or else an agent's own name. "notification" is the one and "Notification" the
// other, so that the name as it is written goes before any other case of it.
func knownEvent(name string) (kind canon.Kind, host string, known bool) {
	same := func(a, b string) bool { return a == b }
	for _, equal := range []func(a, b string) bool{same, strings.EqualFold} {
		for _, k := range canon.Kinds() {
			if equal(string(k), name) {
				return k, "", true
			}
		}
		for _, h := range eventsOf("") {
			if equal(h, name) {
				return "", h, true
			}
		}
	}
	return "", "", false
}

func families() []string {
	var out []string
	for _, k := range canon.Kinds() {
		family, _, more := strings.Cut(string(k), ":")
		if more && !slices.Contains(out, family+familyMark) {
			out = append(out, family+familyMark)
		}
	}
	return out
}

// canonicalTool translates an agent's tool name.
func canonicalTool(name string) string {
	for _, h := range registry.Hosts() {
		for _, t := range h.Tools {
			if t.HostName == name {
				return t.Name
			}
		}
	}
	return name
}
