package config

import "strings"

// lexer finds the end of a TOML value, line by line.
type lexer struct {
	depth int    // open brackets and braces
	quote string // that ends the text being read
}

// feed reads a line of the value and returns the place behind the value's end, or -1 when it goes on.
func (l *lexer) feed(s string) int {
	for i := 0; i < len(s); {
		if l.quote != "" {
			if i = l.text(s, i); l.quote == "" && l.depth == 0 {
				return i
			}
			continue
		}
		switch c := s[i]; c {
		case '#':
			return -1
		case '"', '\'':
			l.quote = s[i : i+1]
			if three := strings.Repeat(l.quote, 3); strings.HasPrefix(s[i:], three) {
				l.quote = three
			}
			i += len(l.quote)
			continue
		case '[', '{':
			l.depth++
		case ']', '}':
			if l.depth--; l.depth <= 0 {
				return i + 1
			}
		}
		i++
	}
	if len(l.quote) != 1 {
		return -1
	}
	l.quote = "" // such a text ends with its line, closed or not
	if l.depth == 0 {
		return len(s)
	}
	return -1
}

// text goes on within a quoted text and returns the place behind what it took.
func (l *lexer) text(s string, i int) int {
	switch {
	case s[i] == '\\' && l.quote[0] == '"':
		return min(i+2, len(s))
	case !strings.HasPrefix(s[i:], l.quote):
		return i + 1
	}
	quote := l.quote
	l.quote = ""
	i += len(quote)
	for n := 0; len(quote) == 3 && n < 2 && i < len(s) && s[i] == quote[0]; n++ {
		i++ // """" ends with a quote in the text
	}
	return i
}
