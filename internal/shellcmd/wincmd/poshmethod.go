package wincmd

import (
	"encoding/base64"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

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
