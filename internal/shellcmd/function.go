package shellcmd

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// call is a function that runs.
type call struct {
	name, args string
	// vague says that not all of its arguments are known.
	vague  bool
	locals []change
}

// maxCalls is how often a function may be around itself.
const maxCalls = 6

func (w *shell) define(c *syntax.FuncDecl) {
	v := val{body: c.Body, base: w.base, hashes: w.hashes, src: w.src}
	if c.Name != nil {
		w.set(function, c.Name.Value, one(v))
		if hook(c.Name.Value) {
			w.later(c.Name.Value)
		}
		return
	}
	for _, n := range c.Names {
		w.set(function, n.Value, one(v))
	}
	if len(c.Names) == 0 {
		// An anonymous function of zsh runs at once.
		w.stmt(c.Body)
	}
}

// callAny runs a command whose name is, or may be, a function's.
func (w *shell) callAny(c *cell, in *invocation) (st status) {
	v := w.choose(c)
	if v.unset || v.body == nil {
		next := *in
		next.noFunction, next.noAlias = true, true
		if !v.unset {
			w.unsure("command", textOf(in.Argv), -1)
		}
		return w.dispatch(&next)
	}
	if specialBuiltin(in.Argv[0].Text) {
		// In some shells these come before functions.
		next := *in
		next.noFunction, next.noAlias = true, true
		ran := w.branch(func() { w.perhaps(func() { w.dispatch(&next) }) })
		w.meet(overlay{}, ran)
	}
	return w.call(v, in)
}

func (w *shell) call(v val, in *invocation) (st status) {
	name, args := in.Argv[0].Text, textOf(in.Argv)
	vague := slices.ContainsFunc(in.Argv[1:], func(a word.Arg) bool { return a.Glob || !a.Known() })
	if w.recurs(name, args, vague) {
		// It is listed as it stands: whoever looks for a fork bomb finds a function that runs itself.
		w.printUnknown(w.emit(in.Command))
		return anyStatus
	}
	if len(in.Redirects) > 0 {
		w.emit(word.Command{Redirects: in.Redirects, Dir: in.Dir})
	}
	defer w.step("function", name)()
	base, leaves, hashes, src := w.base, w.leaves, w.hashes, w.src
	c := &call{name: name, args: args, vague: vague}
	w.calls = append(w.calls, c)
	w.base, w.leaves, w.hashes, w.src = v.base, nil, v.hashes, v.src
	old := w.get(special, "@")
	w.set(special, "@", one(list(in.Argv[1:], in.wild)))
	st = w.leaving("return", func() { st = w.stmt(v.body) })
	w.set(special, "@", old)
	for i := len(c.locals) - 1; i >= 0; i-- {
		w.put(c.locals[i].slot, c.locals[i].cell)
	}
	w.calls = w.calls[:len(w.calls)-1]
	w.last = in.Argv[len(in.Argv)-1]
	w.base, w.leaves, w.hashes, w.src = base, leaves, hashes, src
	return st
}

// recurs tells whether a function that is around itself does nothing new: its arguments were these before, or were as little known.
func (w *shell) recurs(name, args string, vague bool) bool {
	n := 0
	for _, c := range w.calls {
		if c.name != name {
			continue
		}
		if n++; c.args == args && n > 1 || vague && c.vague || n >= maxCalls {
			return true
		}
	}
	return false
}

// list makes arguments a value.
func list(args []word.Arg, wild bool) val {
	v := val{array: true, wild: wild}
	for _, a := range args {
		v.list = append(v.list, a.Text)
		v.glob = v.glob || a.Glob
		v.many = v.many || a.Many && strings.Contains(a.Text, word.Unknown)
		v.by = union(v.by, a.By)
	}
	return v
}

// leave is a way out: what has changed by then.
type leave struct {
	kind string
	to   overlay
}

// leaving runs something that break, continue or return leaves, and makes the state that of any way out.
func (w *shell) leaving(kind string, f func()) (st status) {
	outer := w.leaves
	w.leaves = nil
	o := w.branch(func() {
		w.marks = append(w.marks, mark{kind, len(w.log)})
		f()
		w.marks = w.marks[:len(w.marks)-1]
	})
	ways := []overlay{o}
	rest := outer
	for _, l := range w.leaves {
		if l.kind == kind {
			ways = append(ways, l.to)
		} else {
			rest = append(rest, l)
		}
	}
	w.leaves = rest
	w.meet(ways...)
	return anyStatus
}

// mark is where something began that can be left.
type mark struct {
	kind string
	log  int
}

// leaveTo notes that the present state is one in which something is left.
func (w *shell) leaveTo(kind string) {
	for i := len(w.marks) - 1; i >= 0; i-- {
		if m := w.marks[i]; m.kind == kind {
			if len(w.leaves) < 64 && m.log <= len(w.log) {
				w.leaves = append(w.leaves, leave{kind, overlay{set: w.since(m.log)}})
			}
			break
		}
	}
	w.dead = true
}

// aliased runs a command with its alias replaced, beside what it is without: whether aliases are on is not known.
func (w *shell) aliased(in *invocation, name string) {
	c := w.get(alias, name)
	if c == nil || w.bud.depth > maxDepth {
		return
	}
	v := w.choose(c)
	if v.unset {
		return
	}
	next := *in
	defer w.step("alias", name)()
	w.set(alias, name, nil)
	var text strings.Builder
	text.WriteString(v.text)
	for _, a := range next.Argv[1:] {
		text.WriteString(" " + quoted(a))
	}
	ran := w.branch(func() { w.perhaps(func() { w.nested(text.String()) }) })
	w.meet(overlay{}, ran)
	w.set(alias, name, c)
}

// quoted is a word as text that a shell reads as this word.
func quoted(a word.Arg) string {
	return "'" + strings.ReplaceAll(a.Text, "'", `'\''`) + "'"
}
