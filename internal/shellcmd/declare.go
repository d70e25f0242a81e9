package shellcmd

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// declare is declare, export, local, readonly, typeset as the parser reads them.
func (w *shell) declare(x *syntax.DeclClause, rs []word.Redirect) status {
	w.each(func() { w.declareOnce(x, rs) })
	return anyStatus
}

func (w *shell) declareOnce(x *syntax.DeclClause, rs []word.Redirect) {
	name := x.Variant.Value
	cmd := word.Command{Argv: word.Lits(name), Redirects: rs, Dir: w.dir()}
	if w.base >= 0 {
		cmd.From, cmd.To = w.span(x)
	}
	d := declaration{local: w.inFunction() && (name == "local" || name == "declare" || name == "typeset")}
	switch name {
	case "export":
		d.attr = "x"
	case "nameref":
		d.attr = "n"
	}
	for _, a := range x.Args {
		w.declareArg(a, &d, &cmd)
	}
	if c := w.get(function, name); c != nil {
		in := invocation{Command: cmd}
		w.callAny(c, &in)
	}
	if at := w.emit(cmd); len(cmd.Argv) == 1 || strings.Contains(cmd.Argv[1].Text, "p") && strings.HasPrefix(cmd.Argv[1].Text, "-") {
		w.printUnknown(at) // it lists variables
	}
}

type declaration struct {
	attr             string
	local, functions bool
}

func (w *shell) declareArg(a *syntax.Assign, d *declaration, cmd *word.Command) {
	if a.Name == nil {
		args, wild := w.words([]*syntax.Word{a.Value})
		w.subscripts(args)
		for _, arg := range args {
			cmd.Argv = append(cmd.Argv, arg)
			w.declareText(arg.Text, d, cmd, wild)
		}
		return
	}
	name := a.Name.Value
	if d.local {
		w.keepLocal(name)
	}
	if a.Naked && a.Index == nil {
		cmd.Argv = append(cmd.Argv, word.Lit(name))
		w.declareNaked(name, d)
		return
	}
	if strings.Contains(d.attr, "A") && a.Array != nil {
		w.set(variable, name, one(val{array: true, keys: []string{}, attr: "A"}))
	}
	w.setAssigned(a, d.attr)
	v := w.variable(name)
	arg := v.arg()
	if strings.Contains(d.attr, "x") {
		w.noteExport(name)
		cmd.Assigns = append(cmd.Assigns, word.Assign{Name: name, Value: arg})
	}
	arg.Text = name + "=" + arg.Text
	cmd.Argv = append(cmd.Argv, arg)
}

// declareText is an argument that is no plain assignment: an option, or text that came out of an expansion.
func (w *shell) declareText(text string, d *declaration, cmd *word.Command, wild bool) {
	if strings.HasPrefix(text, "-") {
		d.options(text[1:])
		return
	}
	name, value, ok := strings.Cut(text, "=")
	if !syntax.ValidName(name) {
		return
	}
	if d.local {
		w.keepLocal(name)
	}
	if !ok {
		w.declareNaked(name, d)
		return
	}
	w.setVar(name, val{text: value, attr: d.attr, wild: wild, many: hasUnknown(value)})
	if strings.Contains(d.attr, "x") {
		w.noteExport(name)
		cmd.Assigns = append(cmd.Assigns, word.Assign{Name: name, Value: word.Lit(value)})
	}
}

func (d *declaration) options(letters string) {
	for _, c := range letters {
		switch c {
		case 'x', 'i', 'l', 'u', 'n', 'A':
			d.attr += string(c)
		case 'g':
			d.local = false
		case 'f', 'F':
			d.functions = true
		}
	}
}

func (w *shell) declareNaked(name string, d *declaration) {
	if d.functions {
		if c := w.get(function, name); c != nil {
			v := c.vals[0]
			v.attr = d.attr
			w.set(function, name, one(v))
		}
		return
	}
	if strings.Contains(d.attr, "x") {
		w.noteExport(name)
	}
	v := w.variable(name)
	switch {
	case d.local && !strings.Contains(d.attr, "x"):
		v = val{unset: true}
	case d.attr == "":
		return
	case v.unset && hasUnknown(v.text) && d.attr == "x":
		// It exports what the environment has.
		return
	}
	v.attr = d.attr
	w.set(variable, name, one(v))
}

func (w *shell) inFunction() bool { return len(w.calls) > 0 }

// keepLocal remembers what a name was outside of the function.
func (w *shell) keepLocal(name string) {
	if len(w.calls) == 0 {
		return
	}
	c := w.calls[len(w.calls)-1]
	at := slot{variable, name}
	for _, l := range c.locals {
		if l.slot == at {
			return
		}
	}
	c.locals = append(c.locals, change{at, w.cells[at]})
}

// exported are the variables that programs get, as far as the text sets them.
func (w *shell) exported() []word.Assign {
	if w.exports == 0 {
		return nil
	}
	if w.exportedAt == w.exports {
		return w.exportedList
	}
	var out []word.Assign
	for _, name := range w.exportNames {
		if c := w.get(variable, name); c != nil && w.inherited(c) && len(c.vals) == 1 {
			out = append(out, word.Assign{Name: name, Value: c.vals[0].arg()})
		}
	}
	w.exportedAt, w.exportedList = w.exports, out
	return out
}

func (w *shell) noteExport(name string) {
	w.exports++
	if len(w.exportNames) >= 32 {
		return
	}
	for _, n := range w.exportNames {
		if n == name {
			return
		}
	}
	w.exportNames = append(w.exportNames, name)
}
