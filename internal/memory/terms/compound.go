package terms

// compound gives the terms of a token: those of its parts, and what the parts make together. Flag says that dashes stood
// before it.
func (s *scanner) compound(token []char, flag bool) {
	if s.version(token) {
		return
	}
	parts := 0
	beforeLast, last := 0, 0
	for part := range splitAt(token, '/') {
		s.name(token[part[0]:part[1]])
		parts++
		beforeLast, last = last, part[0]
	}
	switch {
	case parts == 1 && flag:
		s.whole(token, true)
	case parts == 2:
		s.whole(token, false)
	case parts > 2:
		s.whole(token[beforeLast:], false)
		if parts <= maxParts && last > 0 {
			s.whole(token, false)
		}
	}
}

// name gives the terms of a part of a path: a file's name, a qualified identifier.
func (s *scanner) name(token []char) {
	dots := 0
	for part := range splitAt(token, '.') {
		name := token[part[0]:part[1]]
		words := 0
		for w := range splitAt(name, '_', '-') {
			s.words(name[w[0]:w[1]])
			words++
		}
		if words > 1 {
			s.whole(name, false)
		}
		dots++
	}
	if dots > 1 {
		s.whole(token, false)
	}
}

// splitAt yields the bounds of the parts that are not empty.
func splitAt(token []char, at ...rune) func(func([2]int) bool) {
	return func(yield func([2]int) bool) {
		from := 0
		for n := 0; n <= len(token); n++ {
			if n < len(token) && (token[n].class != separator || !has(at, token[n].r)) {
				continue
			}
			if n > from && !yield([2]int{from, n}) {
				return
			}
			from = n + 1
		}
	}
}

func has(all []rune, r rune) bool {
	for _, a := range all {
		if a == r {
			return true
		}
	}
	return false
}

// whole adds a token without its joints.
func (s *scanner) whole(token []char, flag bool) {
	if s.query {
		s.asks = true
	}
	from := len(s.buf)
	if flag {
		s.buf = appendRune(s.buf, Joint)
	}
	start := len(s.buf)
	letters := true
	for _, c := range token {
		if len(s.buf)-from > MaxLength {
			break
		}
		if c.class != separator {
			s.buf = appendRune(s.buf, c.r)
			letters = letters && c.class == latin && c.r >= 'a'
		}
	}
	if letters && !flag && len(s.buf)-from <= MaxLength {
		s.buf = s.buf[:start+len(stem(s.buf[start:]))]
	}
	s.add(from)
}

// version adds a version or an address of numbers whole, and the beginnings that people say of it: 17.2.1 is also 17.2 and 17.
func (s *scanner) version(token []char) bool {
	if len(token) > 1 && token[0].r == 'v' && isDigit(token[1]) {
		token = token[1:]
	}
	dots := 0
	for _, c := range token {
		switch {
		case c.class == separator && c.r == '.':
			dots++
		case !isDigit(c):
			return false
		}
	}
	if dots == 0 {
		return false
	}
	s.asks = true
	from := len(s.buf)
	said := 0
	for n := 0; n <= len(token); n++ {
		if n == len(token) || token[n].class == separator {
			said++
			if said <= 2 || n == len(token) {
				s.number(from, token[:n])
				from = len(s.buf)
			}
		}
	}
	return true
}

func (s *scanner) number(from int, token []char) {
	for _, c := range token {
		r := c.r
		if c.class == separator {
			r = Joint
		}
		s.buf = appendRune(s.buf, r)
	}
	s.add(from)
}

func isDigit(c char) bool { return c.class == latin && c.r >= '0' && c.r <= '9' }
