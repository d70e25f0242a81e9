package wincmd

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// add keeps a command.
func (p *posh) add(c word.Command) {
	if len(c.Argv) == 0 {
		return
	}
	if len(p.cmds) > maxCommands {
		p.unsure = true
		return
	}
	c.Maybe, c.Via = p.maybe, p.via
	p.cmds = append(p.cmds, c)
}

// ends tells whether a command's words end here.
func (p *posh) ends() bool {
	if p.i >= len(p.s) {
		return true
	}
	switch p.s[p.i] {
	case '\n', ';', '|', ')', '}':
		return true
	case '&':
		return true
	}
	return false
}

// command reads a command with its arguments. call says that an operator before it has its name be any value.
func (p *posh) command(in items, piped int, call bool) items {
	start := p.i
	name := p.argument()
	if len(name) == 0 {
		return nil
	}
	full := name[0].Text
	if !call || !strings.ContainsAny(full, `/\`) {
		full = cmdlet(full)
	}
	if p.variable(call, start) {
		return nil
	}
	c := word.Command{Argv: items{{Text: full, Many: false}}}
	c.Argv = append(c.Argv, name[1:]...)
	for p.blank(false); !p.ends(); p.blank(false) {
		from := p.i
		if p.redirect(&c) {
			continue
		}
		c.Argv = append(c.Argv, p.words(full, in)...)
		if p.i == from {
			p.i++
		}
		if len(c.Argv) > 1<<12 {
			p.unsure = true
			break
		}
	}
	if piped >= 0 {
		c.Stdin = word.Data{Given: true, Text: word.Unknown, From: []int{piped}}
		if t := in.text(); len(in) > 0 {
			c.Stdin.Text = t
		}
	} else if len(in) > 0 {
		c.Stdin = word.Data{Given: true, Text: in.text()}
	}
	return p.finish(full, c, in)
}

// variable tells whether what began as a command was an assignment (X = 1 has no meaning, $x is no command).
func (p *posh) variable(call bool, start int) bool {
	if call || start >= len(p.s) || p.s[start] != '$' {
		return false
	}
	p.blank(false)
	return p.at(0) == '='
}

// words reads one argument, or the values of a list with commas.
func (p *posh) words(name string, in items) items {
	if v, ok := p.param(name); ok {
		return v
	}
	if p.at(0) == '{' {
		p.i++
		from := p.i
		old := p.maybe
		p.maybe = true
		if name == "Where-Object" || name == "Select-Object" || name == "Sort-Object" {
			in = unknown()
		}
		p.block(in)
		p.maybe = old
		return lit("{" + p.s[from:max(from, p.i-1)] + "}")
	}
	v := p.argument()
	for {
		at := p.i
		p.blank(false)
		if p.at(0) != ',' {
			p.i = at
			return v
		}
		p.i++
		p.blank(true)
		if w := p.argument(); len(v)+len(w) < maxItems {
			v = append(v[:len(v):len(v)], w...)
		}
		if p.i >= len(p.s) {
			return v
		}
	}
}

// param reads -Name, -Name:value and --%; false where none stands here.
func (p *posh) param(name string) (items, bool) {
	if p.at(0) != '-' || !isWord(p.at(1)) && p.at(1) != '-' {
		return nil, false
	}
	if strings.HasPrefix(p.s[p.i:], "--%") {
		// The rest of the line is as it stands.
		rest, _, _ := strings.Cut(p.s[p.i+3:], "\n")
		p.i += 3 + len(rest)
		return word.Lits(strings.Fields(rest)...), true
	}
	n := p.i + 1
	for n < len(p.s) && (isWord(p.s[n]) || p.s[n] == '-') {
		n++
	}
	if n < len(p.s) && strings.IndexByte(" \t\r\n;|)}:,", p.s[n]) < 0 {
		return nil, false
	}
	param := p.s[p.i+1 : n]
	p.i = n
	if cmdlet(name) == name && strings.Contains(name, "-") {
		param = parameter(name, param)
	}
	if p.at(0) != ':' {
		return lit("-" + param), true
	}
	p.i++
	v := p.argument()
	switch v.text() {
	case "$true":
		return lit("-" + param), true
	case "$false":
		return nil, true
	}
	return append(lit("-"+param), v...), true
}

// argument reads one word in a command: bare text, quotes and values side by side.
func (p *posh) argument() items {
	if !p.enter() {
		p.depth--
		return nil
	}
	defer func() { p.depth-- }()
	switch ch := p.at(0); {
	case ch == '(' || ch == '@' && (p.at(1) == '(' || p.at(1) == '{' || p.at(1) == '"' || p.at(1) == '\''):
		return p.operand()
	case ch == '[' && strings.Contains(p.s[p.i:min(len(p.s), p.i+80)], "]::"):
		return p.operand()
	}
	var b strings.Builder
	many, glob := false, false
	for p.i < len(p.s) {
		ch := p.s[p.i]
		switch {
		case ch == '"' || ch == '\'':
			b.WriteString(p.quoted())
		case ch == '`' && p.i+1 < len(p.s):
			b.WriteByte(escape(p.s[p.i+1]))
			p.i += 2
		case ch == '$':
			v, ok := p.inWord()
			if ok && b.Len() == 0 && (p.i >= len(p.s) || strings.IndexByte(" \t\r\n;|)},&", p.s[p.i]) >= 0) {
				return v
			}
			many = appendText(&b, v) || many
		case strings.IndexByte(" \t\r\n;|(){},&<>", ch) >= 0:
			return items{{Text: b.String(), Many: many, Glob: glob}}
		default:
			glob = glob || ch == '*' || ch == '?'
			b.WriteByte(ch)
			p.i++
		}
	}
	return items{{Text: b.String(), Many: many, Glob: glob}}
}

// inWord reads a variable or $(…) in a word; variable tells that it was a variable.
func (p *posh) inWord() (v items, variable bool) {
	if p.at(1) == '(' {
		p.i += 2
		return p.statements(')'), false
	}
	name, ok := p.variableName()
	if !ok {
		p.i++
		return lit("$"), false
	}
	v = p.lookup(name)
	if p.at(0) == '.' && isWord(p.at(1)) && p.at(1) > '9' || p.at(0) == '[' {
		v = p.members(v)
	}
	return v, true
}

// appendText writes a value into a word and tells whether it may be several.
func appendText(b *strings.Builder, v items) bool {
	b.WriteString(v.text())
	return len(v) == 1 && v[0].Many
}

// redirect reads > file, 2> file, 2>&1.
func (p *posh) redirect(c *word.Command) bool {
	n := 0
	if ch := p.at(0); (ch >= '1' && ch <= '6' || ch == '*') && p.at(1) == '>' {
		n = 1
	}
	if p.at(n) != '>' {
		return false
	}
	fd := p.s[p.i : p.i+n]
	p.i += n + 1
	op := ">"
	if p.at(0) == '>' {
		op = ">>"
		p.i++
	}
	if p.at(0) == '&' {
		p.i += 2
		return true
	}
	p.blank(false)
	for _, a := range p.argument() {
		if a.Text != "" {
			c.Redirects = append(c.Redirects, word.Redirect{Op: op, FD: fd, Target: a})
		}
	}
	return true
}

// finish keeps a command that has been read, and runs what it runs; it gives what flows out.
func (p *posh) finish(name string, c word.Command, in items) items {
	switch name {
	case "Invoke-Expression":
		text := values(c.Argv[1:], "-Command")
		if len(text) == 0 {
			text = in
		}
		if !p.script(text) {
			p.unsure = true
			p.add(c)
		}
		return unknown()
	case "Start-Process":
		return p.startProcess(c)
	case "ForEach-Object", "Where-Object", "Select-Object", "Sort-Object":
		if name != "ForEach-Object" {
			return in
		}
		return unknown()
	case "Write-Output", "Get-Item", "Resolve-Path":
		p.add(c)
		return values(c.Argv[1:], "-InputObject", "-Path", "-LiteralPath")
	case "Get-ChildItem":
		p.add(c)
		return children(c)
	case "Get-Location":
		return lit(".")
	case "Join-Path":
		return lit(strings.Join(word.Texts(values(c.Argv[1:], "-Path", "-ChildPath")), `\`))
	case "Get-Content":
		p.add(c)
		return unknown()
	case "Remove-Item", "Move-Item", "Clear-Content", "Set-ItemProperty", "Rename-Item", "Copy-Item", "Set-Content", "Stop-Process", "Invoke-Item":
		if c.Stdin.Given && len(values(c.Argv[1:], "-Path", "-LiteralPath", "-Id", "-Name")) == 0 {
			if in == nil {
				in = unknown()
			}
			c.Argv = append(c.Argv, in...)
		}
	case "Invoke-Command":
		// Its block has been read.
	}
	p.add(c)
	return unknown()
}
