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
	if len(c.vals) == 0 {
		return val{}
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

// each runs something once for every combination of the values that it meets. Mostly that is one, and nothing is taken back.
func (w *shell) each(f func()) {
	outer, start, dead := len(w.picks), len(w.r.Commands), w.dead
	mark, last := len(w.log), w.last
	w.open++
	w.dead = false
	f()
	w.open--
	if len(w.picks) == outer {
		w.dead = w.dead || dead
		if w.open == 0 {
			w.log = w.log[:0]
		}
		return
	}
	first := w.undo(mark)
	first.dead = w.dead
	w.dead = dead
	ways := []overlay{first}
	w.repeat(start)
	for n := 0; w.nextWay(outer, n); n++ {
		w.last = last
		ways = append(ways, w.branch(func() { w.perhaps(f) }))
	}
	w.again--
	w.picks = w.picks[:outer]
	w.meet(ways...)
}

// eachStatus is each for what has a status: it is known where all ways agree.
func (w *shell) eachStatus(f func() status) status {
	n, all := 0, anyStatus
	w.each(func() {
		st := f()
		if n++; n == 1 {
			all = st
		} else if st != all {
			all = anyStatus
		}
	})
	return all
}

// repeat begins something that may list the commands from a place on once more. Who calls it counts again down.
func (w *shell) repeat(start int) {
	w.again++
	for i := start; i < len(w.r.Commands); i++ {
		w.known(w.r.Commands[i], i)
	}
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
