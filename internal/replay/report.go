package replay

import (
	"cmp"
	"slices"
	"time"

	"github.com/boathook/boathook/policy"
)

// Example is one call of a report. What is the command or what the tool was about, masked.
type Example struct {
	ID    string    `json:"id,omitempty"`
	Time  time.Time `json:"time,omitzero"`
	Agent string    `json:"agent"`
	Tool  string    `json:"tool,omitempty"`
	What  string    `json:"what"`
}

// Count is how many calls a rule decides alike. From is what was decided of them, empty where nobody was asked.
type Count struct {
	From policy.Action `json:"from,omitempty"`
	// FromRule is the rule that decided then.
	FromRule string        `json:"from_rule,omitempty"`
	To       policy.Action `json:"to"`
	Rule     string        `json:"rule,omitempty"`
	Pack     string        `json:"pack,omitempty"`
	Layer    policy.Layer  `json:"layer,omitempty"`
	Calls    int           `json:"calls"`
	// Stopped is how many of them somebody else stopped then: the remote guard, a hook of the user's.
	Stopped int `json:"stopped_by_others,omitempty"`
	// Examples are the first few different ones.
	Examples []Example `json:"examples,omitempty"`
}

// Report is what came out of a replay.
type Report struct {
	// Calls are all that a policy is asked about, Evaluated those that were judged again, Computed how many of them without recorded
	// effects. NotEvaluable counts the rest by why.
	Calls        int            `json:"calls"`
	Evaluated    int            `json:"evaluated"`
	Computed     int            `json:"computed"`
	NotEvaluable map[string]int `json:"not_evaluable"`
	// Decisions counts what is decided now.
	Decisions map[policy.Action]int `json:"decisions"`
	// Changes are the calls that are decided otherwise now, by rule; OtherRule counts those of which only the rule is another.
	Changes   []Count `json:"changes"`
	OtherRule int     `json:"other_rule"`
	// Rules are what stops or warns now, changed or not; Shadow the rules that would if they counted.
	Rules  []Count `json:"rules"`
	Shadow []Count `json:"shadow"`
}

// maxExamples is how many examples are kept of each count.
const maxExamples = 3

// Tally makes a report, one call after the other.
type Tally struct {
	report                 Report
	changes, rules, shadow counts
}

// NewTally begins one.
func NewTally() *Tally {
	return &Tally{report: Report{NotEvaluable: map[string]int{}, Decisions: map[policy.Action]int{}}}
}

// Add counts one call. example is asked for only where it is kept.
func (t *Tally) Add(j Judged, example func() Example) {
	r := &t.report
	r.Calls++
	if j.Why != "" {
		r.NotEvaluable[j.Why]++
		return
	}
	r.Evaluated++
	if j.Computed {
		r.Computed++
	}
	r.Decisions[j.Action]++
	now := Count{To: j.Action, Rule: j.Rule, Pack: j.Pack, Layer: j.Layer}
	if j.Action != policy.Allow {
		t.rules.add(now, j.Stopped, example)
	}
	t.shadows(j, example)
	was := j.Was
	if was == "" {
		was = policy.Allow
	}
	switch {
	case was != j.Action:
		now.From, now.FromRule = j.Was, j.WasRule
		t.changes.add(now, j.Stopped, example)
	case j.Was != "" && j.WasRule != j.Rule:
		r.OtherRule++
	}
}

// shadows counts each rule once a call.
func (t *Tally) shadows(j Judged, example func() Example) {
	var seen []string
	for _, h := range j.Hits {
		if h.Shadow && h.Relieved == "" && h.Action != policy.Allow && !slices.Contains(seen, h.Rule) {
			seen = append(seen, h.Rule)
			t.shadow.add(Count{To: h.Action, Rule: h.Rule, Pack: h.Pack, Layer: h.Layer}, j.Stopped, example)
		}
	}
}

// Calls is how many were counted so far.
func (t *Tally) Calls() int { return t.report.Calls }

// Report is what was counted, the most frequent first.
func (t *Tally) Report() Report {
	r := t.report
	r.Changes, r.Rules, r.Shadow = t.changes.sorted(), t.rules.sorted(), t.shadow.sorted()
	return r
}

type counts struct {
	list []*Count
	at   map[countKey]*Count
}

type countKey struct {
	from, to       policy.Action
	fromRule, rule string
	layer          policy.Layer
}

func (c *counts) add(n Count, stopped bool, example func() Example) {
	key := countKey{n.From, n.To, n.FromRule, n.Rule, n.Layer}
	have := c.at[key]
	if have == nil {
		if c.at == nil {
			c.at = map[countKey]*Count{}
		}
		have = &n
		c.at[key] = have
		c.list = append(c.list, have)
	}
	have.Calls++
	if stopped {
		have.Stopped++
	}
	if len(have.Examples) >= maxExamples {
		return
	}
	e := example()
	if !slices.ContainsFunc(have.Examples, func(old Example) bool { return old.What == e.What }) {
		have.Examples = append(have.Examples, e)
	}
}

func (c *counts) sorted() []Count {
	out := make([]Count, len(c.list))
	for i, n := range c.list {
		out[i] = *n
	}
	slices.SortStableFunc(out, func(a, b Count) int {
		return cmp.Or(rank(b.To)-rank(a.To), b.Calls-a.Calls, cmp.Compare(a.Rule, b.Rule))
	})
	return out
}

func rank(a policy.Action) int {
	return slices.Index([]policy.Action{policy.Allow, policy.Warn, policy.Rewrite, policy.Ask, policy.Deny}, a)
}
