package tomledit

import (
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// mark is a byte order mark, which may be at the beginning.
const mark = "\xef\xbb\xbf"

// item is a header or a value of a file that is sound TOML, as its parser said.
type item struct {
	// path is all the names that lead to it.
	path []string
	// header says that it is a table's header, list that it is one of an array of tables.
	header, list bool
	// depth is how many inline tables it is in.
	depth int
	// start and end are the whole of it: a header or a top-level value with its line, the end of line included; a member of
	// an inline table without its comma.
	start, end int
	// from and to are the value's.
	from, to int
	// table says that the value is an inline table.
	table bool
}

// scanner walks through a text.
type scanner struct {
	text  string
	at    int
	items []item
}

func scan(data []byte) []item {
	s := &scanner{text: string(data)}
	if strings.HasPrefix(s.text, mark) {
		s.at = len(mark)
	}
	var table []string
	for s.at < len(s.text) {
		start := s.at
		s.blank()
		switch c := s.peek(); {
		case c == '[':
			list := strings.HasPrefix(s.text[s.at:], "[[")
			s.at++
			if list {
				s.at++
			}
			table = s.key()
			s.line()
			s.items = append(s.items, item{path: table, header: true, list: list, start: start, end: s.at})
		case c == '#' || c == '\r' || c == '\n' || c == 0:
			s.line()
		default:
			n := len(s.items)
			s.pair(table, start, 0)
			s.line()
			if n < len(s.items) {
				s.items[n].end = s.at
			}
		}
	}
	return s.items
}

// pair reads KEY = VALUE.
func (s *scanner) pair(prefix []string, start, depth int) {
	path := append(slices.Clone(prefix), s.key()...)
	s.at++ // =
	s.blank()
	n := len(s.items)
	s.items = append(s.items, item{path: path, depth: depth, start: start, from: s.at, table: s.peek() == '{'})
	s.value(path, depth)
	s.items[n].to, s.items[n].end = s.at, s.at
}

func (s *scanner) value(path []string, depth int) {
	switch s.peek() {
	case '"', '\'':
		s.quoted()
	case '[':
		s.array()
	case '{':
		s.at++
		for s.at < len(s.text) {
			s.space()
			switch s.peek() {
			case '}':
				s.at++
				return
			case ',':
				s.at++
			default:
				s.pair(path, s.at, depth+1)
			}
		}
	default:
		for s.at < len(s.text) && !strings.ContainsRune(",]}#\r\n", rune(s.text[s.at])) {
			s.at++
		}
		for s.text[s.at-1] == ' ' || s.text[s.at-1] == '\t' {
			s.at--
		}
	}
}

// array passes over an array: nothing in it is set.
func (s *scanner) array() {
	depth := 0
	for s.at < len(s.text) {
		switch s.peek() {
		case '"', '\'':
			s.quoted()
			continue
		case '#':
			s.comment()
			continue
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		}
		s.at++
		if depth == 0 {
			return
		}
	}
}

// quoted passes over a text, of one line or of several.
func (s *scanner) quoted() {
	quote := s.text[s.at : s.at+1]
	escapes := quote == `"`
	if three := strings.Repeat(quote, 3); strings.HasPrefix(s.text[s.at:], three) {
		quote = three
	}
	s.at += len(quote)
	for s.at < len(s.text) {
		switch {
		case escapes && s.text[s.at] == '\\':
			s.at += 2
			continue
		case strings.HasPrefix(s.text[s.at:], quote):
			s.at += len(quote)
			for n := 0; len(quote) == 3 && n < 2 && s.peek() == quote[0]; n++ {
				s.at++ // """" ends with a quote in the text
			}
			return
		}
		s.at++
	}
}

// key reads names with dots between.
func (s *scanner) key() []string {
	var out []string
	for s.at < len(s.text) {
		s.blank()
		start := s.at
		if c := s.peek(); c == '"' || c == '\'' {
			s.quoted()
			var v map[string]string
			_ = toml.Unmarshal([]byte("k = "+s.text[start:min(s.at, len(s.text))]), &v) // it was parsed before
			out = append(out, v["k"])
		} else {
			for s.at < len(s.text) && !strings.ContainsRune(".=] \t\r\n", rune(s.text[s.at])) {
				s.at++
			}
			out = append(out, s.text[start:s.at])
		}
		s.blank()
		if s.peek() != '.' {
			return out
		}
		s.at++
	}
	return out
}

func (s *scanner) peek() byte {
	if s.at >= len(s.text) {
		return 0
	}
	return s.text[s.at]
}

// blank passes over blanks in a line, space over line ends and comments too.
func (s *scanner) blank() {
	for c := s.peek(); c == ' ' || c == '\t'; c = s.peek() {
		s.at++
	}
}

func (s *scanner) space() {
	for {
		switch s.peek() {
		case ' ', '\t', '\r', '\n':
			s.at++
		case '#':
			s.comment()
		default:
			return
		}
	}
}

func (s *scanner) comment() {
	for s.at < len(s.text) && s.text[s.at] != '\n' {
		s.at++
	}
}

// line goes to the beginning of the next line.
func (s *scanner) line() {
	s.comment()
	if s.at < len(s.text) {
		s.at++
	}
}
