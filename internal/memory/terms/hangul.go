package terms

import "strings"

// hangul gives the pairs of neighbouring syllables of a Korean word, and its first syllable alone: particles and endings
// follow a stem without a blank, so that what two forms of a word share is at their beginning. Glued says that something else
// stands before it in the token: a particle there ("redis를") is dropped.
func (s *scanner) hangul(run []char, glued bool) {
	if len(run) > maxSyllables {
		run = run[:maxSyllables]
	}
	if glued || s.query {
		var room [maxSyllables * 3]byte
		w := room[:0]
		for _, c := range run {
			w = appendRune(w, c.r)
		}
		word := string(w)
		if glued && isParticle(word) {
			return
		}
		if s.query {
			if isKoreanStop(word) {
				return
			}
			s.asks = s.asks || !isKoreanFiller(word)
			run = run[:len(run)-ending(word)]
		}
	}
	if len(run) == 0 {
		return
	}
	s.number(len(s.buf), run[:1])
	for n := 1; n < len(run) && !s.full(); n++ {
		s.number(len(s.buf), run[n-1:n+1])
	}
}

// maxSyllables is how many syllables of a word without a blank are read.
const maxSyllables = 256

const syllable = 3 // bytes

// ending is how many syllables of a word are a particle or an ending. At least two are left before it.
func ending(word string) int {
	for n := min(len(word)/syllable-2, longestEnding); n > 0; n-- {
		if koreanEndings()[word[len(word)-n*syllable:]] {
			return n
		}
	}
	return 0
}

func isParticle(word string) bool {
	return len(word) <= longestEnding*syllable && koreanParticles()[word]
}

func isKoreanStop(word string) bool { return koreanStops()[word] }

func isKoreanFiller(word string) bool { return koreanFillers()[word] }

func set(words string) map[string]bool {
	all := strings.Fields(words)
	out := make(map[string]bool, len(all))
	for _, w := range all {
		out[w] = true
	}
	return out
}
