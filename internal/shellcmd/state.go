package shellcmd

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// kind is what a name stands for: a variable and a function may have the same.
type kind uint8

const (
	variable kind = iota
	function
	alias
	// file is a file whose content the text itself makes, by its absolute path.
	file
	// special is what a shell has beside: its directory (dir), input (in), output (out), arguments (@), traps (trap EXIT).
	special
)

type slot struct {
	kind kind
	name string
}

// val is one value that a name may have.
type val struct {
	unset bool
	// text is a scalar's value, an alias's or a file's text, with word.Unknown for what is not known.
	text string
	// array says that list is the value, and keys, where not nil, are the names of its elements.
	array bool
	list  []string
	keys  []string
	// many says that unquoted it may be several words; wild that what is not known comes from something that ran, and so may be
	// anything, unlike a variable of the environment.
	many, wild, glob bool
	// by are the commands that made it.
	by []int
	// attr holds the letters of declare: i l u n x.
	attr string
	// body is a function's, base the place of its text in the text that was judged, hashes and src as in shell.
	body   *syntax.Stmt
	base   int
	hashes bool
	src    string
}

func (v val) known() bool { return !v.many && !hasUnknown(v.text) }

func (v val) same(o val) bool {
	return v.unset == o.unset && v.text == o.text && v.array == o.array && v.body == o.body && v.attr == o.attr &&
		slices.Equal(v.list, o.list) && slices.Equal(v.keys, o.keys)
}

// cell holds the values that a name may have at one place of the text: several after branches that differ. It is never changed.
type cell struct{ vals []val }

func one(v val) *cell {
	// The cell and its value are one piece of memory.
	c := &struct {
		cell
		only [1]val
	}{only: [1]val{v}}
	c.vals = c.only[:]
	return &c.cell
}

// maxVals is how many values a name may have before it counts as unknown.
const maxVals = 4

// unknownVal is a value of which nothing is known.
func unknownVal(wild bool) val { return val{text: word.Unknown, many: true, wild: wild} }

type change struct {
	slot slot
	cell *cell
}

// state is what the shell knows at one place of the text. What changes it is logged where a branch is open, so that the
// cost of a branch is what it changes, and not what there is.
type state struct {
	cells map[slot]*cell
	log   []change
	open  int
}

func newState() *state { return &state{cells: make(map[slot]*cell, 8)} }

func (s *state) get(k kind, name string) *cell { return s.cells[slot{k, name}] }

func (s *state) set(k kind, name string, c *cell) { s.put(slot{k, name}, c) }

func (s *state) put(at slot, c *cell) {
	if s.open > 0 {
		s.log = append(s.log, change{at, s.cells[at]})
	}
	if c == nil {
		delete(s.cells, at)
		return
	}
	s.cells[at] = c
}

// overlay is what a branch changed: the cells as they were at its end. dead says that the text behind it is not reached from there.
type overlay struct {
	dead bool
	set  []change
	at   map[slot]*cell
}

// try runs a branch and takes back what it changed.
func (s *state) try(f func()) overlay {
	mark := len(s.log)
	s.open++
	f()
	s.open--
	return s.undo(mark)
}

// undo takes back what was changed after a place of the log, and gives it.
func (s *state) undo(mark int) overlay {
	o := overlay{set: s.since(mark)}
	for i := len(s.log) - 1; i >= mark; i-- {
		if c := s.log[i]; c.cell == nil {
			delete(s.cells, c.slot)
		} else {
			s.cells[c.slot] = c.cell
		}
	}
	s.log = s.log[:mark]
	return o
}

// since gives the present cells of what changed after a place of the log.
func (s *state) since(mark int) []change {
	var out []change
	var seen map[slot]bool
	if len(s.log)-mark > 16 {
		seen = make(map[slot]bool, len(s.log)-mark)
	}
	for _, c := range s.log[mark:] {
		if seen == nil && slices.ContainsFunc(out, func(o change) bool { return o.slot == c.slot }) || seen[c.slot] {
			continue
		}
		if seen != nil {
			seen[c.slot] = true
		}
		out = append(out, change{c.slot, s.cells[c.slot]})
	}
	return out
}

// join makes the state one in which any of the branches may have run. All began at the present one.
func (s *state) join(branches ...overlay) (dead bool) {
	alive := make([]overlay, 0, 4)
	for _, o := range branches {
		if !o.dead {
			alive = append(alive, o)
		}
	}
	if len(alive) == 0 {
		alive, dead = branches, true
	}
	if len(alive) == 1 {
		s.apply(alive[0])
		return dead
	}
	for i := range alive {
		alive[i].index()
	}
	for i := range alive {
		for _, c := range alive[i].set {
			if earlier(alive[:i], c.slot) {
				continue
			}
			all := make([]*cell, 0, 4)
			same := true
			for j := range alive {
				end, ok := alive[j].find(c.slot)
				if !ok {
					end = s.cells[c.slot]
				}
				same = same && end == c.cell
				all = append(all, end)
			}
			if same {
				s.put(c.slot, c.cell)
				continue
			}
			s.put(c.slot, merge(c.slot, all...))
		}
	}
	return dead
}

// earlier tells whether one of these branches changed a slot: it has been joined then. The slots before are merged from the cells
// that were there at first, so they must not be again.
func earlier(branches []overlay, at slot) bool {
	for i := range branches {
		if _, ok := branches[i].find(at); ok {
			return true
		}
	}
	return false
}

// index makes find quick where there is much to find.
func (o *overlay) index() {
	if len(o.set) <= 12 || o.at != nil {
		return
	}
	o.at = make(map[slot]*cell, len(o.set))
	for _, c := range o.set {
		o.at[c.slot] = c.cell
	}
}

func (o *overlay) find(at slot) (*cell, bool) {
	if o.at != nil {
		c, ok := o.at[at]
		return c, ok
	}
	for _, c := range o.set {
		if c.slot == at {
			return c.cell, true
		}
	}
	return nil, false
}

func (s *state) apply(o overlay) {
	for _, c := range o.set {
		s.put(c.slot, c.cell)
	}
}

// merge is a cell that has the values of all; a missing cell is a name without a value.
func merge(at slot, cells ...*cell) *cell {
	out := make([]val, 0, len(cells))
	for _, c := range cells {
		if c == nil {
			c = one(absent(at))
		}
		for _, v := range c.vals {
			if i := slices.IndexFunc(out, v.same); i < 0 {
				out = append(out, v)
			} else if len(v.by) > 0 && len(out[i].by) == 0 {
				out[i].by = v.by
			}
		}
	}
	if len(out) <= maxVals {
		return &cell{vals: out}
	}
	u := unknownVal(true)
	for _, v := range out {
		u.by = union(u.by, v.by)
	}
	if at.kind == function {
		u = val{body: nil, text: word.Unknown}
	}
	return one(u)
}

// absent is what a name without a cell stands for: a variable may be in the environment.
func absent(at slot) val {
	if at.kind == variable {
		return val{unset: true, text: word.Unknown, many: true}
	}
	return val{unset: true}
}

const maxBy = 8

func union(a, b []int) []int {
	if len(b) == 0 {
		return a
	}
	out := slices.Clone(a)
	for _, i := range b {
		if !slices.Contains(out, i) {
			out = append(out, i)
		}
	}
	if len(out) > maxBy {
		out = out[len(out)-maxBy:]
	}
	return out
}
