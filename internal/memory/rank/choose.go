package rank

const (
	// shingle is how many neighbouring terms make one, alike how much of their shingles two chunks share that say the same.
	shingle = 3
	alike   = 0.8
	// maxShingles is how many of a chunk are compared.
	maxShingles = 400
)

// choose takes the items from the top that are relevant and say something new.
func choose(q Question, all []*candidate) []Item {
	var out []Item
	c := chooser{rows: map[key]bool{}, of: map[string]int{}}
	for _, one := range all {
		if q.Limit > 0 && len(out) >= q.Limit {
			break
		}
		if one.Score <= 0 || one.Relevance < q.Floor {
			continue
		}
		if q.PerSession > 0 && c.of[one.Session] >= q.PerSession || !c.isNew(one) {
			continue
		}
		c.of[one.Session]++
		out = append(out, one.Item)
	}
	return out
}

// chooser knows what was chosen.
type chooser struct {
	rows map[key]bool
	of   map[string]int
	sets []map[uint64]bool
}

// isNew reports whether neither the row of a candidate nor one that says the same was chosen, and notes it.
func (c *chooser) isNew(one *candidate) bool {
	row := keyOf(&one.Hit)
	row.piece = 0
	if c.rows[row] {
		return false
	}
	set := shingles(one.Terms)
	for _, other := range c.sets {
		if similar(set, other) {
			return false
		}
	}
	c.rows[row] = true
	c.sets = append(c.sets, set)
	return true
}

func shingles(terms []string) map[uint64]bool {
	n := min(maxShingles, max(1, len(terms)-shingle+1))
	out := make(map[uint64]bool, n)
	for at := range n {
		h := uint64(14695981039346656037) // FNV-1a
		for _, t := range terms[at:min(len(terms), at+shingle)] {
			for i := range len(t) {
				h = (h ^ uint64(t[i])) * 1099511628211
			}
			h *= 1099511628211
		}
		out[h] = true
	}
	return out
}

// similar reports whether two sets share so much of what both have together.
func similar(a, b map[uint64]bool) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if float64(len(a)) < alike*float64(len(b)) {
		return false
	}
	both := 0
	for s := range a {
		if b[s] {
			both++
		}
	}
	return float64(both) >= alike*float64(len(a)+len(b)-both)
}
