package shellcmd

import (
	"mvdan.cc/sh/v3/syntax"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// status is a command's exit status, as far as it is known.
type status uint8

const (
	anyStatus status = iota
	success
	failure
)

func (s status) not() status {
	switch s {
	case success:
		return failure
	case failure:
		return success
	}
	return anyStatus
}

func statusOf(ok bool) status {
	if ok {
		return success
	}
	return failure
}

// shell is one shell that reads text: the one that was asked about, or one that it starts. It runs the text in its head, with
// what it knows, through every branch.
type shell struct {
	r   *Result
	bud *budget
	opt Options
	lang
	*state
	// base is the place of the text at hand in the text that was judged, -1 where it does not stand there.
	base int
	via  []word.Via
	// maybe says that what stands here need not run; dead that it is not reached.
	maybe, dead bool
	user, host  string
	// mounts are the directories of this machine that are seen on host.
	mounts []word.Mount
	// piped says that output goes to a command, capture that somebody wants to know it, direct that the next statement is what is piped.
	piped, capture, direct bool
	// again counts loops and alternatives around: there a command that was seen just so is not listed once more.
	again int
	seen  map[string]int
	picks []pick
	// places are the values that substitutions had, naming says that a command's name is being read.
	places map[syntax.Node]*cell
	naming bool
	// inDocument says that what is being expanded is a here-document.
	inDocument bool
	// elements are array elements that are one in bash and another in zsh.
	elements []*cell
	// src is the text at hand; hashes says that it was read with stand-ins for #.
	src    string
	hashes bool
	calls  []*call
	// leaves are the states at break, continue and return, for whom they leave.
	leaves []leave
	// printed are outputs of ways that ended in exit.
	printed []*cell
	// pending are the process substitutions of the present command.
	procs []proc
	// before is where the shell was before the cd that was run last, nil where another command was.
	before *cell
	// marks are where loops and functions began, for what leaves them.
	marks []mark
	last  word.Arg
	// files says that the text makes any, traps that it sets any.
	files, traps bool
	inTraps      int
	fileNames    []string
	// exports counts the changes to what is exported.
	allExport    bool
	exports      int
	exportNames  []string
	exportedAt   int
	exportedList []word.Assign
}

// step says in the via what a part of the text is, and gives what takes it back.
func (w *shell) step(kind, detail string) func() {
	old := w.via
	w.via = append(old[:len(old):len(old)], word.Via{Kind: kind, Detail: detail})
	return func() { w.via = old }
}

func (w *shell) perhaps(f func()) {
	old := w.maybe
	w.maybe = true
	f()
	w.maybe = old
}

// branch runs one of several ways; the state is as before when it returns.
func (w *shell) branch(f func()) overlay {
	old := w.dead
	w.dead = false
	o := w.try(f)
	o.dead = w.dead
	w.dead = old
	return o
}

// meet makes the state that of any of the branches.
func (w *shell) meet(branches ...overlay) {
	if w.join(branches...) {
		w.dead = true
	}
}

// subshell runs something whose variables end with it; its files and its input and output stay.
func (w *shell) subshell(f func()) {
	leaves, printed, last := w.leaves, w.printed, w.last
	w.leaves, w.printed = nil, nil
	o := w.branch(func() {
		w.set(special, "trap EXIT", nil)
		f()
		w.atExit()
		if len(w.printed) > 0 {
			w.set(special, "out", merge(slot{special, "out"}, append(w.printed, w.get(special, "out"))...))
		}
	})
	w.leaves, w.printed, w.last = leaves, printed, last
	for _, c := range o.set {
		if c.slot.kind == file || c.slot.kind == special && (c.slot.name == "in" || c.slot.name == "out") {
			w.put(c.slot, c.cell)
		}
	}
}

func (w *shell) stmts(list []*syntax.Stmt) (st status) {
	st = success
	for _, s := range list {
		if w.bud.over {
			return anyStatus
		}
		st = w.stmt(s)
	}
	return st
}

func (w *shell) stmt(s *syntax.Stmt) (st status) {
	if !w.bud.step() || w.bud.depth >= maxDepth {
		w.bud.over = true
		return anyStatus
	}
	w.bud.depth++
	defer func() { w.bud.depth-- }()
	if s.Background || s.Coprocess || s.Disown {
		defer w.step("background", "")()
		w.subshell(func() { w.redirected(s) })
		return success
	}
	st = w.redirected(s)
	if s.Negated {
		st = st.not()
	}
	return st
}

// command runs what a statement has beside its redirections. rs are these, for a simple command.
func (w *shell) command(c syntax.Command, rs []word.Redirect) status {
	switch c := c.(type) {
	case *syntax.CallExpr:
		return w.simple(c, rs)
	case *syntax.DeclClause:
		st := w.declare(c, rs)
		if n := len(w.r.Commands); n > 0 && len(w.r.Commands[n-1].Argv) > 0 {
			argv := w.r.Commands[n-1].Argv
			w.last = argv[len(argv)-1]
		}
		return st
	}
	if len(rs) > 0 {
		w.emit(word.Command{Redirects: rs})
	}
	return w.compound(c)
}

func (w *shell) compound(c syntax.Command) status {
	switch c := c.(type) {
	case *syntax.BinaryCmd:
		return w.binary(c)
	case *syntax.Block:
		return w.stmts(c.Stmts)
	case *syntax.Subshell:
		defer w.step("subshell", "")()
		var st status
		w.subshell(func() { st = w.stmts(c.Stmts) })
		return st
	case *syntax.IfClause:
		return w.ifClause(c)
	case *syntax.WhileClause:
		return w.while(c)
	case *syntax.ForClause:
		return w.forClause(c)
	case *syntax.CaseClause:
		return w.caseClause(c)
	case *syntax.FuncDecl:
		w.define(c)
		return success
	case *syntax.TestClause:
		return w.testClause(c)
	case *syntax.ArithmCmd:
		return w.eachStatus(func() status { return w.arithStatus(c.X) })
	case *syntax.LetClause:
		for _, x := range c.Exprs {
			w.arith(x)
		}
		return anyStatus
	case *syntax.TimeClause:
		if c.Stmt == nil {
			return success
		}
		return w.stmt(c.Stmt)
	case *syntax.CoprocClause:
		defer w.step("background", "")()
		w.subshell(func() { w.stmt(c.Stmt) })
		return success
	}
	return anyStatus
}
