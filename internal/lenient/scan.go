package lenient

import "bytes"

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

func skipSpace(b []byte, i int) int {
	for i < len(b) && isSpace(b[i]) {
		i++
	}
	return i
}

// bareEnd is the end of a run of bytes that mean nothing in JSON.
func bareEnd(b []byte, i int) int {
	for i < len(b) && !structural(b[i]) {
		i++
	}
	return i
}

func structural(c byte) bool {
	switch c {
	case '{', '}', '[', ']', ',', ':', '"':
		return true
	}
	return false
}

// stringEnd is the index after the closing quote of the string that starts at i, or the end of a truncated one.
func stringEnd(b []byte, i int) int {
	for at := i + 1; at < len(b); {
		quote := bytes.IndexByte(b[at:], '"')
		if quote < 0 {
			return len(b)
		}
		quote += at
		slashes := 0
		for back := quote - 1; back > i && b[back] == '\\'; back-- {
			slashes++
		}
		if slashes%2 == 0 {
			return quote + 1
		}
		at = quote + 1
	}
	return len(b)
}

// valueEnd is the index after the value that starts at i. Containers are followed by counting brackets, so their depth is
// of no concern; i itself means that no value starts there.
func valueEnd(b []byte, i int) int {
	if i >= len(b) {
		return i
	}
	switch b[i] {
	case '"':
		return stringEnd(b, i)
	case '{', '[':
		return containerEnd(b, i)
	}
	at := i
	for at < len(b) && !isSpace(b[at]) && b[at] != ',' && b[at] != '}' && b[at] != ']' && b[at] != ':' && b[at] != '"' {
		at++
	}
	return at
}

func containerEnd(b []byte, i int) int {
	depth := 0
	for i < len(b) {
		switch b[i] {
		case '"':
			i = stringEnd(b, i)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return i
}

// Scanner tells when a JSON text that arrives in pieces is complete, so that a reader need not wait for the end of a
// stream that its writer never closes.
type Scanner struct {
	depth    int
	inString bool
	escaped  bool
	started  bool
	done     bool
}

// Feed takes the next piece and tells whether the text's first object or array is complete. A bare scalar never is: it
// could go on.
func (s *Scanner) Feed(piece []byte) bool {
	for i := 0; i < len(piece) && !s.done; i++ {
		if s.inString {
			i = s.inside(piece, i)
			continue
		}
		switch piece[i] {
		case '"':
			s.inString = s.started
		case '{', '[':
			s.started = true
			s.depth++
		case '}', ']':
			if s.started {
				s.depth--
				s.done = s.depth <= 0
			}
		}
	}
	return s.done
}

// inside moves over the bytes of a string and returns the index of the last one looked at.
func (s *Scanner) inside(piece []byte, i int) int {
	if s.escaped {
		s.escaped = false
		return i
	}
	for ; i < len(piece); i++ {
		switch piece[i] {
		case '\\':
			s.escaped = true
			return i
		case '"':
			s.inString = false
			return i
		}
	}
	return len(piece) - 1
}
