package terms

import "bytes"

// stem cuts the endings off an English word: the algorithm English (Porter2) of the Snowball project. The word is of a-z alone and
// is changed in place; what is returned is a part of it. Snowball's treatment of apostrophes is the scanner's.
func stem(w []byte) []byte {
	if len(w) <= 2 {
		return w
	}
	if s, ok := irregular(string(w)); ok {
		return append(w[:0], s...)
	}
	s := stemmer{w: w}
	s.markYs()
	s.regions()
	s.step1a()
	if invariant(string(s.w)) {
		return s.unmark()
	}
	s.step1b()
	s.step1c()
	s.step2()
	s.step3()
	s.step4()
	s.step5()
	return s.unmark()
}

// stemmer is a word; 'Y' in it is a y that is a consonant. R1 and r2 are where its regions of these names begin.
type stemmer struct {
	w      []byte
	r1, r2 int
}

func irregular(w string) (string, bool) {
	switch w {
	case "skis":
		return "ski", true
	case "skies":
		return "sky", true
	case "dying":
		return "die", true
	case "lying":
		return "lie", true
	case "tying":
		return "tie", true
	case "idly":
		return "idl", true
	case "gently":
		return "gentl", true
	case "ugly":
		return "ugli", true
	case "early":
		return "earli", true
	case "only":
		return "onli", true
	case "singly":
		return "singl", true
	case "sky", "news", "howe", "atlas", "cosmos", "bias", "andes":
		return w, true
	}
	return "", false
}

// invariant reports whether a word is left as it is after step 1a.
func invariant(w string) bool {
	switch w {
	case "inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed":
		return true
	}
	return false
}

func isVowel(c byte) bool {
	switch c {
	case 'a', 'e', 'i', 'o', 'u', 'y':
		return true
	}
	return false
}

func (s *stemmer) markYs() {
	for n, c := range s.w {
		if c == 'y' && (n == 0 || isVowel(s.w[n-1])) {
			s.w[n] = 'Y'
		}
	}
}

func (s *stemmer) unmark() []byte {
	for n, c := range s.w {
		if c == 'Y' {
			s.w[n] = 'y'
		}
	}
	return s.w
}

func (s *stemmer) regions() {
	s.r1 = -1
	for _, p := range []string{"gener", "commun", "arsen"} {
		if bytes.HasPrefix(s.w, []byte(p)) {
			s.r1 = len(p)
		}
	}
	if s.r1 < 0 {
		s.r1 = s.after(0)
	}
	s.r2 = s.after(s.r1)
}

// after is where the region begins that follows the first consonant after a vowel.
func (s *stemmer) after(from int) int {
	for n := from + 1; n < len(s.w); n++ {
		if isVowel(s.w[n-1]) && !isVowel(s.w[n]) {
			return n + 1
		}
	}
	return len(s.w)
}

func (s *stemmer) has(suffix string) bool { return bytes.HasSuffix(s.w, []byte(suffix)) }

// in1 and in2 report whether an ending of n bytes lies in R1, in R2.
func (s *stemmer) in1(n int) bool { return len(s.w)-n >= s.r1 }
func (s *stemmer) in2(n int) bool { return len(s.w)-n >= s.r2 }

// replace puts another ending in the place of one of n bytes. None is longer than what it replaces, but for one e.
func (s *stemmer) replace(n int, with string) { s.w = append(s.w[:len(s.w)-n], with...) }

// vowelBefore reports whether there is a vowel before the last n bytes.
func (s *stemmer) vowelBefore(n int) bool {
	for _, c := range s.w[:max(0, len(s.w)-n)] {
		if isVowel(c) {
			return true
		}
	}
	return false
}

// short reports whether the word ends in a short syllable that nothing of R1 follows.
func (s *stemmer) short() bool { return s.r1 >= len(s.w) && s.shortSyllable(len(s.w)) }

// shortSyllable reports whether the first n bytes end in one.
func (s *stemmer) shortSyllable(n int) bool {
	if n == 2 {
		return isVowel(s.w[0]) && !isVowel(s.w[1])
	}
	if n < 3 {
		return false
	}
	a, b, c := s.w[n-3], s.w[n-2], s.w[n-1]
	return !isVowel(a) && isVowel(b) && !isVowel(c) && c != 'w' && c != 'x' && c != 'Y'
}
