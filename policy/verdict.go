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
	hits             []noted
	allows, rewrites reliefs
	edits            []Edit
	best, behind     int // places in hits, from 1: what decides, and what decides where nothing is rewritten
	locked           bool
}

// noted is a hit, and whether it is only a rewrite that takes it back.
type noted struct {
	Hit
	rewritten bool
}

// add notes that a rule matches a part of the call.
func (v *verdict) add(m *matched, got tri, effect, command int) {
	m.hits++
	action, shadow := m.set.effective(m.file, m.rule)
	if got == maybe {
		if action = unsureAction(m.rule, action); action == Allow {
			return
		}
	}
	h := noted{Hit: Hit{
		Rule: m.rule.ID, Pack: m.rule.Pack, Layer: m.file.layer, Action: action, Shadow: shadow, Effect: effect, Command: command,
		Reason: m.file.reason(m.rule), Advice: m.rule.Advice, Unsure: got == maybe,
	}}
	if action == Allow {
		if !shadow {
			v.allows.set(m, effect, command)
		}
		v.note(h, m)
		return
	}
	h.Relieved = v.allows.of(m, effect, command)
	if h.Relieved == "" && action == Rewrite && !shadow {
		v.rewrite(m, &h.Hit)
	} else if h.Relieved == "" {
		h.Relieved = v.rewrites.of(m, effect, command)
		h.rewritten = h.Relieved != ""
	}
	v.locked = v.locked || m.stands(h)
	v.note(h, m)
}

// unsureAction is what a rule wants where it cannot be told whether it matches: what it says of that, and no more than the rule itself
// where it says nothing.
func unsureAction(r *Rule, action Action) Action {
	if action == Allow {
		return Allow
	}
	fail := r.failing()
	if r.Fail == "" && fail.rank() > action.rank() {
		return action
	}
	return fail
}

// note keeps a hit where there is room, and always those that decide.
func (v *verdict) note(h noted, m *matched) {
	decides := v.better(v.best, h, h.Relieved == "")
	behind := v.better(v.behind, h, h.Relieved == "" && h.Action != Rewrite || h.rewritten)
	if !decides && !behind && (m.hits > maxRuleHits || len(v.hits) >= maxHits) {
		return
	}
	v.hits = append(v.hits, h)
	if decides {
		v.best = len(v.hits)
	}
	if behind {
		v.behind = len(v.hits)
	}
}

// better tells whether a hit decides rather than that one. Of equals the first does, but for what touches the guard's and the agents'
// own files: that says more of a call than where they are. Of the whole home, which holds them too, it is the home that counts.
func (v *verdict) better(than int, h noted, counts bool) bool {
	switch {
	case !counts || h.Shadow:
		return false
	case than == 0:
		return true
	}
	best := &v.hits[than-1]
	if h.Action != best.Action {
		return h.Action.rank() > best.Action.rank()
	}
	return h.Pack == selfProtection && best.Pack != selfProtection && h.Layer == best.Layer && !v.wide(h.Effect)
}

// wide tells whether an effect is one on all that there is, or on a home or a project as a whole.
func (v *verdict) wide(effect int) bool {
	if effect < 0 {
		return false
	}
	switch v.allows.call.Effects[effect].Where {
	case Root, Home, System, Project:
		return true
	}
	return false
}

// stands tells whether a hit speaks against the call in a way that no user takes back.
func (m *matched) stands(h noted) bool {
	return !h.Shadow && (h.Relieved == "" || h.rewritten) && h.Action.rank() >= Rewrite.rank() && (m.rule.locked() || m.file.layer == Organisation)
}

// close makes the verdict: what decided, then the rest by strictness.
func (v *verdict) close() Verdict {
	out := Verdict{Action: Allow, Locked: v.locked}
	if len(v.edits) > 0 {
		v.settle(&out)
	}
	if v.best > 0 {
		h := v.hits[v.best-1]
		out.Action, out.Rule, out.Pack, out.Layer, out.Reason, out.Advice = h.Action, h.Rule, h.Pack, h.Layer, h.Reason, h.Advice
		copy(v.hits[1:], v.hits[:v.best-1]) // it stands before its equals
		v.hits[0] = h
	}
	slices.SortStableFunc(v.hits, func(a, b noted) int { return weight(b.Hit) - weight(a.Hit) })
	for _, h := range v.hits {
		out.Hits = append(out.Hits, h.Hit)
	}
	return out
}

// settle tells whether the call is rewritten. Where it is not, what rewrites have taken back counts.
func (v *verdict) settle(out *Verdict) {
	edits, ok := merged(v.edits)
	if ok && v.best > 0 && v.hits[v.best-1].Action == Rewrite {
		out.Edits = edits
		return
	}
	v.best = 0
	for i := range v.hits {
		h := &v.hits[i]
		if h.rewritten {
			h.Relieved = ""
		} else if !ok && h.Action == Rewrite {
			h.Action = Ask
		}
		if v.better(v.best, *h, h.Relieved == "") {
			v.best = i + 1
		}
	}
}

// weight orders hits: those that count by their strictness, then the rest.
func weight(h Hit) int {
	if h.Shadow || h.Relieved != "" {
		return h.Action.rank() - 10
	}
	return h.Action.rank()
}
