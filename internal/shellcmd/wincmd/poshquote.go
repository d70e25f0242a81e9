package wincmd

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// quoted reads a text in quotes, or a here-string.
func (p *posh) quoted() string {
	q := p.at(0)
	if q == '@' {
		q = p.at(1)
		body, _, _ := strings.Cut(p.s[p.i+2:], "\n"+string(q)+"@")
		p.i = min(len(p.s), p.i+2+len(body)+3)
		_, body, _ = strings.Cut(body, "\n")
		if q == '\'' {
			return strings.TrimSuffix(body, "\r")
		}
		return p.expand(strings.TrimSuffix(body, "\r"))
	}
	var b strings.Builder
	from := p.i + 1
	for n := from; n < len(p.s); n++ {
		switch {
		case p.s[n] == '`' && q == '"':
			n++
		case p.s[n] == '$' && q == '"' && n+1 < len(p.s) && p.s[n+1] == '(':
			n = closing(p.s, n+1)
		case p.s[n] == q:
			if n+1 < len(p.s) && p.s[n+1] == q {
				b.WriteString(p.s[from : n+1])
				n++
				from = n + 1
				continue
			}
			b.WriteString(p.s[from:n])
			p.i = n + 1
			if q == '\'' {
				return b.String()
			}
			return p.expand(b.String())
		}
	}
	p.unsure = true
	p.i = len(p.s)
	return word.Unknown
}

// closing is the place of the parenthesis that closes the one at i.
func closing(s string, i int) int {
	depth := 0
	for ; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(s)
}

// expand puts values into the text of double quotes.
func (p *posh) expand(s string) string {
	if strings.IndexByte(s, '$') < 0 && strings.IndexByte(s, '`') < 0 {
		return s
	}
	if !p.enter() {
		p.depth--
		return word.Unknown
	}
	defer func() { p.depth-- }()
	sub := &posh{s: s, vars: p.vars, depth: p.depth, maybe: p.maybe, via: p.via, budget: p.budget}
	var b strings.Builder
	for sub.i < len(s) && b.Len() < maxValue {
		switch ch := s[sub.i]; {
		case ch == '`' && sub.i+1 < len(s):
			b.WriteByte(escape(s[sub.i+1]))
			sub.i += 2
		case ch == '$' && sub.at(1) == '(':
			sub.i += 2
			b.WriteString(sub.statements(')').text())
		case ch == '$':
			if name, ok := sub.variableName(); ok {
				b.WriteString(sub.lookup(name).text())
				continue
			}
			b.WriteByte(ch)
			sub.i++
		default:
			b.WriteByte(ch)
			sub.i++
		}
	}
	p.cmds = append(p.cmds, sub.cmds...)
	p.unsure = p.unsure || sub.unsure
	return b.String()
}

// escape is what a character after a backtick stands for.
func escape(ch byte) byte {
	switch ch {
	case 'n':
		return '\n'
	case 't':
		return '\t'
	case 'r':
		return '\r'
	case '0':
		return 0
	}
	return ch
}
