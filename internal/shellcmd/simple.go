package shellcmd

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// invocation is a simple command after its expansions, before it is known what its name stands for.
type invocation struct {
	word.Command
	wild bool
	// noFunction says that the name is no function's (command x), noAlias that it was quoted or comes from an expansion.
	noFunction, noAlias bool
	depth               int
}

func (w *shell) simple(x *syntax.CallExpr, rs []word.Redirect) status {
	return w.eachStatus(func() status { return w.simpleOnce(x, rs) })
}

func (w *shell) simpleOnce(x *syntax.CallExpr, rs []word.Redirect) status {
	procs := w.procs
	w.procs = nil
	before := len(w.r.Commands)
	naming := w.naming
	w.naming = true
	args, wild := w.arguments(x.Args)
	w.naming = naming
	if len(args) == 0 {
		w.assignments(x.Assigns)
		w.last = word.Arg{}
		if len(rs) > 0 {
			w.emit(word.Command{Redirects: rs})
		}
		w.finish(w.procs)
		w.procs = procs
		// The status is that of the last substitution.
		if len(w.r.Commands) > before || len(x.Args) > 0 {
			return anyStatus
		}
		return success
	}
	in := invocation{Command: word.Command{Argv: args, Redirects: rs, Dir: w.dir()}, wild: wild}
	in.noAlias = x.Args[0].Lit() == "" || strings.Contains(x.Args[0].Lit(), "\\")
	if w.base >= 0 {
		in.From, in.To = w.span(x)
	}
	mine := w.procs
	w.procs = procs
	st := w.withAssigns(x, &in)
	w.finish(mine)
	return st
}

// withAssigns runs a command with the variables that are set for it alone.
func (w *shell) withAssigns(x *syntax.CallExpr, in *invocation) (st status) {
	if len(x.Assigns) == 0 {
		return w.dispatch(in)
	}
	var saved []change
	for _, a := range x.Assigns {
		if a.Name == nil {
			continue
		}
		at := slot{variable, a.Name.Value}
		saved = append(saved, change{at, w.cells[at]})
		v := w.assigned(a)
		in.Assigns = append(in.Assigns, word.Assign{Name: a.Name.Value, Value: v.arg()})
		v.attr += "x"
		w.set(variable, a.Name.Value, one(v))
	}
	st = w.dispatch(in)
	if specialBuiltin(in.Name()) && w.posix {
		return st
	}
	for i := len(saved) - 1; i >= 0; i-- {
		w.put(saved[i].slot, saved[i].cell)
	}
	return st
}

func (v val) arg() word.Arg {
	text := v.text
	if v.array {
		text = strings.Join(v.list, " ")
	}
	return word.Arg{Text: text, By: v.by}
}

func specialBuiltin(name string) bool {
	switch name {
	case "eval", "exec", "export", "readonly", "set", "shift", "trap", "unset", ".", "source", ":", "return", "exit", "break", "continue", "times":
		return true
	}
	return false
}

// dispatch runs a command as what its name stands for: an alias, a function, a builtin, a program.
func (w *shell) dispatch(in *invocation) status {
	if in.depth++; in.depth > maxDepth || !w.bud.step() {
		w.bud.over = true
		return anyStatus
	}
	w.before = nil
	first := in.Argv[0]
	if !first.Known() {
		return w.unknownName(in)
	}
	name := first.Text
	if !in.noAlias {
		w.aliased(in, name)
	}
	if !in.noFunction {
		if c := w.get(function, name); c != nil {
			return w.callAny(c, in)
		}
	}
	if first.Glob {
		w.globName(in)
		start := len(w.r.Commands)
		defer func() {
			if len(w.r.Commands) == start {
				start = -1
			}
			w.unsure("command", textOf(in.Argv), start)
		}()
	}
	if module, ok := strings.CutPrefix(name, "zf_"); ok && module != "" {
		// zsh has some programs as builtins, under these names.
		in.Argv = append([]word.Arg{word.Lit(module)}, in.Argv[1:]...)
		return w.program(in)
	}
	if f := builtinOf(name); f != nil {
		return f(w, in)
	}
	return w.program(in)
}

// unknownName is a command whose name only a run would tell. What follows it may be one as well: $SUDO rm. An unset variable in a
// name leaves the rest of it.
func (w *shell) unknownName(in *invocation) status {
	first := in.Argv[0]
	i := w.emit(in.Command)
	w.unsure("command", textOf(in.Argv), i)
	w.printUnknown(i)
	rest := strings.ReplaceAll(first.Text, word.Unknown, "")
	next := *in
	switch {
	case rest == "" && len(in.Argv) > 1:
		next.Argv = in.Argv[1:]
	case rest != "" && !in.wild && !strings.HasSuffix(rest, "/"):
		next.Argv = append([]word.Arg{{Text: rest, Glob: first.Glob}}, in.Argv[1:]...)
	default:
		return anyStatus
	}
	next.Redirects = nil
	ran := w.branch(func() { w.perhaps(func() { w.dispatch(&next) }) })
	ran.dead = false
	w.meet(overlay{}, ran)
	return anyStatus
}

// arguments expands a command's words. Those of export and its like are assignments where they look like one: they are not split.
func (w *shell) arguments(list []*syntax.Word) (out []word.Arg, wild bool) {
	if len(list) < 2 || !declares(list[0].Lit()) {
		return w.words(list)
	}
	out, wild = w.words(list[:1])
	for _, x := range list[1:] {
		lit, ok := x.Parts[0].(*syntax.Lit)
		name, _, cut := "", "", false
		if ok {
			name, _, cut = strings.Cut(lit.Value, "=")
		}
		if !cut || !syntax.ValidName(name) {
			args, more := w.words([]*syntax.Word{x})
			out, wild = append(out, args...), wild || more
			continue
		}
		v := w.value(x)
		out, wild = append(out, v.arg()), wild || v.wild
	}
	return out, wild
}

func declares(name string) bool {
	switch name {
	case "export", "readonly", "local", "typeset", "declare":
		return true
	}
	return false
}
