package wincmd

import (
	"strconv"
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// variableName reads $x, ${x}, $env:x; the name is in lower case.
func (p *posh) variableName() (string, bool) {
	if p.at(0) != '$' {
		return "", false
	}
	if p.at(1) == '{' {
		n := strings.IndexByte(p.s[p.i:], '}')
		if n < 0 {
			return "", false
		}
		name := p.s[p.i+2 : p.i+n]
		p.i += n + 1
		return strings.ToLower(name), true
	}
	n := p.i + 1
	for n < len(p.s) && (isWord(p.s[n]) || p.s[n] == ':' && n+1 < len(p.s) && isWord(p.s[n+1])) {
		n++
	}
	if n == p.i+1 {
		if ch := p.at(1); ch == '$' || ch == '?' || ch == '^' {
			p.i += 2
			return string(ch), true
		}
		return "", false
	}
	name := p.s[p.i+1 : n]
	p.i = n
	return strings.ToLower(name), true
}

// isWord tells whether a character can be part of a name.
func isWord(ch byte) bool {
	return ch == '_' || ch >= 'a' && ch <= 'z' || ch >= 'A' && ch <= 'Z' || ch >= '0' && ch <= '9'
}

// lookup is what a variable holds.
func (p *posh) lookup(name string) items {
	if v, ok := p.vars[name]; ok {
		return v
	}
	if env, ok := strings.CutPrefix(name, "env:"); ok {
		if s, ok := place(env); ok {
			return lit(s)
		}
		return items{{Text: word.Unknown}}
	}
	switch name {
	case "home":
		return lit("~")
	case "pwd":
		return lit(".")
	case "true", "false":
		return lit("$" + name)
	case "null":
		return nil
	}
	return unknown()
}

// expression reads values with operators between them.
func (p *posh) expression() items {
	v := p.operand()
	for p.i < len(p.s) {
		next, more := p.operate(v)
		if !more {
			return next
		}
		if v = next; len(v) > maxItems {
			v = unknown()
		}
	}
	return v
}

// operate reads one operator and what stands behind it; false where the expression has ended.
func (p *posh) operate(v items) (items, bool) {
	p.blank(false)
	switch ch := p.at(0); {
	case ch == ',':
		p.i++
		p.blank(true)
		return append(v[:len(v):len(v)], p.operand()...), true
	case ch == '+' && p.at(1) != '+':
		p.i++
		p.blank(true)
		w := p.operand()
		if len(v) == 1 && len(w) == 1 && len(v[0].Text)+len(w[0].Text) < maxValue {
			return items{{Text: v[0].Text + w[0].Text}}, true
		}
		return append(v[:len(v):len(v)], w...), true
	case ch == '-' && isWord(p.at(1)):
		return p.operator(v), true
	case ch == '=':
		p.i++
		p.blank(true)
		p.statement()
		return nil, false
	case ch == '*' || ch == '/' || ch == '%' || ch == '-':
		p.i++
		p.blank(false)
		p.operand()
		return unknown(), true
	case ch == '>':
		p.i++
		for p.at(0) == '>' || p.at(0) == ' ' {
			p.i++
		}
		p.add(word.Command{Argv: append(word.Lits("Out-File", "-FilePath"), p.argument()...)})
		return nil, false
	}
	return v, false
}

// operator reads -join, -f, -replace, -split and others.
func (p *posh) operator(v items) items {
	n := p.i + 1
	for n < len(p.s) && isWord(p.s[n]) {
		n++
	}
	op := strings.ToLower(p.s[p.i+1 : n])
	p.i = n
	p.blank(false)
	w := p.operand()
	for p.blank(false); p.at(0) == ',' && op != "join"; p.blank(false) {
		p.i++
		p.blank(true)
		w = append(w, p.operand()...)
	}
	switch op {
	case "join":
		texts := word.Texts(v)
		return lit(strings.Join(texts, w.text()))
	case "f":
		return lit(format(v.text(), w))
	case "replace", "ireplace", "creplace":
		if len(w) > 0 && len(v) == 1 {
			to := ""
			if len(w) > 1 {
				to = w[1].Text
			}
			if from := w[0].Text; from != "" && !strings.ContainsAny(from, `\.*+?[](){}^$|`) && len(v[0].Text)*(len(to)+1) < maxValue {
				return lit(strings.ReplaceAll(v[0].Text, from, to))
			}
		}
	case "split":
		if len(v) == 1 && w.text() != "" && !strings.ContainsAny(w.text(), `\.*+?[](){}^$|`) {
			if parts := strings.Split(v[0].Text, w.text()); len(parts) <= maxItems {
				return word.Lits(parts...)
			}
		}
	}
	return unknown()
}

// format fills {0}.
func format(f string, w items) string {
	var b strings.Builder
	for i := 0; i < len(f); i++ {
		end := strings.IndexByte(f[i:], '}')
		if f[i] != '{' || end < 0 {
			b.WriteByte(f[i])
			continue
		}
		n, err := strconv.Atoi(f[i+1 : i+end])
		if err != nil || n < 0 || n >= len(w) || b.Len() > maxValue {
			b.WriteString(word.Unknown)
		} else {
			b.WriteString(w[n].Text)
		}
		i += end
	}
	return b.String()
}

// operand reads one value with what is attached to it.
func (p *posh) operand() items {
	if !p.enter() {
		p.depth--
		return unknown()
	}
	defer func() { p.depth-- }()
	p.blank(false)
	var v items
	switch ch := p.at(0); {
	case ch == '"' || ch == '\'' || ch == '@' && (p.at(1) == '"' || p.at(1) == '\''):
		v = lit(p.quoted())
	case ch == '$' && p.at(1) == '(', ch == '@' && p.at(1) == '(':
		p.i += 2
		v = p.statements(')')
	case ch == '@' && p.at(1) == '{':
		p.i += 2
		p.statements('}')
		v = unknown()
	case ch == '(':
		p.i++
		v = p.statements(')')
	case ch == '{':
		v = p.scriptBlock()
	case ch == '[':
		return p.static()
	case ch == '$':
		name, ok := p.variableName()
		if !ok {
			p.i++
			return unknown()
		}
		v = p.lookup(name)
	case ch == '!' || ch == '-':
		p.i++
		return p.operand()
	default:
		w := p.bare()
		if w == "" {
			return nil
		}
		v = lit(w)
	}
	return p.members(v)
}

// scriptBlock reads the commands of a block that is a value; the value is its text.
func (p *posh) scriptBlock() items {
	p.i++
	from := p.i
	p.block(nil)
	return lit(p.s[from:max(from, p.i-1)])
}

// bare reads a word or a number.
func (p *posh) bare() string {
	n := p.i
	for n < len(p.s) && (isWord(p.s[n]) || p.s[n] == '.' && n+1 < len(p.s) && isWord(p.s[n+1])) {
		n++
	}
	w := p.s[p.i:n]
	p.i = n
	return w
}
