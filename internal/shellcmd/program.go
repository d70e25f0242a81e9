package shellcmd

import (
	"path"

	"github.com/boathook/boathook/internal/shellcmd/produce"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/internal/shellcmd/wrap"
)

// program runs what is no function and no builtin: a program, and what it runs in turn.
func (w *shell) program(in *invocation) status {
	c := in.Command
	if c.Via == nil {
		c.Via = w.via
	}
	if !c.Stdin.Given {
		if cell := w.get(special, "in"); cell != nil {
			c.Stdin = data(one(w.choose(cell)))
		}
	}
	w.last = c.Argv[len(c.Argv)-1]
	w.fromFiles(&c)
	inner, self := wrap.Unwrap(c)
	at := -1
	if self || len(inner) == 0 || len(c.Redirects) > 0 && !carries(inner) {
		at = w.emit(c)
		self = true
	}
	for i := range inner {
		in2 := &inner[i]
		if !self && i == 0 && in2.Text == nil {
			w.inner(in2, c, in, c.Redirects)
			continue
		}
		w.inner(in2, c, in, nil)
	}
	if at >= 0 {
		w.runsFile(c, at)
		w.writesFiles(c, at)
		if prints(inner) {
			return w.outputOf(c, at)
		}
	}
	return anyStatus
}

// prints tells whether a program prints something of its own: awk does, where sudo prints what its command prints.
func prints(inner []word.Inner) bool {
	for i := range inner {
		if inner[i].Op == "" && (inner[i].Text == nil || shellLang(inner[i].Lang)) {
			return false
		}
	}
	return true
}

// carries tells whether an inner command can have the outer's redirections.
func carries(inner []word.Inner) bool { return len(inner) > 0 && inner[0].Text == nil }

// outputOf prints what a program prints.
func (w *shell) outputOf(c word.Command, at int) status {
	if !w.capture {
		return statusOfName(c.Name())
	}
	if silent(c) {
		return anyStatus
	}
	if w.dashEcho(c, at) {
		return success
	}
	d, ok := w.readFile(c)
	if !ok {
		d, ok = produce.Output(c)
	}
	if !ok {
		d = word.Data{Given: true, Text: word.Unknown}
	}
	d.From = union(d.From, []int{at})
	w.print(d, !harmless(c))
	return statusOfName(c.Name())
}

// silent tells of programs that were told to print nothing.
func silent(c word.Command) bool {
	switch c.Name() {
	case "grep", "egrep", "fgrep", "cmp", "rg":
	default:
		return false
	}
	for _, a := range c.Argv[1:] {
		switch a.Text {
		case "-q", "--quiet", "-s", "--silent", "-qs", "-qE", "-qF", "-qi", "-qw", "-qx":
			return a.Text != "-s" || c.Name() == "cmp"
		}
	}
	return false
}

// dashEcho prints what echo - x prints: in zsh the dash ends the options and is no word.
func (w *shell) dashEcho(c word.Command, at int) bool {
	if len(c.Argv) < 2 || c.Argv[0].Text != "echo" || c.Argv[1].Text != "-" || !w.zsh && !w.anyShell() {
		return false
	}
	short := c
	short.Argv = append([]word.Arg{c.Argv[0]}, c.Argv[2:]...)
	ways := []word.Command{short, c}
	if w.zsh {
		ways = ways[:1]
	}
	var all []overlay
	for _, way := range ways {
		all = append(all, w.branch(func() {
			d, _ := produce.Output(way)
			d.From = union(d.From, []int{at})
			w.print(d, true)
		}))
	}
	w.meet(all...)
	return true
}

func statusOfName(name string) status {
	switch name {
	case "true", ":", "echo":
		return success
	case "false":
		return failure
	}
	return anyStatus
}

// inner runs what a program runs.
func (w *shell) inner(n *word.Inner, outer word.Command, in *invocation, rs []word.Redirect) {
	if in.depth > maxDepth || !w.bud.step() {
		w.bud.over = true
		return
	}
	old := *w
	w.via = append(outer.Via[:len(outer.Via):len(outer.Via)], n.Via)
	if n.Via.Kind == "" {
		w.via = outer.Via
	}
	if n.User != "" {
		w.user = n.User
	}
	if n.Host != "" {
		w.host, w.mounts = n.Host, n.Mounts
	}
	w.maybe = w.maybe || n.Maybe
	run := func() { w.innerIn(n, outer, in, rs) }
	o := w.branch(run)
	w.via, w.user, w.host, w.mounts, w.maybe = old.via, old.user, old.host, old.mounts, old.maybe
	w.keepOutside(o)
}

// keepOutside keeps of a process's changes what others see.
func (w *shell) keepOutside(o overlay) {
	for _, c := range o.set {
		if c.slot.kind == file || c.slot.kind == special && (c.slot.name == "out" || c.slot.name == "in") {
			w.put(c.slot, c.cell)
		}
	}
}

func (w *shell) innerIn(n *word.Inner, outer word.Command, in *invocation, rs []word.Redirect) {
	if n.Dir != nil {
		w.setDir(*n.Dir)
	}
	stdin := outer.Stdin
	if n.Stdin != nil {
		stdin = *n.Stdin
	}
	if stdin.Given || n.Stdin != nil {
		w.set(special, "in", one(val{unset: !stdin.Given, text: stdin.Text, by: stdin.From, wild: true}))
	}
	if n.Text != nil {
		w.code(n, outer, in)
		return
	}
	if n.Op != "" {
		w.emit(word.Command{Argv: n.Argv, Op: n.Op, Recursive: n.Recursive, Assigns: n.Assigns, Dir: w.dir()})
		return
	}
	if len(n.Argv) == 0 {
		return
	}
	assigns := append(outer.Assigns[:len(outer.Assigns):len(outer.Assigns)], n.Assigns...)
	for _, a := range n.Assigns {
		w.set(variable, a.Name, one(val{text: a.Value.Text, attr: "x"}))
	}
	next := invocation{
		Command: word.Command{Argv: n.Argv, Assigns: assigns, Redirects: rs, Dir: w.dir(), From: outer.From, To: outer.To},
		wild:    in.wild, depth: in.depth + 1, noAlias: true, noFunction: true,
	}
	if !next.Argv[0].Known() {
		w.unknownName(&next)
		return
	}
	w.program(&next)
}

// environment is a variable as a program sees it, where its value is known.
func (w *shell) environment(name string) (string, bool) {
	c := w.get(variable, name)
	if c == nil || !w.inherited(c) || len(c.vals) != 1 || c.vals[0].unset || c.vals[0].array || !c.vals[0].known() {
		return "", false
	}
	return c.vals[0].text, true
}

// harmless tells whether a program's output is a plain word that no one else has chosen.
func harmless(c word.Command) bool {
	switch path.Base(c.Name()) {
	case "pwd", "date", "nproc", "dirname", "basename", "mktemp", "which", "id", "whoami", "hostname", "uname", "arch", "tty", "realpath",
		"readlink", "seq", "wc", "getconf", "logname", "uuidgen", "sw_vers", "type", "pgrep", "pidof", "lsof", "stat", "du", "df", "expr":
		return true
	case "command":
		return len(c.Argv) > 1 && (c.Argv[1].Text == "-v" || c.Argv[1].Text == "-V")
	case "git":
		return len(c.Argv) > 1 && (c.Argv[1].Text == "rev-parse" || c.Argv[1].Text == "merge-base" || c.Argv[1].Text == "hash-object" || c.Argv[1].Text == "describe")
	case "brew", "npm", "yarn", "pnpm", "go", "python", "python3", "node", "rustc", "java", "xcrun", "nvm", "pyenv", "rbenv":
		return true
	}
	return false
}
