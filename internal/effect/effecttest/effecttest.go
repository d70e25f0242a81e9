// Package effecttest reads shell text and shows the effects that one package sees in it, for tables of tests.
package effecttest

import (
	"slices"
	"strings"
	"testing"

	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd"
	"github.com/boathook/boathook/policy"
)

// Machine is the machine of the tables: nothing is asked of a disk.
func Machine() *place.Machine {
	return &place.Machine{OS: "linux", Home: "/home/dev", Dir: "/home/dev/shop", Project: "/home/dev/shop"}
}

// Of are the effects that of sees in a text.
func Of(text string, of func(unit.Unit) []policy.Effect) []policy.Effect {
	m := Machine()
	r := shellcmd.Parse(text, shellcmd.Options{Dir: m.Dir, Home: m.Home})
	var out []policy.Effect
	for i, c := range r.Commands {
		out = append(out, of(unit.Unit{Command: c, I: i, All: r.Commands, Machine: m, Text: r.Text})...)
	}
	return out
}

// Check compares a table with what is seen. A case is a text and what must be there: "kind/verb", and behind it flags that the effect
// must have (or with !, must not have), =target and @place; several with "; " between. Empty is a text without any effect.
func Check(t *testing.T, of func(unit.Unit) []policy.Effect, cases [][2]string) {
	t.Helper()
	for _, c := range cases {
		text, wants := c[0], c[1]
		got := Of(text, of)
		listed(t, text, got)
		if wants == "" {
			if len(got) > 0 {
				t.Errorf("%s\n  has %v, want nothing", text, got)
			}
			continue
		}
		for want := range strings.SplitSeq(wants, "; ") {
			if !slices.ContainsFunc(got, func(e policy.Effect) bool { return fits(e, want) }) {
				t.Errorf("%s\n  has %v, want %s", text, got, want)
			}
		}
	}
}

// listed holds that verbs and flags are in the lists that rules are checked against.
func listed(t *testing.T, text string, got []policy.Effect) {
	t.Helper()
	for _, e := range got {
		if e.Verb != "" && !slices.Contains(e.Kind.Verbs(), e.Verb) {
			t.Errorf("%s\n  no list of %s has the verb %s", text, e.Kind, e.Verb)
		}
		for _, f := range e.Flags {
			if !slices.ContainsFunc(policy.FlagDocs(), func(d policy.FlagDoc) bool { return d.Name == f }) {
				t.Errorf("%s\n  no list has the flag %s", text, f)
			}
		}
	}
}

func fits(e policy.Effect, want string) bool {
	for i, f := range strings.Fields(want) {
		switch {
		case i == 0:
			if string(e.Kind)+"/"+e.Verb != f {
				return false
			}
		case f[0] == '=':
			if e.Target != f[1:] {
				return false
			}
		case f[0] == '@':
			if string(e.Where) != f[1:] {
				return false
			}
		case f[0] == '!':
			if slices.Contains(e.Flags, f[1:]) {
				return false
			}
		case !slices.Contains(e.Flags, f):
			return false
		}
	}
	return true
}
