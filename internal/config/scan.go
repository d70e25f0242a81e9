package config

import (
	"regexp"
	"strings"
	"sync"
)

// statement is a table's head, a `name = value`, or a line that is neither.
type statement struct {
	kind  int
	line  int      // from 1
	names []string // of the table and the key, as written
	value string   // may hold several lines
	valid bool     // the head or the sign behind a name is right
}

const (
	isHead = iota
	isPair
	isJunk
)

// scanner splits a text into statements, whatever it is.
type scanner struct {
	lines []string
	at    int
	rest  string // of a line, behind a head
	table []string
	lost  bool // the head of this table cannot be read
	// budget bounds the lines that are tried as further lines of values that never end.
	budget int
	st     statement
}

func newScanner(text string) *scanner {
	lines := strings.Split(text, "\n")
	return &scanner{lines: lines, budget: 4*len(lines) + 64}
}

var (
	headForm = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\[+\s*((?:["']?[A-Za-z0-9_-]+["']?\s*\.\s*)*["']?[A-Za-z0-9_-]+["']?)\s*\]*`)
	})
	validHead = sync.OnceValue(func() *regexp.Regexp {
		const part = `(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')`
		return regexp.MustCompile(`^\[\[?\s*` + part + `(?:\s*\.\s*` + part + `)*\s*\]\]?\s*(?:#.*)?$`)
	})
	pairForm = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^((?:"[^"]*"|'[^']*'|[\w.\s"'-])+?)\s*([=:].*)$`)
	})
	firstWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^["']?([A-Za-z0-9_.-]+)`) })
)

// next goes to the next statement.
func (s *scanner) next() bool {
	for {
		line := trim(s.rest)
		s.rest = ""
		if line == "" {
			if s.at >= len(s.lines) {
				return false
			}
			line = trim(s.lines[s.at])
			s.at++
		}
		if line == "" || line[0] == '#' {
			continue
		}
		s.st = statement{line: s.at}
		if line[0] == '[' {
			s.head(line)
		} else {
			s.pair(line)
		}
		return true
	}
}

// head reads a table's head, closed or not. What stands behind it counts as the next line.
func (s *scanner) head(line string) {
	valid := validHead().MatchString(line)
	s.table = []string{"\x00"}
	if at := headForm().FindStringSubmatchIndex(line); at != nil {
		s.table = splitName(line[at[2]:at[3]])
		s.rest = line[at[1]:]
	}
	several := strings.HasPrefix(line, "[[")
	if several && len(s.table) == 1 && strings.EqualFold(s.table[0], "hook") {
		s.table, valid = []string{hooksName}, false // the table of the hooks' own settings is never one of several
	}
	s.lost = !valid && !isTable(s.table)
	s.st.valid = valid && several == isHooks(s.table)
	s.st.kind, s.st.names = isHead, s.table
}

func (s *scanner) pair(line string) {
	at := pairForm().FindStringSubmatch(line)
	if at == nil {
		s.st.kind = isJunk
		if word := firstWord().FindStringSubmatch(line); word != nil {
			s.st.names = s.below(splitName(word[1]))
		}
		return
	}
	s.st.kind, s.st.names = isPair, s.below(splitName(at[1]))
	s.st.valid = at[2][0] == '='
	s.st.value = s.extend(behind(at[2]))
}

// behind is what stands behind the signs between a name and its value.
func behind(s string) string { return strings.TrimLeft(s, "=: \t") }

// below is a name within the current table.
func (s *scanner) below(names []string) []string {
	return append(s.table[:len(s.table):len(s.table)], names...)
}

// extend returns the whole of a value that begins with first. One that does not end where it should is its first line
// alone: what it seems to swallow counts.
func (s *scanner) extend(first string) string {
	if first == "" || !strings.ContainsRune("\"'[{", rune(first[0])) {
		return first
	}
	var lx lexer
	if lx.feed(first) >= 0 {
		return first
	}
	for to := s.at; to < len(s.lines) && s.budget > 0; to++ {
		s.budget--
		line := s.lines[to]
		if stops(trim(line), first[0]) {
			break
		}
		if end := lx.feed(line); end >= 0 {
			if tail := trim(line[end:]); tail != "" && tail[0] != '#' {
				break
			}
			value := first + "\n" + strings.Join(s.lines[s.at:to+1], "\n")
			s.at = to + 1
			return value
		}
	}
	return first
}

// stops tells whether a line within a value that began with open is rather a known table or the next known key.
func stops(line string, open byte) bool {
	if at := headForm().FindStringSubmatch(line); at != nil {
		return isTable(splitName(at[1]))
	}
	if at := pairForm().FindStringSubmatch(line); at != nil && open != '{' {
		names := splitName(at[1])
		return len(byLast()[strings.ToLower(names[len(names)-1])]) > 0
	}
	return false
}

// isTable tells whether a head names a table of ours: one of keys, or a key that is a map.
func isTable(names []string) bool {
	name := known().canonical(strings.Join(names, "."))
	return name == hooksName || known().tables[name] || known().keys[name].Type == Map
}

// trim takes off white space and what cannot be seen.
func trim(s string) string { return strings.Trim(s, " \t\f\v\u00a0\u200b\u2060\ufeff") }

// splitName splits a dotted name; the dots within quotes are part of the name.
func splitName(s string) []string {
	var out []string
	var part strings.Builder
	quote := byte(0)
	for i := range len(s) {
		switch c := s[i]; {
		case c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\'') && strings.IndexByte(s[i+1:], c) >= 0:
			quote = c
		case quote == 0 && c == '.':
			out = append(out, part.String())
			part.Reset()
		case quote == 0 && (c == '"' || c == '\'' || c == ' ' || c == '\t'):
		default:
			part.WriteByte(c)
		}
	}
	return append(out, part.String())
}
