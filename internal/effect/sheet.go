package effect

import (
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// sheet collects the effects of one command.
type sheet struct {
	unit.Unit
	out []policy.Effect
	// asked is how often the disk was asked about its paths.
	asked int
	full  bool
	// toolName is that of a tool that is no command.
	toolName string
	// trail is of all of the text, nil where there is none.
	trail *trail
}

// The bounds of one command: of its effects, and of the paths that the disk is asked about. Paths beyond are judged as they are written.
const (
	maxEffects = 2000
	maxAsked   = 200
)

// add notes an effect that is about no path.
func (s *sheet) add(kind policy.Kind, verb, target string, flags ...string) {
	s.put(policy.Effect{Kind: kind, Verb: verb, Target: target, Flags: flags})
}

func (s *sheet) put(e policy.Effect) {
	if len(s.out) >= maxEffects {
		if !s.full { // what is left may be anything
			s.full = true
			s.out = append(s.out, policy.Effect{Kind: policy.Dynamic, Verb: "limit", Command: s.I})
		}
		return
	}
	e.Command = s.I
	for _, f := range [...]struct {
		on   bool
		name string
	}{{s.remote(), "remote"}, {s.Host == "container", "container"}, {s.User == "root", "sudo"}, {s.Maybe, "maybe"}} {
		if f.on {
			e.Flags = append(e.Flags, f.name)
		}
	}
	s.out = append(s.out, e)
}

// change is what a command does to a path.
type change struct {
	kind              policy.Kind
	verb              string
	how               place.How
	recursive, forced bool
	// runs says that a mode makes a file a program.
	runs bool
}

// path notes what becomes of a path, and what follows from which path it is.
func (s *sheet) path(a word.Arg, c change) place.Spot {
	if s.traced(a, c) {
		return s.Machine.Place(a, s.Dir, c.how)
	}
	return s.pathIn(a, s.Dir, c)
}

// pathIn does so for a path that is seen from another directory.
func (s *sheet) pathIn(a, dir word.Arg, c change) place.Spot {
	m := s.Machine
	if s.full {
		return place.Spot{Where: policy.Nowhere}
	}
	if s.asked++; s.asked > maxAsked || s.remote() {
		blind := *m
		blind.Facts = nil
		m = &blind
	}
	spot := m.Place(a, dir, c.how)
	if a.Text == "" || spot.Stream {
		return spot
	}
	e := policy.Effect{Kind: c.kind, Verb: c.verb, Target: spot.Path, Where: spot.Where}
	if c.recursive {
		e.Flags = append(e.Flags, "recursive")
	}
	if c.forced {
		e.Flags = append(e.Flags, "forced")
	}
	flags := m.Flags(spot)
	if s.lost(spot, c) {
		flags = slices.DeleteFunc(flags, func(f string) bool { return f == "missing" })
	}
	e.Flags = append(e.Flags, flags...)
	if c.kind == policy.Overwrite && c.verb == "" && inside(spot.Where) {
		e.Verb = "edit"
	}
	s.put(e)
	s.special(spot, c)
	return spot
}

// paths does so for several.
func (s *sheet) paths(args []word.Arg, c change) {
	for _, a := range args {
		s.path(a, c)
	}
}

// vague notes that a command gets operands that nobody knows: none are there, or they come from elsewhere.
func (s *sheet) vague(c change) {
	e := policy.Effect{Kind: c.kind, Verb: c.verb, Where: policy.Nowhere, Flags: []string{"dynamic"}}
	if c.recursive {
		e.Flags = append(e.Flags, "recursive")
	}
	if c.forced {
		e.Flags = append(e.Flags, "forced")
	}
	s.put(e)
}

func inside(w policy.Where) bool { return w == policy.Inside || w == policy.Project || w == policy.VCS }

// remote tells whether the command runs elsewhere. What comes back to this machine over the network is here.
func (s *sheet) remote() bool {
	host := s.Host[strings.LastIndexByte(s.Host, '@')+1:]
	switch host {
	case "", "localhost", "127.0.0.1", "::1", "[::1]", "0.0.0.0", "ip6-localhost":
		return false
	}
	return true
}
