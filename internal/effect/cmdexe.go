package effect

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// slashOptions sorts the arguments of a command of cmd.exe: /s /q are options, which may be in one word.
func slashOptions(args []word.Arg) (on func(string) bool, operands []word.Arg) {
	var options string
	for _, a := range args {
		t := a.Text
		if len(t) >= 2 && t[0] == '/' && (len(t) <= 3 || t[2] == ':' || t[2] == '/' || slashWord(t)) {
			options += strings.ToLower(t) + " "
			continue
		}
		a.Glob = a.Glob || strings.ContainsAny(t, "*?")
		operands = append(operands, a)
	}
	return func(name string) bool { return strings.Contains(options, "/"+name) }, operands
}

// slashWord tells the long options from paths of Unix.
func slashWord(t string) bool {
	switch strings.ToLower(t) {
	case "/mir", "/purge", "/move", "/mov", "/grant", "/reset", "/deny", "/setowner", "/inheritance", "/create", "/delete", "/sd", "/add", "/active":
		return true
	}
	return false
}

// cmd notes what commands of cmd.exe and programs of Windows do, and tells whether this is one of them.
func (s *sheet) cmd(name string, args []word.Arg) bool {
	on, operands := slashOptions(args)
	switch name {
	case "del", "erase":
		s.paths(operands, change{kind: policy.Delete, how: place.Entry, recursive: on("s"), forced: on("q") || on("f")})
	case "rd":
		s.paths(operands, rd(on))
	case "move", "ren":
		s.moved(name, operands)
	case "copy", "xcopy":
		if n := len(operands); n > 1 {
			s.into(operands[:n-1], operands[n-1], change{kind: policy.Overwrite, recursive: on("s") || on("e")})
		}
	case "robocopy":
		s.robocopy(args)
	case "md":
		s.paths(operands, change{kind: policy.Write, verb: "mkdir"})
	case "format":
		for _, a := range operands {
			if len(a.Text) == 2 && a.Text[1] == ':' {
				s.add(policy.Device, "format", a.Text)
			}
		}
	case "reg":
		if v := strings.ToLower(textOf(args, 0)); v == "delete" {
			s.add(policy.Security, "registry-delete", textOf(args, 1))
		}
		s.runKeys(args)
	case "icacls", "cacls", "takeown", "attrib":
		s.acls(name, on, operands, args)
	case "net", "net1":
		if strings.EqualFold(textOf(args, 0), "localgroup") || strings.EqualFold(textOf(args, 0), "user") && on("add") {
			s.add(policy.Privilege, "accounts", joined(args))
		}
	case "logoff", "tsdiscon":
		s.add(policy.Kill, "user", "")
	default:
		return false
	}
	return true
}

func rd(on func(string) bool) change {
	c := change{kind: policy.Delete, how: place.Entry, recursive: on("s"), forced: on("q")}
	if !c.recursive {
		c.verb = "rmdir"
	}
	return c
}

func (s *sheet) moved(name string, operands []word.Arg) {
	n := len(operands)
	if n == 0 {
		return
	}
	s.paths(operands[:max(n-1, 1)], change{kind: policy.Move, how: place.Entry, recursive: true})
	if n > 1 && name == "move" {
		s.into(operands[:n-1], operands[n-1], change{kind: policy.Overwrite})
	}
}

// robocopy deletes at its destination what the source has not, with /MIR and /PURGE.
func (s *sheet) robocopy(args []word.Arg) {
	if len(args) < 2 {
		return
	}
	to := args[1]
	on, _ := slashOptions(args)
	if on("mir") || on("purge") {
		s.path(word.Arg{Text: strings.TrimRight(to.Text, `/\`) + "/*", Glob: true, Many: to.Many}, change{kind: policy.Delete, verb: "sync", recursive: true})
	}
	if on("move") || on("mov") {
		s.path(args[0], change{kind: policy.Move, how: place.Entry, recursive: true})
	}
	s.path(to, change{kind: policy.Overwrite, recursive: true})
}

func (s *sheet) acls(name string, on func(string) bool, operands, args []word.Arg) {
	c := change{kind: policy.Chmod, verb: name}
	switch name {
	case "takeown":
		c.kind, c.recursive = policy.Chown, on("r")
		for i, a := range args {
			if strings.EqualFold(a.Text, "/f") && i+1 < len(args) {
				s.path(args[i+1], c)
			}
		}
		return
	case "attrib":
		c.recursive = on("s")
		for _, a := range operands {
			if !strings.HasPrefix(a.Text, "+") && !strings.HasPrefix(a.Text, "-") {
				s.path(a, c)
			}
		}
		return
	}
	c.recursive = on("t")
	if on("grant") || on("reset") || on("deny") || on("setowner") || on("inheritance") || on("g") || on("p") {
		s.paths(first(operands), c)
	}
}
