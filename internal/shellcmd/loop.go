package shellcmd

import (
	"mvdan.cc/sh/v3/syntax"
)

// maxRounds is how many rounds of a loop are run with what is known; then it counts as one that may run any number of times.
const maxRounds = 64

func (w *shell) forClause(c *syntax.ForClause) status {
	switch l := c.Loop.(type) {
	case *syntax.WordIter:
		w.each(func() { w.forWords(c, l) })
	case *syntax.CStyleLoop:
		w.each(func() { w.arithOf(l.Init) })
		w.rounds(func() status {
			if l.Cond == nil {
				return anyStatus
			}
			return w.eachStatus(func() status { return w.arithStatus(l.Cond) })
		}, func() {
			w.stmts(c.Do)
			w.each(func() { w.arithOf(l.Post) })
		})
	}
	return anyStatus
}

func (w *shell) arithStatus(x syntax.ArithmExpr) status {
	n, ok := w.arith(x)
	if !ok {
		return anyStatus
	}
	return statusOf(n != 0)
}

func (w *shell) arithOf(x syntax.ArithmExpr) {
	if x != nil {
		w.arith(x)
	}
}

func (w *shell) forWords(c *syntax.ForClause, l *syntax.WordIter) {
	args, wild := w.words(l.Items)
	if !l.InPos.IsValid() {
		m, _ := w.positional("@")
		args, wild = nil, m.wild
		for _, s := range m.all {
			args = append(args, argOf(val{text: s, many: m.many}))
		}
	}
	defer w.step("loop", "")()
	if c.Select {
		w.sometimes("", func() {
			w.setVar(l.Name.Value, val{text: "\uFFFC"})
			for _, a := range args {
				w.setVar(l.Name.Value, val{text: a.Text, by: a.By, wild: wild})
				w.perhaps(func() { w.stmts(c.Do) })
			}
		})
		return
	}
	vague := len(args) > maxRounds
	for _, a := range args {
		vague = vague || a.Many || a.Glob
	}
	if vague {
		w.vagueFor(c, l.Name.Value, args, wild)
		return
	}
	w.leaving("loop", func() {
		start := len(w.r.Commands)
		for i, a := range args {
			w.setVar(l.Name.Value, val{text: a.Text, by: a.By, wild: wild})
			if i > 0 {
				w.repeat(start)
				start = len(w.r.Commands)
			}
			w.leaving("continue", func() { w.stmts(c.Do) })
			if i > 0 {
				w.again--
			}
			if w.dead {
				// Later rounds are listed as far as they go.
				w.maybe = w.maybe || i == 0
			}
		}
	})
}

// vagueFor is a loop over words that are not all known: each that is, and any other.
func (w *shell) vagueFor(c *syntax.ForClause, name string, args []argument, wild bool) {
	w.sometimes(name, func() {
		var all []val
		seen := 0
		for _, a := range args {
			v := val{text: a.Text, by: a.By, wild: wild}
			if a.Glob {
				v = globVal(a)
			}
			v.many = a.Many
			if seen++; seen > maxRounds {
				v = unknownVal(wild)
			}
			all = append(all, v)
			if seen > maxRounds {
				break
			}
		}
		for _, v := range all {
			w.setVar(name, v)
			w.stmts(c.Do)
		}
	})
}

// globVal is a path that a pattern stands for: what is known of it is its start.
func globVal(a argument) val { return val{text: a.Text, glob: true, by: a.By} }

// sometimes runs a body that may run any number of times, until what it changes is taken into account. The variable of a loop
// begins each round with a value of its own.
func (w *shell) sometimes(own string, body func()) {
	w.perhaps(func() {
		w.leaving("loop", func() {
			start := len(w.r.Commands)
			for round := range 3 {
				if round > 0 {
					w.repeat(start)
					start = len(w.r.Commands)
				}
				o := w.branch(func() { w.leaving("continue", body) })
				if round > 0 {
					w.again--
				}
				o.dead = false
				if !w.news(o, own) {
					w.meet(overlay{}, o)
					return
				}
				if round == 1 {
					o.widen(w.state)
				}
				w.meet(overlay{}, o)
			}
		})
	})
}

// news tells whether a round has changed anything that the next one would see.
func (w *shell) news(o overlay, own string) bool {
	for _, c := range o.set {
		before := w.cells[c.slot]
		if before == c.cell || c.slot.kind == variable && c.slot.name == own || c.slot.kind == special && c.slot.name == "out" {
			continue
		}
		if before == nil || c.cell == nil || !sameCell(before, c.cell) {
			return true
		}
	}
	return false
}

// widen makes what still changes unknown.
func (o *overlay) widen(s *state) {
	for i, c := range o.set {
		if before := s.cells[c.slot]; before != nil && c.cell != nil && sameCell(before, c.cell) || c.slot.kind == function || c.cell == nil {
			continue
		}
		u := unknownVal(true)
		for _, v := range c.cell.vals {
			u.by = union(u.by, v.by)
		}
		if c.slot.name == "@" && c.slot.kind == special {
			u = val{array: true, list: []string{"\uFFFC"}, many: true, wild: true}
		}
		o.set[i].cell = one(u)
	}
}

// sameCell tells whether a cell has no value that the other lacks.
func sameCell(a, b *cell) bool {
	for _, v := range b.vals {
		found := false
		for _, x := range a.vals {
			found = found || x.same(v)
		}
		if !found {
			return false
		}
	}
	return true
}

func (w *shell) while(c *syntax.WhileClause) status {
	defer w.step("loop", "")()
	w.rounds(func() status {
		st := w.stmts(c.Cond)
		if c.Until {
			st = st.not()
		}
		return st
	}, func() { w.stmts(c.Do) })
	return anyStatus
}

// rounds runs a loop with what is known, as long as its condition is, and then as one that may go on.
func (w *shell) rounds(cond func() status, body func()) {
	w.leaving("loop", func() {
		begin := len(w.r.Commands)
		start := begin
		for n := range maxRounds {
			if n > 0 {
				w.repeat(start)
				start = len(w.r.Commands)
			}
			var st status
			checked := w.branch(func() { st = cond() })
			if st == success {
				w.meet(checked)
				w.leaving("continue", body)
			} else {
				w.meet(checked)
			}
			if n > 0 {
				w.again--
			}
			if st == failure {
				if n == 0 {
					// The body is listed nevertheless: a condition is only as sure as the shell is known.
					w.branch(func() { w.perhaps(body) })
				}
				return
			}
			if st == anyStatus || w.dead {
				break
			}
		}
		if w.dead {
			return
		}
		w.repeat(begin)
		w.sometimes("", func() {
			body()
			cond()
		})
		w.again--
	})
}

func (w *shell) caseClause(c *syntax.CaseClause) status {
	w.each(func() { w.caseOnce(c) })
	return anyStatus
}

func (w *shell) caseOnce(c *syntax.CaseClause) {
	subject := w.value(c.Word)
	var ways []overlay
	sure := !hasUnknown(subject.text)
	taken := false
	for i, item := range c.Items {
		hit, known := w.caseHit(item, subject.text)
		certain := sure && known && hit && !taken && len(ways) == 0
		possible := !(sure && known && !hit) && !taken
		o := w.branch(func() {
			w.inBranch(certain, func() {
				w.stmts(item.Stmts)
				for j := i; j+1 < len(c.Items) && c.Items[j].Op == syntax.Fallthrough; j++ {
					w.stmts(c.Items[j+1].Stmts)
				}
			})
		})
		if possible {
			ways = append(ways, o)
		}
		if certain && item.Op == syntax.Break {
			taken = true
		}
	}
	if !taken {
		ways = append(ways, overlay{})
	}
	w.meet(ways...)
}

// caseHit tells whether one of the patterns stands for the subject.
func (w *shell) caseHit(item *syntax.CaseItem, subject string) (hit, known bool) {
	known = true
	for _, p := range item.Patterns {
		text := w.patternOf(p)
		if hasUnknown(text) || hasExtGlob(p) {
			known = false
			continue
		}
		if compile(text).match(subject, w.bud) {
			return true, true
		}
	}
	return false, known
}

func hasExtGlob(x *syntax.Word) bool {
	for _, p := range x.Parts {
		if _, ok := p.(*syntax.ExtGlob); ok {
			return true
		}
	}
	return false
}
