package rank_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/boathook/boathook/internal/memory/rank"
)

func TestPrune(t *testing.T) {
	many := map[string]int{"a": 40_000, "b": 30_000, "c": 900, "d": 800, "e": 700, "f": 600, "g": 500, "h": 400, "i": 6000, "z": 0}
	rare := map[string]int{}
	var rares []string
	for n := range 12 {
		rares = append(rares, fmt.Sprintf("r%02d", n))
		rare[rares[n]] = 100
	}
	for _, c := range []struct {
		name      string
		terms     []string
		frequency map[string]int
		documents int
		want      []string
	}{
		{"nothing", nil, many, 100_000, nil},
		{"none is there", []string{"z", "unknown"}, many, 100_000, nil},
		{"six rarest", []string{"a", "b", "c", "d", "e", "f", "g", "h"}, many, 100_000, []string{"h", "g", "f", "e", "d", "c"}},
		{"common ones left out", []string{"a", "h", "g", "i", "f"}, many, 100_000, []string{"h", "g", "f"}},
		{"two whatever they are", []string{"a", "b", "z"}, many, 100_000, []string{"b", "a"}},
		{"two though the second is common", []string{"a", "h"}, many, 100_000, []string{"h", "a"}},
		{"the second costs too much", []string{"a", "b"}, map[string]int{"a": 400_000, "b": 300_000}, 1_000_000, []string{"b"}},
		{"more where they are rare", rares, rare, 100_000, rares},
		{"a small project", []string{"y", "x", "w"}, map[string]int{"x": 4000, "y": 3000, "w": 1}, 4000, []string{"w", "y", "x"}},
		{"each once", []string{"c", "c", "d", "c"}, many, 100_000, []string{"d", "c"}},
		{"ties by name", []string{"q", "p"}, map[string]int{"p": 5, "q": 5}, 100_000, []string{"p", "q"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			given := slices.Clone(c.terms)
			if got := rank.Prune(c.terms, c.frequency, c.documents); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if !slices.Equal(given, c.terms) {
				t.Errorf("the terms were changed to %q", c.terms)
			}
		})
	}
}

// TestPruneCosts: whatever is asked, what is looked for is a part of it, and its postings are bounded.
func TestPruneCosts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		documents := rapid.IntRange(4001, 2_000_000).Draw(t, "documents")
		terms := rapid.SliceOfN(rapid.StringMatching("[a-z]{1,2}"), 0, 40).Draw(t, "terms")
		frequency := map[string]int{}
		there := 0
		for _, term := range terms {
			if _, ok := frequency[term]; !ok {
				frequency[term] = rapid.IntRange(0, documents).Draw(t, "frequency")
				if frequency[term] > 0 {
					there++
				}
			}
		}
		got := rank.Prune(terms, frequency, documents)
		if there > 0 && len(got) == 0 {
			t.Fatal("nothing is looked for")
		}
		rest := 0
		for n, term := range got {
			if !slices.Contains(terms, term) || frequency[term] == 0 {
				t.Fatalf("%q was not asked for, or is not there", term)
			}
			if n > 0 && frequency[term] < frequency[got[n-1]] {
				t.Fatalf("%q is rarer than the one before", term)
			}
			if n >= 2 {
				rest += frequency[term]
			}
		}
		if rest > 4*documents/20+2000 {
			t.Fatalf("%d postings of %d chunks", rest, documents)
		}
	})
}

func TestIDF(t *testing.T) {
	last := rank.IDF(0, 1000)
	for _, n := range []int{1, 10, 100, 999, 1000} {
		w := rank.IDF(n, 1000)
		if w >= last || w <= 0 {
			t.Errorf("IDF(%d, 1000) = %v after %v", n, w, last)
		}
		last = w
	}
	if w := rank.IDF(7, 0); w <= 0 {
		t.Errorf("more chunks with the term than there are: %v", w)
	}
}
