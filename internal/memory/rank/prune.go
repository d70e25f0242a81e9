// Package rank puts what a store found into its order. It is pure, so that every store ranks alike: a store's own order only has
// to bring what may be relevant among its first few hundred.
package rank

import (
	"cmp"
	"math"
	"slices"
)

// What the first stage of a search may cost: it reads the postings of each term that it looks for.
const (
	// smallProject is how many chunks a project may have to be searched for all terms.
	smallProject = 4000
	// rarest terms are looked for, and of the others those that are so rare that all postings together stay within fewPostings.
	rarest      = 6
	fewPostings = 2000
	// A term that stands in more than a twentieth of the chunks tells little and costs much.
	commonShare = 20
	// atLeast terms are looked for all the same, but the second only while there are no more than manyPostings.
	atLeast      = 2
	manyPostings = 100_000
)

// Prune selects the terms that a store's first stage looks for, the rarest first: of a large project's, the 6 rarest that less than
// 5 % of the chunks have (more where they are very rare), and 2 whatever they are, where there are any. Frequency says in how
// many chunks of the searched projects each term stands; one that is missing there is in none, and isn't looked for. A capped
// count is good enough if the cap is over 5 % of documents. The terms that are left out count in Rank all the same, so that Found
// must have the frequency of all of them.
func Prune(terms []string, frequency map[string]int, documents int) []string {
	var there []string
	for _, t := range terms {
		if frequency[t] > 0 {
			there = append(there, t)
		}
	}
	slices.SortFunc(there, func(a, b string) int {
		return cmp.Or(cmp.Compare(frequency[a], frequency[b]), cmp.Compare(a, b))
	})
	there = slices.Compact(there)
	if documents <= smallProject {
		return there
	}
	postings := 0
	for n, t := range there {
		postings += frequency[t]
		var keep bool
		switch {
		case n == 0:
			keep = true
		case n < atLeast:
			keep = frequency[t]*commonShare < documents || postings <= manyPostings
		default:
			keep = frequency[t]*commonShare < documents && (n < rarest || postings <= fewPostings)
		}
		if !keep {
			return there[:n]
		}
	}
	return there
}

// IDF is what a term weighs that stands in so many of so many chunks: BM25's, which is never negative. A store whose index can't
// rank may order its first stage by the sum of those of the terms that a chunk has.
func IDF(frequency, documents int) float64 {
	n, of := float64(frequency), float64(max(documents, frequency))
	return math.Log1p((of - n + 0.5) / (n + 0.5))
}
