package cli

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/policy"
)

// policyMatch looks for what rules spoke of, and for effects.
func policyMatch(rule, effect string) (match, error) {
	var byRule, byEffect match
	if rule != "" {
		if _, err := path.Match(rule, ""); err != nil {
			return nil, usage("--rule %q is no name of a rule, nor a pattern of names", rule)
		}
		byRule = func(g glance) bool {
			for _, h := range g.Policy.Hits {
				if like(rule, h.Rule) {
					return true
				}
			}
			return like(rule, g.Decision.Rule)
		}
	}
	if effect != "" {
		kind, more, _ := strings.Cut(effect, ":")
		if err := knownEffect(kind); err != nil {
			return nil, err
		}
		byEffect = func(g glance) bool {
			for _, e := range g.Policy.Effects {
				if e.Kind == kind && (more == "" || like(more, e.Verb) || like(more, e.Where)) {
					return true
				}
			}
			return false
		}
	}
	return byRule.and(byEffect), nil
}

func like(pattern, name string) bool {
	is, _ := path.Match(pattern, name) // a pattern that is none is like nothing
	return is && name != ""
}

func knownEffect(kind string) error {
	names := effectNames()
	if slices.Contains(names, kind) {
		return nil
	}
	return usage("--effect %q is none of %s%s", kind, strings.Join(names, ", "), alike(kind, names))
}

func effectNames() []string {
	var out []string
	for _, k := range policy.Kinds() {
		out = append(out, string(k.Kind))
	}
	return out
}

// policyNotes is what of the local policy a person should see behind a call.
func policyNotes(r record.Record) []string {
	p := r.Policy
	if p == nil {
		return nil
	}
	var out []string
	if p.Shadow && p.Rule != "" {
		out = append(out, "shadow: "+p.Action+" "+p.Rule)
	}
	seen := ""
	for _, h := range p.Hits {
		if h.Shadow && h.Relieved == "" && h.Rule != seen {
			out, seen = append(out, "shadow: "+h.Action+" "+h.Rule), h.Rule
		}
	}
	if len(out) > 2 {
		out = append(out[:2], fmt.Sprintf("%d more in the shadow", len(out)-2))
	}
	if len(p.Problems) > 0 {
		out = append(out, "policy broken")
	}
	if p.AllowedOnce {
		out = append(out, "allowed once")
	}
	if p.Loop > 1 {
		out = append(out, nth(p.Loop)+" time")
	}
	return out
}

// otherNotes are those that say something which policyNotes do not.
func otherNotes(r record.Record) []string {
	if r.Policy == nil {
		return r.Notes
	}
	return slices.DeleteFunc(slices.Clone(r.Notes), func(n string) bool {
		return strings.HasPrefix(n, "policy: ") || r.Policy.Loop > 1 && strings.HasPrefix(n, "loop: ")
	})
}

func nth(n int) string {
	end := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			end = "st"
		case 2:
			end = "nd"
		case 3:
			end = "rd"
		}
	}
	return fmt.Sprintf("%d%s", n, end)
}
