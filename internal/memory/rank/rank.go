package rank

import (
	"cmp"
	"slices"
	"time"

	"github.com/boathook/boathook/internal/memory"
)

// Floor is the relevance below which a chunk has nothing to say to a prompt: what a search shows needs none (0), what is told to a model
// without being asked needs this.
const Floor = 0.30

const (
	// Candidates is how many hits a store is asked for by terms.
	Candidates = 200
	// Nearest is how many by a vector: those have their order already, and what stands far down in it counts for nothing.
	Nearest = 80
	// Around is how far around the best of them it is asked for more (memory.Query): answers seldom repeat the words of what they answer.
	Around = 3
)

// Question is what is asked, and how much of the answer is wanted.
type Question struct {
	// Terms are those of terms.Query. Without any the answer is empty, vector or not: a prompt like "continue" asks for nothing.
	Terms []string
	// Now is what ages are measured by; with its zero value age doesn't count.
	Now time.Time
	// Limit is how many items are wanted at most, PerSession how many of one session; 0 is all.
	Limit, PerSession int
	// Floor is the least relevance, 0 to 1.
	Floor float64
}

// Item is a chunk in its place.
type Item struct {
	memory.Hit
	// Score is what it is ordered by. It can be compared within one answer alone.
	Score float64
	// Relevance is how much of what is asked the chunk and its neighbours have: 0 nothing, 1 every word; for one that was found by
	// its vector alone, how clearly it stands out.
	Relevance float64
}

// Rank orders what a store found by terms and, where a vector was asked for too, by that. Each message or call is in it once, by its best
// piece, and of near-duplicates the best alone. The order depends on nothing but what is given: equal scores are ordered by
// time, then by ids.
func Rank(q Question, keyword, vector memory.Found) []Item {
	if len(q.Terms) == 0 {
		return nil
	}
	all := gather(q, keyword, vector)
	fuse(all)
	for _, c := range all {
		c.Score *= boost(q.Now, &c.Hit)
	}
	sortBy(all, func(c *candidate) float64 { return c.Score })
	return choose(q, all)
}

// candidate is a chunk with what is known of it.
type candidate struct {
	Item
	turn, window, context float64
	// place is where it stands among what was found by its vector, from 1; 0 is nowhere. clear is how clearly it stands out there, 0 to 1.
	place int
	clear float64
}

// key names a chunk in the same way in every store.
type key struct {
	session, message, call string
	piece                  int
}

func keyOf(h *memory.Hit) key { return key{h.Session, h.Message, h.Call, h.Piece} }

// gather makes candidates of the hits of both lists, each with its scores.
func gather(q Question, keyword, vector memory.Found) []*candidate {
	found := make(map[key]*candidate, len(keyword.Hits)+len(vector.Hits))
	all := make([]*candidate, 0, len(keyword.Hits)+len(vector.Hits))
	take := func(hits []memory.Hit) {
		for _, h := range hits {
			if k := keyOf(&h); found[k] == nil {
				found[k] = &candidate{Item: Item{Hit: h}}
				all = append(all, found[k])
			}
		}
	}
	take(keyword.Hits)
	take(vector.Hits)
	w := newWeights(q.Terms, keyword, all)
	for _, c := range all {
		w.score(c)
	}
	inContext(all)
	byVector(found, vector.Hits)
	return all
}

// byVector gives the candidates their places among those found by vectors, and the relevance that comes of it.
func byVector(found map[key]*candidate, hits []memory.Hit) {
	if len(hits) == 0 {
		return
	}
	near := slices.Clone(hits)
	slices.SortFunc(near, func(a, b memory.Hit) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), byNames(&a, &b))
	})
	middle := near[len(near)/2].Distance
	for n := range near {
		c := found[keyOf(&near[n])]
		if c.place > 0 {
			continue
		}
		c.place, c.Distance = n+1, near[n].Distance
		c.clear = min(1, max(0, (middle-near[n].Distance)/(2*clearly)))
		if n < standOut {
			c.Relevance = max(c.Relevance, min(1, (middle-near[n].Distance)/clearly*Floor))
		}
	}
}

const (
	// standOut is how many of the nearest may be relevant for their vectors alone, clearly by how much nearer than the middle one
	// of all that were found they have to be: models differ in how far apart two texts are that have nothing in common.
	standOut = 10
	clearly  = 0.12
)

func byNames(a, b *memory.Hit) int {
	return cmp.Or(b.Time.Compare(a.Time), cmp.Compare(a.Session, b.Session), cmp.Compare(a.Message, b.Message),
		cmp.Compare(a.Call, b.Call), cmp.Compare(a.Piece, b.Piece))
}

// sortBy puts the highest first.
func sortBy(all []*candidate, score func(*candidate) float64) {
	slices.SortFunc(all, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(score(b), score(a)), byNames(&a.Hit, &b.Hit))
	})
}

// Session is what was found of one session.
type Session struct {
	ID    string
	Items []Item
}

// Group puts the items of each session together, in the order of their time. The session whose best item is best comes first.
func Group(items []Item) []Session {
	var out []Session
	at := map[string]int{}
	for _, i := range items {
		n, ok := at[i.Session]
		if !ok {
			n = len(out)
			at[i.Session] = n
			out = append(out, Session{ID: i.Session})
		}
		out[n].Items = append(out[n].Items, i)
	}
	for _, s := range out {
		slices.SortStableFunc(s.Items, func(a, b Item) int {
			return cmp.Or(a.Time.Compare(b.Time), cmp.Compare(a.Message, b.Message), cmp.Compare(a.Call, b.Call), cmp.Compare(a.Piece, b.Piece))
		})
	}
	return out
}
