package redact

import "strings"

// openQuote reads a quote with the backslashes that encoding put before it.
func openQuote(s string, i int) (start int, delim string) {
	j := i
	for j < len(s) && s[j] == '\\' {
		j++
	}
	if j < len(s) && isQuote(s[j]) {
		return j + 1, s[i : j+1]
	}
	return i, ""
}

// closeQuote returns where the quoted text ends: at its quote with as many
// backslashes as the opening one, or at the end of the line.
func closeQuote(s string, i int, delim string) int {
	quote, level := delim[len(delim)-1], len(delim)-1
	slashes := 0
	for ; i < len(s); i++ {
		switch s[i] {
		case '\n':
			return i - slashes
		case '\\':
			slashes++
			continue
		case quote:
			if slashes <= level || level == 0 && slashes%2 == 0 {
				return i - min(slashes, level)
			}
		}
		slashes = 0
	}
	return i - slashes
}

// bareEnd returns where an unquoted value ends.
func bareEnd(s string, i int, query, env bool) int {
	if i < len(s) && s[i] == '$' && i+1 < len(s) && (s[i+1] == '{' || s[i+1] == '(') {
		for i < len(s) && s[i] != '\n' && s[i] != '}' && s[i] != ')' {
			i++
		}
		return min(i+1, len(s))
	}
	return bareRun(s, i, query, env)
}

func bareRun(s string, i int, query, env bool) int {
	for ; i < len(s) && s[i] > ' '; i++ {
		switch b := s[i]; {
		case isQuote(b), b == ';', b == '&', b == '|', query && b == '#':
			return i
		case b == '\\':
			if i+1 < len(s) && (isQuote(s[i+1]) || strings.IndexByte("nrt\\", s[i+1]) >= 0) {
				return i
			}
		case !env && (b == ')' || b == '}' || b == ',' && !query):
			return i
		case b == '%' && i+2 < len(s) && s[i+1] == '2' && (s[i+2] == '6' || s[i+2] == '2'):
			return i
		}
	}
	return i
}

// bareEnd is the end of an unquoted value, no further than what is judged. It
// remembers where the last one of its kind ended: one value can hold many names.
func (sc *scanner) bareEnd(i int, query, env bool) int {
	near := max(sc.near, i)
	if i < len(sc.s) && sc.s[i] == '$' {
		return bareEnd(sc.s[:near], i, query, env)
	}
	slot := &sc.bare[0]
	if query {
		slot = &sc.bare[1]
	}
	if env {
		slot = &sc.bare[2]
	}
	if query && env {
		slot = &sc.bare[3]
	}
	if i < slot.from || i >= slot.end {
		*slot = lastRun{from: i, end: i}
	}
	if slot.end < near {
		end := bareRun(sc.s[:min(len(sc.s), near+2)], slot.end, query, env)
		sc.steps += end - slot.end
		slot.end = end
	}
	return min(slot.end, near)
}
