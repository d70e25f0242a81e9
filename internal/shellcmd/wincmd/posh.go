package wincmd

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// items are what an expression gives: any number of values.
type items []word.Arg

// unknown is a value of which nothing is known.
func unknown() items { return items{{Text: word.Unknown, Many: true}} }

// lit is one known value; one that is too long is unknown.
func lit(s string) items {
	if len(s) > maxValue {
		return items{{Text: word.Unknown}}
	}
	return items{word.Lit(s)}
}

// text is a value as one text.
func (v items) text() string {
	var b strings.Builder
	for i, a := range v {
		if i > 0 {
			b.WriteByte(' ')
		}
		if b.WriteString(a.Text); b.Len() > maxValue {
			return word.Unknown
		}
	}
	return b.String()
}

// posh reads PowerShell.
type posh struct {
	s      string
	i      int
	vars   map[string]items
	cmds   []word.Command
	unsure bool
	depth  int
	maybe  bool
	via    []word.Via
	budget *int
}

// at is the character n places on, or 0.
func (p *posh) at(n int) byte {
	if p.i+n < len(p.s) {
		return p.s[p.i+n]
	}
	return 0
}

// blank skips blanks, comments and continued lines; with lines also the ends of statements.
func (p *posh) blank(lines bool) {
	for p.i < len(p.s) {
		switch ch := p.s[p.i]; {
		case ch == ' ' || ch == '\t' || ch == '\r':
			p.i++
		case ch == '`' && (p.at(1) == '\n' || p.at(1) == '\r'):
			p.i += 2
		case ch == '<' && p.at(1) == '#':
			n := strings.Index(p.s[p.i:], "#>")
			if n < 0 {
				p.i = len(p.s)
				return
			}
			p.i += n + 2
		case ch == '#' && (p.i == 0 || strings.IndexByte(" \t\r\n;({|&", p.s[p.i-1]) >= 0):
			n := strings.IndexByte(p.s[p.i:], '\n')
			if n < 0 {
				n = len(p.s) - p.i
			}
			p.i += n
		case lines && (ch == '\n' || ch == ';'):
			p.i++
		default:
			return
		}
	}
}

// enter counts depth and work; false where it is too much.
func (p *posh) enter() bool {
	p.depth++
	*p.budget--
	if p.depth > maxDepth || *p.budget < 0 || len(p.cmds) > maxCommands {
		p.unsure = true
		p.i = len(p.s)
		return false
	}
	return true
}

// statements reads up to the closing character, or all; what they give is what the last of them gives.
func (p *posh) statements(end byte) items {
	var out items
	if !p.enter() {
		p.depth--
		return nil
	}
	defer func() { p.depth-- }()
	for {
		p.blank(true)
		if p.i >= len(p.s) {
			return out
		}
		ch := p.s[p.i]
		if ch == end && end != 0 {
			p.i++
			return out
		}
		from := p.i
		switch {
		case ch == ')' || ch == '}' || ch == ']' || ch == ',' || ch == '|' || ch == '=':
			p.i++
		case ch == '&' && p.at(1) == '&':
			p.i += 2
		default:
			if v := p.statement(); len(v) > 0 {
				out = v
			}
		}
		if p.i == from {
			p.i++
		}
	}
}

// statement reads a keyword, an assignment, or a pipeline.
func (p *posh) statement() items {
	if !p.enter() {
		p.depth--
		return nil
	}
	defer func() { p.depth-- }()
	if w := p.keyword(); w != "" {
		p.i += len(w)
		switch strings.ToLower(w) {
		case "foreach":
			p.foreach()
		case "function", "filter":
			p.blank(false)
			for p.i < len(p.s) && strings.IndexByte(" \t\r\n({", p.s[p.i]) < 0 {
				p.i++
			}
		case "if", "elseif", "while", "switch", "else", "catch":
			p.maybe = true
		}
		return nil
	}
	if p.at(0) == '$' {
		from := p.i
		if name, ok := p.variableName(); ok {
			p.blank(false)
			op := p.s[p.i:min(len(p.s), p.i+2)]
			if strings.HasPrefix(op, "=") && op != "==" || op == "+=" {
				p.i += strings.IndexByte(op, '=') + 1
				p.blank(true)
				v := p.statement()
				if op == "+=" {
					if v = append(append(items{}, p.vars[name]...), v...); len(v) > maxItems {
						v = unknown()
					}
				}
				p.vars[name] = v
				return nil
			}
		}
		p.i = from
	}
	return p.pipeline()
}

// keyword is a word of the language that stands here, or empty.
func (p *posh) keyword() string {
	n := p.i
	for n < len(p.s) && (p.s[n] >= 'a' && p.s[n] <= 'z' || p.s[n] >= 'A' && p.s[n] <= 'Z') {
		n++
	}
	w := p.s[p.i:n]
	if n < len(p.s) && strings.IndexByte(" \t\r\n({", p.s[n]) < 0 {
		return ""
	}
	switch strings.ToLower(w) {
	case "if", "elseif", "else", "foreach", "for", "while", "do", "until", "switch", "try", "catch", "finally", "function", "filter", "param", "return", "throw",
		"begin", "process", "end", "trap", "in", "exit", "break", "continue":
		return w
	}
	return ""
}

// foreach reads ($x in …), so that the loop's commands see what $x may be.
func (p *posh) foreach() {
	p.blank(false)
	if p.at(0) != '(' {
		return
	}
	p.i++
	p.blank(true)
	name, ok := p.variableName()
	p.blank(true)
	if !ok || !strings.EqualFold(p.s[p.i:min(len(p.s), p.i+2)], "in") {
		return
	}
	p.i += 2
	p.blank(true)
	p.vars[name] = p.statements(')')
}

// pipeline reads commands with | between them.
func (p *posh) pipeline() items {
	var out items
	piped := -1
	first := true
	for {
		p.blank(!first)
		from := len(p.cmds)
		out = p.element(out, piped, first)
		first = false
		p.blank(false)
		piped = -1
		if p.at(0) != '|' || p.at(1) == '|' {
			if p.at(0) == '|' || p.at(0) == '&' {
				p.i++
				if p.at(0) == '|' || p.at(0) == '&' {
					p.i++
				}
			}
			return out
		}
		p.i++
		if len(p.cmds) > from {
			piped = len(p.cmds) - 1
			p.cmds[piped].Piped = true
		}
	}
}

// element reads one part of a pipeline: an expression or a command. in is what flows into it.
func (p *posh) element(in items, piped int, first bool) items {
	if !p.enter() {
		p.depth--
		return nil
	}
	defer func() { p.depth-- }()
	switch ch := p.at(0); {
	case ch == '&' && p.at(1) != '&', ch == '.' && (p.at(1) == ' ' || p.at(1) == '{' || p.at(1) == '(' || p.at(1) == '$'):
		p.i++
		p.blank(false)
		if p.at(0) == '{' {
			p.i++
			return p.block(in)
		}
		return p.command(in, piped, true)
	case ch == '$' || ch == '"' || ch == '\'' || ch == '(' || ch == '[' || ch == '@' || ch == '{' || ch == '!' || ch == '-' && first || ch >= '0' && ch <= '9' && first:
		return p.expression()
	}
	return p.command(in, piped, false)
}

// block reads the commands of { … }, with $_ as what flows in.
func (p *posh) block(in items) items {
	old, had := p.vars["_"]
	if in == nil {
		in = unknown()
	}
	p.vars["_"] = in
	out := p.statements('}')
	if had {
		p.vars["_"] = old
	}
	return out
}
