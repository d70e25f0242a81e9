package redact

import "strings"

// commandLine remembers which commands stand before a place in the same command
// line: "sudo docker exec db mysql -p…" runs several.
type commandLine struct {
	pos   int
	names []string
}

// command says whether one of names stands before i in the same command.
func (sc *scanner) command(i int, names ...string) bool {
	sc.readCommands(i)
	return anyOf(sc.cmd.names, names)
}

func anyOf(have, want []string) bool {
	for _, h := range have {
		for _, w := range want {
			if h == w {
				return true
			}
		}
	}
	return false
}

// readCommands goes on from where the last call stopped.
func (sc *scanner) readCommands(i int) {
	s, c := sc.s, &sc.cmd
	if i > c.pos {
		sc.steps += i - c.pos
		sc.skipLines(i)
	}
	for c.pos < i {
		b := s[c.pos]
		if endsCommand(s, c.pos) {
			c.names = c.names[:0]
		}
		if !isLetter(b) && !isDigit(b) {
			c.pos++
			continue
		}
		end := c.pos
		for end < len(s) && (isAlnum(s[end]) || s[end] == '-' || s[end] == '_') {
			end++
		}
		start := c.pos
		if c.pos > 0 && s[c.pos-1] == '\\' && b == 'n' {
			start++ // "\ncurl"
		}
		word := strings.TrimSuffix(s[start:end], "-")
		if len(word) > 1 && len(word) < 14 && len(c.names) < 8 && commandNames()[word] && (start == 0 || strings.IndexByte(" \t\n/(\"'$,`n;|&", s[start-1]) >= 0) {
			c.names = append(c.names, word)
		}
		c.pos = end
	}
}

// skipLines goes to the start of the line of i. A backslash before the line break
// goes on with the line before.
func (sc *scanner) skipLines(i int) {
	c := &sc.cmd
	for at := i; at > c.pos; {
		if at = c.pos + strings.LastIndexByte(sc.s[c.pos:at], '\n'); at < c.pos {
			return
		}
		if endsCommand(sc.s, at) {
			c.pos, c.names = at+1, c.names[:0]
			return
		}
	}
}

// endsCommand says that another command begins at i. In a URL an '&' doesn't.
func endsCommand(s string, i int) bool {
	switch s[i] {
	case '\n':
		return i == 0 || s[i-1] != '\\' && (i < 2 || s[i-1] != '\r' || s[i-2] != '\\')
	case '\\':
		return i+1 < len(s) && s[i+1] == 'n' && (i == 0 || s[i-1] != '\\')
	case '`':
		return true
	case ';', '|', '&':
		return i+1 == len(s) || isSpace(s[i+1]) || s[i+1] == s[i] || i > 0 && isSpace(s[i-1])
	}
	return false
}
