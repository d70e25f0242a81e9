package effect

import (
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// modes notes changes of modes, owners and attributes, and tells whether this is a program for them.
func (s *sheet) modes(name string, args []word.Arg) bool {
	switch name {
	case "chmod", "gchmod":
		s.chmod(args)
	case "chown", "gchown", "chgrp", "gchgrp":
		o := unit.Options(args, "reference from")
		c := change{kind: policy.Chown, verb: strings.TrimPrefix(name, "g"), recursive: o.Has("R") || long(o, "recursive")}
		operands := o.Operands
		if !o.Has("reference") && len(operands) > 0 {
			operands = operands[1:]
		}
		s.paths(operands, c)
	case "chattr", "chflags", "setfacl", "xattr", "setfattr":
		s.attributes(name, args)
	case "setcap":
		o := unit.Options(args, "n")
		s.add(policy.Privilege, "setcap", textOf(o.Operands, 1))
	default:
		return false
	}
	return true
}

func (s *sheet) chmod(args []word.Arg) {
	var mode string
	var operands []word.Arg
	c, reference, ended, found := change{kind: policy.Chmod}, false, false, false
	for _, a := range args {
		t := a.Text
		switch {
		case !ended && t == "--":
			ended = true
		case !ended && (t == "-R" || strings.HasPrefix("--recursive", t) && len(t) > 3):
			c.recursive = true
		case !ended && strings.HasPrefix(t, "--reference="):
			reference = true
		case !ended && strings.HasPrefix(t, "-") && len(t) > 1 && strings.Trim(t[1:], "RfvcHLPhENaCIi") == "":
			c.recursive = c.recursive || strings.Contains(t, "R")
			c.forced = c.forced || strings.Contains(t, "f")
		case !ended && strings.HasPrefix(t, "--"):
		case !found && !reference:
			mode, found = t, true
		default:
			operands = append(operands, a)
		}
	}
	c.verb, c.runs = openness(mode), makesProgram(mode)
	s.rights(mode, operands)
	if closes(mode) && !c.recursive {
		operands = slices.DeleteFunc(operands, func(a word.Arg) bool {
			return a.Known() && !a.Glob && s.Machine.Place(a, s.Dir, 0).Where == policy.User
		})
	}
	s.paths(operands, c)
}

// closes tells modes that keep others out and let the owner read: what ssh wants of its files.
func closes(mode string) bool {
	switch strings.TrimPrefix(mode, "0") {
	case "600", "700", "400", "500", "go-rwx", "og-rwx", "go=", "og=", "u=rw,go=", "u=rwx,go=":
		return true
	}
	return false
}

// rights notes that a mode lets a program run as its owner.
func (s *sheet) rights(mode string, operands []word.Arg) {
	if !setsID(mode) {
		return
	}
	for _, a := range operands {
		if spot := s.Machine.Place(a, s.Dir, 0); !spot.Stream {
			s.put(policy.Effect{Kind: policy.Privilege, Verb: "setuid", Target: spot.Path, Where: spot.Where})
		}
	}
}

// openness says of a mode that everybody may write, or nobody may do anything.
func openness(mode string) string {
	if octal(mode) {
		last := mode[len(mode)-1]
		switch {
		case (last-'0')&2 != 0 && !(len(mode) > 3 && mode[0] == '1'):
			return "world-writable"
		case strings.Trim(mode, "0") == "":
			return "none"
		}
		return ""
	}
	for clause := range strings.SplitSeq(mode, ",") {
		at := strings.IndexAny(clause, "+=")
		if at > 0 && strings.ContainsAny(clause[:at], "oa") && strings.Contains(clause[at:], "w") {
			return "world-writable"
		}
	}
	return ""
}

// makesProgram tells whether a mode lets anybody run a file.
func makesProgram(mode string) bool {
	if octal(mode) {
		return strings.ContainsAny(mode[max(0, len(mode)-3):], "1357")
	}
	for clause := range strings.SplitSeq(mode, ",") {
		if at := strings.IndexAny(clause, "+="); at >= 0 && strings.Contains(clause[at:], "x") {
			return true
		}
	}
	return false
}

func setsID(mode string) bool {
	if octal(mode) {
		return len(strings.TrimLeft(mode, "0")) == 4 && mode[len(mode)-4] >= '2'
	}
	for clause := range strings.SplitSeq(mode, ",") {
		at := strings.IndexAny(clause, "+=")
		if at >= 0 && strings.Contains(clause[at:], "s") && (at == 0 || strings.ContainsAny(clause[:at], "uga")) {
			return true
		}
	}
	return false
}

func octal(mode string) bool {
	return mode != "" && len(mode) < 6 && strings.Trim(mode, "01234567") == ""
}

// attributes are those beside the modes.
func (s *sheet) attributes(name string, args []word.Arg) {
	o := unit.Options(args, "m modify x remove M X n v p w d")
	c := change{kind: policy.Chmod, verb: name, recursive: o.Has("R", "r", "recursive")}
	operands := o.Operands
	switch {
	case name == "setfacl" || name == "setfattr":
	case name == "xattr" && !o.Has("w", "d", "c"):
		return // it lists
	case len(operands) > 0 && !(name == "xattr" && (o.Has("c") || o.Has("d"))) && !(name == "chattr" && dashed(args)):
		operands = operands[1:]
	}
	s.paths(operands, c)
}

// dashed tells whether the attributes stand behind a dash, so that they are no operand.
func dashed(args []word.Arg) bool {
	for _, a := range args {
		if strings.HasPrefix(a.Text, "+") || strings.HasPrefix(a.Text, "=") {
			return false
		}
	}
	return true
}
