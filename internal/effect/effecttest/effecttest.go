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
		out = append(out, of(unit.Unit{Command: c, I: i, All: r.Commands, Machine: m})...)
	}
	return out
}

// Case is one line of a table. Want are what must be there: "kind/verb", and behind it flags that the effect must have (or with !,
// must not have) and =target. Empty is a text without any effect.
type Case struct {
	Text, Want string
}

// Check compares a table with what is seen.
func Check(t *testing.T, of func(unit.Unit) []policy.Effect, cases []Case) {
	t.Helper()
	for _, c := range cases {
		got := Of(c.Text, of)
		if c.Want == "" {
			if len(got) > 0 {
				t.Errorf("%s\n  has %v, want nothing", c.Text, got)
			}
			continue
		}
		for want := range strings.SplitSeq(c.Want, "; ") {
			if !slices.ContainsFunc(got, func(e policy.Effect) bool { return fits(e, want) }) {
				t.Errorf("%s\n  has %v, want %s", c.Text, got, want)
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
