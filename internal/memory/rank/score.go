package rank

import (
	"math"
	"time"

	"github.com/boathook/boathook/internal/memory"
)

// The numbers of BM25, of the fusion and of the boosts. They were chosen on one half of the corpus of package eval.
const (
	saturation = 1.2
	lengths    = 0.5
	// fusion is how much the first places of a list stand out; the weights are those of the lists.
	fusion        = 20
	weightTurn    = 1.0
	weightWindow  = 1.0
	weightSession = 0.3
	weightVector  = 1.0
	// What the neighbours have of a question counts less than what a chunk has itself.
	neighbours = 0.6
	// ofSession is how many of a session's best chunks speak for it.
	ofSession = 3

	boostRecent  = 0.10
	boostCommand = 0.05
	boostSession = 0.03
	halfLife     = 30 * 24 * time.Hour
)

// weights are what the terms of a question weigh.
type weights struct {
	of                    map[string]float64
	total                 float64
	lengthTurn, lengthAll float64
	counts                map[string][2]int
}

func newWeights(terms []string, found memory.Found, all []*candidate) *weights {
	w := &weights{of: make(map[string]float64, len(terms)), counts: make(map[string][2]int, len(terms))}
	for _, t := range terms {
		if _, ok := w.of[t]; !ok {
			w.of[t] = IDF(found.Frequency[t], found.Documents)
			w.total += w.of[t]
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
	has := 0.0
	for t, weight := range w.of {
		n, ok := w.counts[t]
		if !ok {
			continue
		}
		own, both := float64(n[0]), float64(n[0]+n[1])
		c.turn += weight * own * (saturation + 1) / (own + turn)
		c.window += weight * both * (saturation + 1) / (both + window)
		if own > 0 {
			has += weight
		} else {
			has += weight * neighbours
		}
	}
	if w.total > 0 {
		c.Relevance = has / w.total
	}
}

// sessions gives each candidate what the best chunks of its session have together.
func sessions(all []*candidate) {
	best := map[string][]float64{}
	sortBy(all, func(c *candidate) float64 { return c.turn })
	for _, c := range all {
		if len(best[c.Session]) < ofSession {
			best[c.Session] = append(best[c.Session], c.turn)
		}
	}
	sum := map[string]float64{}
	for id, scores := range best {
		for _, s := range scores {
			sum[id] += s
		}
	}
	for _, c := range all {
		c.session = sum[c.Session]
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
		{weightSession, func(c *candidate) float64 { return c.session }},
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
			c.Score += weightVector / float64(fusion+c.place)
		}
	}
}

// boost is what speaks for a chunk beside its words: that it is recent, that it worked.
func boost(now time.Time, h *memory.Hit) float64 {
	b := 1.0
	if !now.IsZero() && !h.Time.IsZero() {
		b += boostRecent * math.Exp2(-float64(max(0, now.Sub(h.Time)))/float64(halfLife))
	}
	if h.Role == memory.RoleTool && h.Status == memory.StatusSuccess {
		b += boostCommand
	}
	if h.Outcome == memory.StatusSuccess {
		b += boostSession
	}
	return b
}
