package llmtest

import (
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"unicode"
)

// Concepts are words and phrases that are to mean the same: each list is one concept.
type Concepts [][]string

// The weights of what a text says: a planted concept weighs as much as a hundred words that mean nothing.
const (
	planted = 1.0
	other   = 0.1
)

// Vector is a text's: of length one, the same for the same text. A concept in it, in any case, is a direction of its own; every
// word that is in none adds a little of another, so that no two texts are the same.
func (c Concepts) Vector(text string, width int) []float32 {
	text = strings.ToLower(text)
	sum := make([]float64, width)
	for _, words := range c {
		if slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, strings.ToLower(word)) }) {
			direct(sum, "concept "+words[0], planted)
		}
	}
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		direct(sum, "word "+word, other)
	}
	direct(sum, "text", other/10) // of none at all
	return unit(sum)
}

// direct adds a direction that is almost at a right angle to all others.
func direct(sum []float64, name string, weight float64) {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name))
	state := h.Sum64()
	scale := weight / math.Sqrt(float64(len(sum)))
	for i := range sum {
		state += 0x9e3779b97f4a7c15
		z := state
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		z ^= z >> 31
		sum[i] += scale * math.Sqrt(3) * (float64(z>>11)/(1<<52) - 1)
	}
}

func unit(sum []float64) []float32 {
	length := 0.0
	for _, x := range sum {
		length += x * x
	}
	out := make([]float32, len(sum))
	for i, x := range sum {
		out[i] = float32(x / math.Sqrt(length))
	}
	return out
}

// Near is the cosine of two vectors of length one.
func Near(a, b []float32) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}
