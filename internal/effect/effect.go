// Package effect tells what commands and tools do to the world. It starts nothing and reads the disk only through place.Facts.
package effect

import (
	"slices"

	"github.com/boathook/boathook/internal/effect/cloud"
	"github.com/boathook/boathook/internal/effect/database"
	"github.com/boathook/boathook/internal/effect/git"
	"github.com/boathook/boathook/internal/effect/network"
	"github.com/boathook/boathook/internal/effect/packages"
	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// maxAll bounds the effects of one text.
const maxAll = 5000

// OfCommands are the effects of all that a text may run.
func OfCommands(r shellcmd.Result, m *place.Machine) []policy.Effect {
	var out []policy.Effect
	t := &trail{machine: m}
	for i, c := range r.Commands {
		u := unit.Unit{Command: c, I: i, All: r.Commands, Machine: t.machine, Text: r.Text}
		out = append(out, ofCommand(u, t)...)
		for _, of := range [...]func(unit.Unit) []policy.Effect{
			git.Effects, database.Effects, cloud.Effects, packages.Effects, network.Effects,
		} {
			out = append(out, of(u)...)
		}
		if len(out) > maxAll {
			out = append(out[:maxAll], policy.Effect{Kind: policy.Dynamic, Verb: "limit", Command: i})
			break
		}
	}
	return distinct(append(out, unsure(r, m)...))
}

// ofCommand are the effects of one command on files and on the machine.
func ofCommand(u unit.Unit, t *trail) []policy.Effect {
	s := &sheet{Unit: u, trail: t}
	s.redirects()
	if u.Op != "" {
		s.operation()
		return s.out
	}
	s.bomb()
	if name := u.Program(); name != "" && len(u.Argv) > 0 {
		s.program(name, u.Args())
	} else {
		s.assigned()
	}
	return s.out
}

// program notes what a program does that is known by name.
func (s *sheet) program(name string, args []word.Arg) {
	if unit.Help(args) {
		return
	}
	s.commands(name, args)
	known := s.files(name, args) || s.modes(name, args) || s.disks(name, args) || s.processes(name, args) || s.privileges(name, args)
	if !known || name == "mkdir" || name == "rmdir" {
		known = s.cmdlets(name, args) || known
	}
	s.security(name, args)
	s.persists(name, args)
	if !known {
		s.mentions(name, args)
	}
	s.code(name, args)
}

// distinct leaves each effect in once.
func distinct(all []policy.Effect) []policy.Effect {
	type key struct {
		kind         policy.Kind
		verb, target string
		command      int
	}
	if len(all) < 2 {
		return all
	}
	seen := make(map[key]int, len(all))
	out := all[:0]
	for _, e := range all {
		k := key{e.Kind, e.Verb, e.Target, e.Command}
		if e.Kind == policy.ForkBomb { // it is listed once for each round
			k.command = 0
		}
		if at, ok := seen[k]; ok {
			out[at].Flags = united(out[at].Flags, e.Flags)
			continue
		}
		seen[k] = len(out)
		out = append(out, e)
	}
	return out
}

func united(a, b []string) []string {
	for _, f := range b {
		if !slices.Contains(a, f) {
			a = append(a, f)
		}
	}
	return a
}
