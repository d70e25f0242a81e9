package policy_test

import (
	"slices"
	"testing"

	"github.com/boathook/boathook/internal/judge"
	"github.com/boathook/boathook/policy"
)

// TestVerbsAndFlagsAreListed: what the corpus shows of effects is in the tables that docs and errors are made of.
func TestVerbsAndFlagsAreListed(t *testing.T) {
	var flags []string
	for _, f := range policy.FlagDocs() {
		flags = append(flags, f.Name)
	}
	said := map[string]bool{}
	for _, c := range corpus(t) {
		for _, e := range judge.Read(c.Event(), c.machine()).Effects {
			if key := string(e.Kind) + " " + e.Verb; e.Kind != policy.DownloadRun && e.Verb != "" && !said[key] && !slices.Contains(e.Kind.Verbs(), e.Verb) {
				said[key] = true
				t.Errorf("no list has the verb %s (%s)", key, said0(c))
			}
			for _, f := range e.Flags {
				if !said[f] && !slices.Contains(flags, f) {
					said[f] = true
					t.Errorf("no list has the flag %s (%s)", f, said0(c))
				}
			}
		}
	}
}

func said0(c corpusCase) string { return c.at + ": " + said(c) }

// TestPacksNameWhatThereIs: a rule of a pack that names a verb names one that effects have.
func TestPacksNameWhatThereIs(t *testing.T) {
	for _, p := range policy.Packs() {
		for _, r := range p.Rules {
			for _, v := range r.When.Verb {
				if !verbOf(r.When.Effect, v) {
					t.Errorf("%s: none of %v has the verb %s", r.ID, r.When.Effect, v)
				}
			}
		}
	}
}

// verbOf tells whether one of the kinds has the verb; a pattern's end may be a star.
func verbOf(kinds []string, pattern string) bool {
	for len(pattern) > 0 && pattern[0] == '!' {
		pattern = pattern[1:]
	}
	for _, k := range kinds {
		for _, v := range policy.Kind(k).Verbs() {
			if v == pattern || pattern[len(pattern)-1] == '*' && len(v) >= len(pattern)-1 && v[:len(pattern)-1] == pattern[:len(pattern)-1] {
				return true
			}
		}
	}
	return false
}
