package shellcmd

import "slices"

// pick is a choice among the values of a cell, made for a while: every use of the name then is of the same value.
type pick struct {
	cell *cell
	at   int
}

// maxWays is how many combinations of values one statement is run with.
const maxWays = 4

// value gives a cell's value: its only one, or the one of the way that is being run.
func (w *shell) choose(c *cell) val {
	if len(c.vals) == 1 {
		return c.vals[0]
	}
	if i := slices.IndexFunc(w.picks, func(p pick) bool { return p.cell == c }); i >= 0 {
		if w.picks[i].at < 0 {
			u := unknownVal(true)
			for _, v := range c.vals {
				u.by = union(u.by, v.by)
			}
			return u
		}
		return c.vals[w.picks[i].at]
	}
	w.picks = append(w.picks, pick{c, 0})
	return c.vals[0]
}

// each runs something once for every combination of the values that it meets.
func (w *shell) each(f func()) {
	outer := len(w.picks)
	var ways []overlay
	for n := 0; ; n++ {
		if n == 0 && !w.hasChoices() {
			f()
			return
		}
		ways = append(ways, w.branch(func() {
			if n > 0 {
				w.again++
				defer func() { w.again-- }()
				w.perhaps(f)
				return
			}
			f()
		}))
		if !w.nextWay(outer, n) {
			break
		}
	}
	w.picks = w.picks[:outer]
	w.meet(ways...)
}

// nextWay turns to the next combination, the last of which stands for all that were left out.
func (w *shell) nextWay(outer, n int) bool {
	if n+1 >= maxWays {
		if n+1 > maxWays || len(w.picks) == outer {
			return false
		}
		for i := outer; i < len(w.picks); i++ {
			w.picks[i].at = -1
		}
		return true
	}
	for i := len(w.picks) - 1; i >= outer; i-- {
		if w.picks[i].at+1 < len(w.picks[i].cell.vals) {
			w.picks[i].at++
			w.picks = w.picks[:i+1]
			return true
		}
	}
	return false
}

// hasChoices tells whether any name has several values: mostly none has.
func (w *shell) hasChoices() bool { return w.multi }
