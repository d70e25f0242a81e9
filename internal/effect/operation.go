package effect

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// operation notes what code does itself, as Command.Op names it.
func (s *sheet) operation() {
	if s.Op == "kill" {
		for i, a := range s.Argv {
			if i == 0 || s.Argv[0].Text == "9" || strings.HasPrefix(strings.ToUpper(s.Argv[0].Text), "KILL") { // perl and ruby have the signal first
				s.killed(a)
			}
		}
		return
	}
	if s.Op == "move" || s.Op == "copy" {
		s.transfer()
		return
	}
	switch {
	case s.Op == "chmod" && len(s.Argv) > 1: // the mode is the first
		s.chmod(s.modeArgs())
		return
	case s.Op == "chown" && len(s.Argv) > 1:
		s.paths(s.Argv[1:], change{kind: policy.Chown, recursive: s.Recursive})
		return
	}
	for _, c := range operations {
		if c.op == s.Op {
			c.change.recursive = s.Recursive
			if len(s.Argv) == 0 {
				s.vague(c.change)
			}
			s.paths(s.Argv, c.change)
		}
	}
}

// modeArgs are chmod's words for what code does.
func (s *sheet) modeArgs() []word.Arg {
	if s.Recursive {
		return append(word.Lits("-R"), s.Argv...)
	}
	return s.Argv
}

// operations are the ones that are about paths alone.
var operations = [...]struct {
	op     string
	change change
}{
	{"delete", change{kind: policy.Delete, how: place.Entry}},
	{"write", change{kind: policy.Overwrite}},
	{"overwrite", change{kind: policy.Overwrite}},
	{"append", change{kind: policy.Write, verb: "append"}},
	{"mkdir", change{kind: policy.Write, verb: "mkdir"}},
	{"chmod", change{kind: policy.Chmod}},
	{"chown", change{kind: policy.Chown}},
}

// transfer is a move or a copy: the last operand is where to.
func (s *sheet) transfer() {
	n := len(s.Argv) - 1
	if n < 0 {
		return
	}
	if s.Op == "move" {
		for _, a := range s.Argv[:max(n, 1)] {
			spot := s.path(a, change{kind: policy.Move, how: place.Entry, recursive: true})
			s.trail.move(spot, s.Machine.Place(s.Argv[n], s.Dir, place.Entry))
		}
	}
	if n > 0 {
		s.path(s.Argv[n], change{kind: policy.Overwrite, recursive: s.Recursive})
	}
}
