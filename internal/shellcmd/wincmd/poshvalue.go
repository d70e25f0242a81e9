package wincmd

import (
	"encoding/base64"
	"strconv"
	"strings"
	"unicode/utf16"

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

// members reads .Name, .Name(…) and [n] behind a value.
func (p *posh) members(v items) items {
	for {
		switch {
		case p.at(0) == '.' && isWord(p.at(1)):
			n := p.i + 1
			for n < len(p.s) && isWord(p.s[n]) {
				n++
			}
			name := p.s[p.i+1 : n]
			p.i = n
			if p.at(0) == '(' {
				p.i++
				v = p.method(v, strings.ToLower(name), p.arguments())
				continue
			}
			if l := strings.ToLower(name); l != "fullname" && l != "path" && l != "name" {
				v = unknown()
			}
		case p.at(0) == '[':
			p.i++
			at := p.statements(']')
			v = element(v, at)
		default:
			return v
		}
	}
}

// element is v[n], of a list or of a text.
func element(v, at items) items {
	var out items
	for _, a := range at {
		n, err := strconv.Atoi(a.Text)
		switch {
		case err != nil || n < 0:
			return unknown()
		case len(v) > 1 && n < len(v):
			out = append(out, v[n])
		case len(v) == 1 && n < len(v[0].Text):
			out = append(out, word.Lit(v[0].Text[n:n+1]))
		default:
			return unknown()
		}
	}
	return out
}

// arguments are those of a method, each as one value.
func (p *posh) arguments() items {
	v := p.statements(')')
	return v
}

// method knows what some methods of texts, paths and clients do.
func (p *posh) method(v items, name string, args items) items {
	switch name {
	case "delete":
		p.add(word.Command{Op: "delete", Recursive: len(args) > 0, Argv: v})
	case "downloadstring", "downloaddata", "openread", "getstringasync", "getasync":
		p.add(word.Command{Op: "fetch", Argv: args})
	case "downloadfile":
		if len(args) > 0 {
			p.add(word.Command{Op: "fetch", Argv: args[:1]})
			if len(args) > 1 {
				p.add(word.Command{Op: "overwrite", Argv: args[1:2]})
			}
		}
	case "uploadstring", "uploadfile", "uploaddata", "postasync":
		if len(args) > 0 {
			p.add(word.Command{Op: "send", Argv: args[:1]})
		}
	case "replace":
		if len(v) == 1 && len(args) == 2 && args[0].Text != "" && len(v[0].Text)*(len(args[1].Text)+1) < maxValue {
			return lit(strings.ReplaceAll(v[0].Text, args[0].Text, args[1].Text))
		}
	case "tostring", "trim", "tolower", "toupper":
		return v
	}
	return unknown()
}

// static reads [Type]::Member(…) and casts.
func (p *posh) static() items {
	end := strings.IndexByte(p.s[p.i:], ']')
	if end < 0 {
		p.i = len(p.s)
		return unknown()
	}
	typ := strings.ToLower(strings.ReplaceAll(p.s[p.i+1:p.i+end], " ", ""))
	p.i += end + 1
	if p.at(0) == ']' {
		p.i++
	}
	if p.at(0) != ':' || p.at(1) != ':' {
		p.blank(false)
		if p.at(0) == 0 || strings.IndexByte(",;)|}\n", p.at(0)) >= 0 {
			return nil
		}
		v := p.operand()
		if typ == "char" || typ == "char[]" {
			return chars(v)
		}
		return v
	}
	p.i += 2
	n := p.i
	for n < len(p.s) && isWord(p.s[n]) {
		n++
	}
	name := strings.ToLower(p.s[p.i:n])
	p.i = n
	if p.at(0) != '(' {
		return p.members(lit(typ + "::" + name))
	}
	p.i++
	return p.members(p.call(strings.TrimPrefix(typ, "system."), name, p.arguments()))
}

// chars are the characters of numbers.
func chars(v items) items {
	var out items
	for _, a := range v {
		n, err := strconv.ParseInt(a.Text, 0, 32)
		if err != nil {
			return unknown()
		}
		out = append(out, word.Lit(string(rune(n))))
	}
	return out
}

// call knows some functions of .NET.
func (p *posh) call(typ, name string, args items) items {
	first := args[:min(1, len(args))]
	switch typ + "." + name {
	case "io.file.delete":
		p.add(word.Command{Op: "delete", Argv: first})
	case "io.directory.delete":
		p.add(word.Command{Op: "delete", Recursive: len(args) > 1 && args[1].Text != "$false", Argv: first})
	case "io.file.writealltext", "io.file.writeallbytes", "io.file.writealllines", "io.file.create":
		p.add(word.Command{Op: "overwrite", Argv: first})
	case "io.file.appendalltext", "io.file.appendalllines":
		p.add(word.Command{Op: "append", Argv: first})
	case "io.file.readalltext", "io.file.readallbytes", "io.file.readalllines":
		p.add(word.Command{Op: "read", Argv: first})
	case "io.file.move", "io.directory.move":
		p.add(word.Command{Op: "move", Argv: args})
	case "io.file.copy":
		p.add(word.Command{Op: "copy", Argv: args})
	case "diagnostics.process.start":
		p.add(word.Command{Argv: args})
	case "environment.getfolderpath":
		if strings.EqualFold(args.text(), "UserProfile") {
			return lit("~")
		}
	case "io.path.combine":
		return lit(strings.Join(word.Texts(args), `\`))
	case "string.join":
		if len(args) > 1 {
			return lit(strings.Join(word.Texts(args[1:]), args[0].Text))
		}
	case "convert.frombase64string":
		if raw, err := base64.StdEncoding.DecodeString(args.text()); err == nil {
			return lit(string(raw))
		}
	case "scriptblock.create":
		p.script(args)
		return args
	}
	if name == "getstring" {
		if len(first) == 1 && strings.IndexByte(first[0].Text, 0) >= 0 {
			return lit(utf16Text(first[0].Text))
		}
		return first
	}
	return unknown()
}

// utf16Text reads a text of two bytes a character.
func utf16Text(s string) string {
	u := make([]uint16, len(s)/2)
	for i := range u {
		u[i] = uint16(s[2*i]) | uint16(s[2*i+1])<<8
	}
	return string(utf16.Decode(u))
}
