package rank

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/boathook/boathook/internal/memory"
)

// The numbers of BM25, of the fusion and of the boosts. They were chosen on the corpus of package eval, few values each; its two halves,
// and corpora of other seeds, are answered alike.
const (
	saturation = 1.2
	lengths    = 0.5
	// fusion is how much the first places of a list stand out; the weights are those of the lists.
	fusion        = 20
	weightTurn    = 1.0
	weightWindow  = 1.0
	weightContext = 3.0
	weightVector  = 1.0
	// faint is what a place among the vectors counts for a chunk that is no nearer than most: every store finds as many as it is asked for.
	faint = 0.2
	// What the neighbours have of a question counts less than what a chunk has itself.
	neighbours = 0.6
	// For the relevance: what a syllable weighs, and a word that the project doesn't have; and what it is worth if but one term is there.
	weak    = 0.3
	unknown = 0.4
	alone   = 0.5
	// How far what is said around a chunk counts, and how much less with every step: what stood before it counts more.
	reach      = 5
	fadeBefore = 0.8
	fadeAfter  = 0.5

	boostRecent  = 0.10
	halfLife     = 30 * 24 * time.Hour
	boostCommand = 0.05
	boostSession = 0.03
	// lessAsked and lessRaw are how much less what a person asked, and what a tool said, helps than what was answered or what worked.
	lessAsked = 0.3
	lessRaw   = 0.1
)

// weights are what the terms of a question weigh.
type weights struct {
	terms                 []string
	of                    map[string]float64
	total                 float64
	lengthTurn, lengthAll float64
	counts                map[string][2]int
}

func newWeights(terms []string, found memory.Found, all []*candidate) *weights {
	w := &weights{of: make(map[string]float64, len(terms)), counts: make(map[string][2]int, len(terms))}
	for _, t := range terms {
		if _, ok := w.of[t]; !ok {
			w.terms = append(w.terms, t)
			w.of[t] = IDF(found.Frequency[t], found.Documents)
			w.total += w.says(t, found.Frequency[t])
		}
	}
	for _, c := range all {
		w.lengthTurn += float64(len(c.Terms))
		w.lengthAll += float64(len(c.Before) + len(c.Terms) + len(c.After))
	}
	n := float64(max(1, len(all)))
	w.lengthTurn, w.lengthAll = max(1, w.lengthTurn/n), max(1, w.lengthAll/n)
	return w
}

// score gives a candidate what its turn and its window have of the question.
func (w *weights) score(c *candidate) {
	clear(w.counts)
	for place, list := range [][]string{c.Terms, c.Before, c.After} {
		for _, t := range list {
			if _, ok := w.of[t]; ok {
				n := w.counts[t]
				n[min(place, 1)]++
				w.counts[t] = n
			}
		}
	}
	turn := saturation * (1 - lengths + lengths*float64(len(c.Terms))/w.lengthTurn)
	window := saturation * (1 - lengths + lengths*float64(len(c.Before)+len(c.Terms)+len(c.After))/w.lengthAll)
	has, strong := 0.0, 0
	for _, t := range w.terms {
		n, ok := w.counts[t]
		if !ok {
			continue
		}
		weight := w.of[t]
		own, both := float64(n[0]), float64(n[0]+n[1])
		c.turn += weight * own * (saturation + 1) / (own + turn)
		c.window += weight * both * (saturation + 1) / (both + window)
		said := w.says(t, 1)
		if said > weight*weak {
			strong++
		}
		if own == 0 {
			said *= neighbours
		}
		has += said
	}
	if strong < 2 {
		has *= alone
	}
	if w.total > 0 {
		c.Relevance = has / w.total
	}
}

// says is how much a term tells of whether a chunk is about the question. The first syllable of a Korean word alone tells little, and
// a word that the project never used may be one of another language, or a slip.
func (w *weights) says(term string, frequency int) float64 {
	weight := w.of[term]
	if frequency == 0 {
		weight *= unknown
	}
	if len(term) == 3 && term[0] >= 0xE0 {
		weight *= weak
	}
	return weight
}

// inContext gives each candidate what stands around it in its session: an answer seldom repeats the words of what it answers, so that it
// is found by what was said before it.
func inContext(all []*candidate) {
	slices.SortFunc(all, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(a.Session, b.Session), a.Time.Compare(b.Time), byNames(&a.Hit, &b.Hit))
	})
	for from := 0; from < len(all); {
		to := from
		for to < len(all) && all[to].Session == all[from].Session {
			to++
		}
		run := all[from:to]
		for n, c := range run {
			before, after := 0.0, 0.0
			for d := min(reach, n); d > 0; d-- {
				before = (before + run[n-d].turn) * fadeBefore
			}
			for d := min(reach, len(run)-1-n); d > 0; d-- {
				after = (after + run[n+d].turn) * fadeAfter
			}
			c.context = c.turn + before + after
		}
		from = to
	}
}

// fuse adds up the reciprocal ranks of the lists. Equal scores have the same rank; a score of 0 has none.
func fuse(all []*candidate) {
	for _, list := range []struct {
		weight float64
		of     func(*candidate) float64
	}{
		{weightTurn, func(c *candidate) float64 { return c.turn }},
		{weightWindow, func(c *candidate) float64 { return c.window }},
		{weightContext, func(c *candidate) float64 { return c.context }},
	} {
		sortBy(all, list.of)
		place, last := 0, math.Inf(1)
		for _, c := range all {
			score := list.of(c)
			if score <= 0 {
				break
			}
			if score < last {
				place, last = place+1, score
			}
			c.Score += list.weight / float64(fusion+place)
		}
	}
	for _, c := range all {
		if c.place > 0 {
			c.Score += weightVector * (faint + (1-faint)*c.clear) / float64(fusion+c.place)
		}
	}
}

// boost is what speaks for a chunk beside its words: that it is recent, that it worked.
func boost(now time.Time, h *memory.Hit) float64 {
	b := 1.0
	if !now.IsZero() && !h.Time.IsZero() {
		b += boostRecent * math.Exp2(-float64(max(0, now.Sub(h.Time)))/float64(halfLife))
	}
	switch {
	case h.Role == memory.RoleUser:
		b -= lessAsked
	case h.Role == memory.RoleTool && h.Status == memory.StatusSuccess:
		b += boostCommand
	case h.Role == memory.RoleTool:
		b -= lessRaw
	}
	if h.Outcome == memory.StatusSuccess {
		b += boostSession
	}
	return b
}
