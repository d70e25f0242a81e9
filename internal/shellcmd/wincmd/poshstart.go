package wincmd

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// script reads a value as PowerShell of its own; false where it is not known.
func (p *posh) script(v items) bool {
	t := v.text()
	if len(v) == 0 || strings.ReplaceAll(t, word.Unknown, "") == "" {
		return false
	}
	if !p.enter() {
		p.depth--
		return true
	}
	defer func() { p.depth-- }()
	sub := &posh{
		s: t, vars: p.vars, depth: p.depth, maybe: p.maybe, budget: p.budget,
		via: append(p.via[:len(p.via):len(p.via)], word.Via{Kind: "eval", Detail: "Invoke-Expression"}),
	}
	sub.statements(0)
	p.cmds = append(p.cmds, sub.cmds...)
	p.unsure = p.unsure || sub.unsure
	return true
}

// startProcess runs -FilePath with -ArgumentList, with more rights by -Verb RunAs.
func (p *posh) startProcess(c word.Command) items {
	var argv []word.Arg
	user := ""
	where := "FilePath"
	for _, a := range c.Argv[1:] {
		if n, ok := strings.CutPrefix(a.Text, "-"); ok && parameter("Start-Process", n) == n && (n == "FilePath" || n == "ArgumentList" || n == "Verb" ||
			n == "WorkingDirectory" || n == "WindowStyle" || n == "Credential") {
			where = n
			continue
		}
		if where == "ArgumentList" || where == "FilePath" && len(argv) == 0 {
			for i, w := range strings.Fields(a.Text) {
				if where == "FilePath" && i == 0 {
					argv = append(argv, a)
					break
				}
				argv = append(argv, word.Arg{Text: w, Many: a.Many})
			}
			if where == "FilePath" {
				where = "ArgumentList"
			}
			continue
		}
		if where == "Verb" && strings.EqualFold(a.Text, "RunAs") {
			user = "root"
		}
		where = "ArgumentList"
	}
	if len(argv) == 0 {
		p.add(c)
		return unknown()
	}
	p.add(word.Command{Argv: argv, User: user}) // a program: aliases are none
	return unknown()
}

// values are the arguments that stand alone or behind one of some parameters.
func values(args []word.Arg, names ...string) items {
	var out items
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		if !strings.HasPrefix(t, "-") || len(t) < 2 || args[i].Many {
			out = append(out, args[i])
			continue
		}
		mine := false
		for _, n := range names {
			mine = mine || n == t
		}
		switch t {
		case "-Filter", "-Include", "-Exclude", "-ErrorAction", "-Destination", "-Value", "-Depth", "-Encoding", "-Credential":
			if !mine {
				i++
			}
		}
	}
	return out
}

// children are what Get-ChildItem finds.
func children(c word.Command) items {
	var out items
	paths := values(c.Argv[1:], "-Path", "-LiteralPath")
	suffix := word.Unknown
	for i, a := range c.Argv {
		if (a.Text == "-Filter" || a.Text == "-Include") && i+1 < len(c.Argv) {
			if f := c.Argv[i+1].Text; strings.HasPrefix(f, "*.") && strings.Count(f, "*") == 1 {
				suffix += f[1:]
			}
		}
	}
	if len(paths) == 0 {
		paths = lit(".")
	}
	for _, a := range paths {
		if a.Glob {
			out = append(out, a)
			continue
		}
		out = append(out, word.Arg{Text: strings.TrimRight(a.Text, `\/`) + `/` + suffix, Many: a.Many})
	}
	return out
}
