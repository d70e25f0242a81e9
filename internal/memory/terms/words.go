package terms

import "unicode/utf8"

const (
	// shortHash is how much of a commit's name people write.
	shortHash = 7
	// saysMuch is how long a number is that may be asked for alone: 502, but not the 2 that answers a choice.
	saysMuch = 3
)

func appendRune(b []byte, r rune) []byte {
	if r < utf8.RuneSelf {
		return append(b, byte(r))
	}
	return utf8.AppendRune(b, r)
}

// words gives the terms of letters and digits without joints between: run by run of one way to write.
func (s *scanner) words(token []char) {
	for from := 0; from < len(token); {
		to := from + 1
		for to < len(token) && token[to].class == token[from].class {
			to++
		}
		run := token[from:to]
		switch run[0].class {
		case latin:
			s.latin(run)
		case hangul:
			s.hangul(run, from > 0)
		case dense:
			s.dense(run)
		default:
			s.other(run)
		}
		from = to
	}
}

// latin gives the words of an identifier like parseHTTPRequest2, and it as a whole.
func (s *scanner) latin(run []char) {
	parts, from := 0, 0
	for n := 1; n <= len(run); n++ {
		if n == len(run) || newWord(run, n) {
			if parts > 0 || n < len(run) {
				s.word(run[from:n])
			}
			parts++
			from = n
		}
	}
	if parts == 1 {
		s.word(run)
		return
	}
	s.whole(run, false)
}

// newWord reports whether a word of a camelCase identifier begins at n.
func newWord(run []char, n int) bool {
	if !run[n].upper {
		return false
	}
	before, last := run[n-1], n+1 == len(run)
	switch {
	case isDigit(before):
		return !last && isLower(run[n+1]) // utf8Decode, but 42P01
	case !before.upper:
		return true
	case last || !isLower(run[n+1]):
		return false
	case n+2 == len(run):
		return run[n+1].r != 's' // URLs
	}
	return run[n+1].r != 'v' || !isDigit(run[n+2]) // IPv6
}

func isLower(c char) bool { return !c.upper && !isDigit(c) }

// word gives the term of one word, its stem.
func (s *scanner) word(run []char) {
	from := len(s.buf)
	letters, digits, hex := true, false, true
	for _, c := range run {
		if len(s.buf)-from == MaxLength {
			break
		}
		s.buf = append(s.buf, byte(c.r))
		if isDigit(c) {
			letters, digits = false, true
		} else if c.r > 'f' {
			hex = false
		}
	}
	w := s.buf[from:]
	if len(w) == 1 && letters || letters && isStop(w, s.query) {
		s.buf = s.buf[:from]
		return
	}
	s.asks = s.asks || letters && !isFiller(string(w)) || !letters && len(w) >= saysMuch
	if hex && digits && !letters && len(w) > shortHash && hasLetter(w) {
		s.ends = append(s.ends, from+shortHash)
		s.buf = append(s.buf[:from+shortHash], w...)
		s.add(from + shortHash)
		return
	}
	if letters {
		s.buf = s.buf[:from+len(stem(w))]
	}
	s.add(from)
}

func hasLetter(w []byte) bool {
	for _, c := range w {
		if c >= 'a' {
			return true
		}
	}
	return false
}

// dense gives the pairs of neighbours, or the one character that there is.
func (s *scanner) dense(run []char) {
	s.asks = true
	if len(run) == 1 {
		s.number(len(s.buf), run)
		return
	}
	for n := 1; n < len(run) && !s.full(); n++ {
		s.number(len(s.buf), run[n-1:n+1])
	}
}

// other gives a word of another script, as it is.
func (s *scanner) other(run []char) {
	s.asks = true
	from := len(s.buf)
	for _, c := range run {
		if len(s.buf)-from+utf8.RuneLen(c.r) > MaxLength {
			break
		}
		s.buf = appendRune(s.buf, c.r)
	}
	s.add(from)
}
