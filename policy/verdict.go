package policy

import "slices"

// matched is a rule that matches, while its hits are counted.
type matched struct {
	set   *Set
	rule  *Rule
	file  *source
	place int
	hits  int
}

// verdict gathers hits.
type verdict struct {
	hits    []Hit
	best    int // the place of what decides, from 1
	reliefs reliefs
	rules   []*Rule // of hits
}

// add notes that a rule matches a part of the call.
func (v *verdict) add(m *matched, got tri, effect, command int) {
	m.hits++
	action, shadow := m.set.effective(m.file, m.rule)
	if got == maybe {
		if action = weaker(m.rule, action); action == Allow {
			return
		}
	}
	h := Hit{
		Rule: m.rule.ID, Pack: m.rule.Pack, Layer: m.file.layer, Action: action, Shadow: shadow, Effect: effect, Command: command,
		Reason: m.file.reason(m.rule), Advice: m.rule.Advice, Unsure: got == maybe,
	}
	if action == Allow {
		if !shadow {
			v.reliefs.allow(m, effect, command)
		}
	} else {
		h.Relieved = v.reliefs.of(m, effect, command)
	}
	v.note(h, m)
}

// weaker is what a rule wants where it cannot be told whether it matches: what it says of that, but no more than the rule itself.
func weaker(r *Rule, action Action) Action {
	fail := r.failing()
	if action == Allow {
		return Allow
	}
	if r.Fail == "" && fail.rank() > action.rank() {
		return action
	}
	return fail
}

// note keeps a hit where there is room, and always the one that decides.
func (v *verdict) note(h Hit, m *matched) {
	counts := !h.Shadow && h.Relieved == ""
	better := counts && (v.best == 0 || h.Action.rank() > v.hits[v.best-1].Action.rank())
	switch {
	case better || m.hits <= maxRuleHits && len(v.hits) < maxHits:
		v.hits, v.rules = append(v.hits, h), append(v.rules, m.rule)
		if better {
			v.best = len(v.hits)
		}
	}
}

// close makes the verdict: what decided, then the rest by strictness.
func (v *verdict) close(c *Call) Verdict {
	out := Verdict{Action: Allow}
	if v.best > 0 {
		h := v.hits[v.best-1]
		out.Action, out.Rule, out.Pack, out.Layer, out.Reason, out.Advice = h.Action, h.Rule, h.Pack, h.Layer, h.Reason, h.Advice
		if h.Action == Rewrite {
			v.rewrite(c, &out)
		}
	}
	first := v.best - 1
	if first > 0 { // it stands before its equals
		h := v.hits[first]
		copy(v.hits[1:], v.hits[:first])
		v.hits[0] = h
	}
	slices.SortStableFunc(v.hits, func(a, b Hit) int { return weight(b) - weight(a) })
	out.Hits = v.hits
	return out
}

// weight orders hits: those that count by their strictness, then the rest.
func weight(h Hit) int {
	if h.Shadow || h.Relieved != "" {
		return h.Action.rank() - 10
	}
	return h.Action.rank()
}
