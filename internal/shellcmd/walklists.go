package shellcmd

import (
	"mvdan.cc/sh/v3/syntax"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// binary runs chains of && || and pipes. They lean to the left, as long as the text, so they are unrolled first.
func (w *shell) binary(b *syntax.BinaryCmd) status {
	if b.Op == syntax.Pipe || b.Op == syntax.PipeAll {
		return w.pipeline(b)
	}
	type link struct {
		op syntax.BinCmdOperator
		s  *syntax.Stmt
	}
	var chain []link
	first := b.X
	for {
		chain = append(chain, link{b.Op, b.Y})
		next, ok := first.Cmd.(*syntax.BinaryCmd)
		if !ok || next.Op != syntax.AndStmt && next.Op != syntax.OrStmt || len(first.Redirs) > 0 || first.Negated {
			break
		}
		b, first = next, next.X
	}
	st := w.stmt(first)
	for i := len(chain) - 1; i >= 0; {
		op := chain[i].op
		var run []*syntax.Stmt
		for ; i >= 0 && chain[i].op == op && len(run) < maxTogether; i-- {
			run = append(run, chain[i].s)
		}
		want := success
		if op == syntax.OrStmt {
			want = failure
		}
		st = w.then(st, want, run)
	}
	return st
}

// maxTogether bounds how many links of one kind are followed in one another. A chain that is longer is taken in pieces, at the joints
// of which more seems possible than is.
const maxTogether = 32

// then runs statements each of which only runs after this status of the one before: b and c of a && b && c, where c does not run
// either unless b does. One that cannot be reached is listed nevertheless: a status is only as sure as the shell is known.
func (w *shell) then(st, want status, run []*syntax.Stmt) status {
	for st == want && len(run) > 0 {
		st, run = w.stmt(run[0]), run[1:]
	}
	if len(run) == 0 {
		return st
	}
	if w.bud.over {
		return anyStatus
	}
	var next status
	before := w.before
	ran := w.branch(func() {
		if want == failure && before != nil {
			// What follows cd x || is run where cd has not gone.
			w.setDir(word.Lit(before.vals[0].text))
		}
		w.perhaps(func() { next = w.then(w.stmt(run[0]), want, run[1:]) })
	})
	if st != anyStatus {
		return st
	}
	if !ran.dead {
		w.meet(overlay{}, ran)
	}
	// After a || b that was not run the status is want's opposite; only where both agree is it known.
	if next == want.not() || ran.dead {
		return want.not()
	}
	return anyStatus
}

func (w *shell) ifClause(c *syntax.IfClause) status {
	var ways []overlay
	w.orElse(c, &ways)
	return anyStatus
}

func (w *shell) orElse(c *syntax.IfClause, _ *[]overlay) {
	st := success
	if c.ThenPos.IsValid() {
		st = w.stmts(c.Cond)
	}
	yes := w.branch(func() { w.inBranch(st == success, func() { w.stmts(c.Then) }) })
	no := w.branch(func() {
		if c.Else != nil {
			w.inBranch(st == failure, func() { w.orElse(c.Else, nil) })
		}
	})
	switch st {
	case success:
		w.meet(yes)
	case failure:
		w.meet(no)
	default:
		w.meet(yes, no)
	}
}

func (w *shell) inBranch(sure bool, f func()) {
	if sure {
		f()
		return
	}
	defer w.step("branch", "")()
	w.perhaps(f)
}

func (w *shell) pipeline(b *syntax.BinaryCmd) status {
	parts := []*syntax.Stmt{b.Y}
	x := b.X
	for {
		next, ok := x.Cmd.(*syntax.BinaryCmd)
		if !ok || next.Op != syntax.Pipe && next.Op != syntax.PipeAll || len(x.Redirs) > 0 || x.Negated {
			break
		}
		parts = append(parts, next.Y)
		x = next.X
	}
	parts = append(parts, x)
	defer w.step("pipe", "")()
	in := w.get(special, "in")
	for i := len(parts) - 1; i > 0 && !w.bud.over; i-- {
		out := w.output(func() {
			piped := w.piped
			w.piped, w.direct = true, true
			w.subshell(func() { w.stmt(parts[i]) })
			w.piped = piped
		})
		w.set(special, "in", out)
	}
	var st status
	// The last may run in this shell: zsh does so, bash on demand.
	last := w.branch(func() { st = w.stmt(parts[0]) })
	last.dead = false
	var keep overlay
	for _, c := range last.set {
		if c.slot.kind == file || c.slot.kind == special && c.slot.name == "out" {
			keep.set = append(keep.set, c)
		}
	}
	w.meet(keep, last)
	w.set(special, "in", in)
	return st
}

// output runs something and gives what it prints.
func (w *shell) output(f func()) *cell {
	out, capture := w.get(special, "out"), w.capture
	w.capture = true
	w.set(special, "out", one(val{}))
	f()
	got := w.get(special, "out")
	w.set(special, "out", out)
	w.capture = capture
	if got == nil {
		got = one(val{})
	}
	return got
}

// print adds to what was printed.
func (w *shell) print(d word.Data, wild bool) {
	if !w.capture {
		return
	}
	c := w.get(special, "out")
	if c == nil {
		c = one(val{})
	}
	next := &cell{vals: make([]val, len(c.vals))}
	for i, v := range c.vals {
		if !w.bud.spend(len(v.text) + len(d.Text)) {
			return
		}
		v.text += d.Text
		v.by = union(v.by, d.From)
		v.wild = v.wild || wild && hasUnknown(d.Text)
		next.vals[i] = v
	}
	w.set(special, "out", next)
}
