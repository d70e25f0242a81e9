// Package network tells what leaves for the network, what comes from it and is run, and which secrets are read.
package network

import (
	"slices"

	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/policy"
)

// Effects are those of one command; none for a program that is not this package's.
func Effects(u unit.Unit) []policy.Effect {
	s := &scan{Unit: u}
	s.redirects()
	if u.Op != "" {
		s.operation()
		return u.Marked(s.out)
	}
	name := u.Program()
	if len(u.Argv) == 0 {
		return u.Marked(s.out)
	}
	s.runs(name)
	if name == "" {
		return u.Marked(s.out)
	}
	args := u.Args()
	if !unit.Help(args) || name == "docker" {
		s.transfers(name, args)
		s.copies(name, args)
		s.sockets(name, args)
		s.serves(name, args)
		s.names(name, args)
		s.mails(name, args)
		s.reads(name, args)
		s.prints(name, args)
	}
	return u.Marked(s.out)
}

// scan collects the effects of one command.
type scan struct {
	unit.Unit
	out []policy.Effect
	// probe says that files that hold no secret are noted too: it is asked what an output holds.
	probe bool
}

const maxEffects = 200

func (s *scan) add(kind policy.Kind, verb, target string, flags ...string) {
	if len(s.out) >= maxEffects {
		return
	}
	for i, e := range s.out {
		if e.Kind == kind && e.Verb == verb && e.Target == target {
			for _, f := range flags {
				if !slices.Contains(e.Flags, f) {
					s.out[i].Flags = append(s.out[i].Flags, f)
				}
			}
			return
		}
	}
	s.out = append(s.out, policy.Effect{Kind: kind, Verb: verb, Target: target, Flags: flags})
}
