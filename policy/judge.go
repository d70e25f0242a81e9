package policy

// maxHits bounds what is told of one call; what decides is among it.
const (
	maxHits     = 256
	maxRuleHits = 16
)

// Judge tells what the set says of a call.
func (s *Set) Judge(c Call) Verdict {
	j := newJudging(s, &c)
	v := &verdict{allows: reliefs{call: &c}, rewrites: reliefs{call: &c}}
	for i := range s.files {
		f := &s.files[i]
		for k := range f.rules {
			r := &f.rules[k]
			if j.possible(r) {
				s.rule(j, v, f, i, r)
			}
		}
	}
	if j.steps < 0 {
		v.note(noted{Hit: Hit{
			Rule: "too-large", Layer: BuiltIn, Action: Ask, Effect: -1, Command: -1, Unsure: true,
			Reason: "This call is too large to be compared with all rules to its end.", Advice: "Split it into several.",
		}}, &matched{})
	}
	return v.close()
}

// rule matches one rule with the parts of the call that it is about.
func (s *Set) rule(j *judging, v *verdict, f *source, place int, r *Rule) {
	if expired(r, j.call.Time) || s.switched(f, r) {
		return
	}
	base := j.ofCall(&r.When)
	if base == no {
		return
	}
	m := matched{set: s, rule: r, file: f, place: place}
	w := &r.When
	switch {
	case w.aboutEffects() || w.aboutTargets():
		for e := range j.call.Effects {
			if got := min(base, j.ofEffect(r, &j.call.Effects[e])); got != no {
				v.add(&m, got, e, j.call.Effects[e].Command)
			}
		}
		if m.hits == 0 && !w.aboutEffects() && !w.aboutCommands() {
			if got := min(base, j.named(w)); got != no {
				v.add(&m, got, -1, -1)
			}
		}
	case w.aboutCommands():
		for i := range j.call.Commands {
			if got := min(base, j.ofCommand(w, &j.call.Commands[i])); got != no {
				v.add(&m, got, -1, i)
			}
		}
	default:
		v.add(&m, base, -1, -1)
	}
}

// named matches the paths and URLs that a tool names; each key that the rule has.
func (j *judging) named(w *When) tri {
	result := yes
	for _, key := range [...]struct {
		patterns, texts []string
		match           matchFunc
	}{{w.Path, j.call.Paths, path}, {w.URL, j.call.URLs, url}} {
		if len(key.patterns) == 0 {
			continue
		}
		found := no
		for _, text := range key.texts {
			found = max(found, j.any(key.patterns, text, key.match))
		}
		result = min(result, found)
	}
	return result
}
