package inline

import "strings"

// perl knows the functions of Perl that matter here.
func (r *reader) perl(c call, method bool) value {
	if method {
		return value{}
	}
	name := strings.TrimPrefix(strings.TrimPrefix(c.name, "CORE."), "GLOBAL.")
	name = strings.TrimPrefix(strings.TrimPrefix(name, "File.Path."), "File.Copy.")
	name = strings.TrimPrefix(name, "POSIX.")
	if r.apply(perlTable(), c, name) {
		return value{}
	}
	p := c.arg(0)
	switch name {
	case "copy", "cp", "link", "symlink":
		if len(c.args) > 1 {
			r.op("copy", false, p, c.arg(1))
		}
	case "open", "sysopen":
		r.perlOpen(c)
	case "eval":
		if p.kind == 't' {
			r.evalText("perl", p)
		} else if len(c.args) > 0 && p.kind != 'k' {
			r.unsure = true
		}
	case "LWP.Simple.get", "get", "getstore", "LWP.Simple.getstore":
		if p.kind == 't' && strings.Contains(p.text, "://") {
			r.op("fetch", false, p)
		}
	case "IO.Socket.INET.new":
		r.op("connect", false, c.key("PeerAddr", "PeerHost"))
	default:
		return perlValues(name, c)
	}
	return value{}
}

// perlTable are functions that do one thing with their arguments.
func perlTable() []row {
	return []row{
		{"system exec", "exec", "0+"},
		{"unlink rmdir", "delete", "0+"},
		{"rmtree remove_tree File.Remove.remove", "delete!", "0+"},
		{"rename move mv", "move", "01"},
		{"chmod", "chmod", "0+"},
		{"chown", "chown", "02+"},
		{"mkdir make_path mkpath", "mkdir", "0+"},
		{"kill", "kill", "0+"},
		{"truncate", "overwrite", "0"},
	}
}

// perlValues are functions of texts.
func perlValues(name string, c call) value {
	p := c.arg(0)
	switch name {
	case "decode_base64", "MIME.Base64.decode_base64", "MIME.Base64.decode":
		return decodeBase64(p)
	case "pack":
		return pack(p.text, c.rest(1))
	case "chr":
		return character(p)
	case "reverse":
		if len(c.args) == 1 && p.kind == 't' {
			return textValue(reverse(p.text))
		}
	case "scalar", "lc", "quotemeta", "chomp", "ucfirst":
		return p
	case "join":
		if p.kind == 't' {
			return joinTexts(value{kind: 'l', list: flat(c.rest(1))}, p.text)
		}
	case "glob":
		p.glob = p.kind == 't'
		return p
	}
	return value{}
}

// pack is a text of hex digits or of characters' numbers.
func pack(f string, args []value) value {
	args = flat(args)
	switch {
	case len(args) == 0 || f == "":
	case f[0] == 'H':
		return decodeHex(args[0])
	case strings.IndexByte("CcUW", f[0]) >= 0:
		return character(args...)
	}
	return value{}
}

// flat puts the values of lists in the lists' place.
func flat(vs []value) []value {
	var out []value
	for _, a := range vs {
		if a.kind == 'l' {
			out = append(out, a.list...)
		} else {
			out = append(out, a)
		}
	}
	return out
}

// perlOpen is open(F, "<", path), open(F, "> path"), open(F, "cmd |"), open(F, "-|", "cmd", …).
func (r *reader) perlOpen(c call) {
	how, path := c.arg(1), c.arg(2)
	if how.kind != 't' {
		return
	}
	m := strings.TrimSpace(how.text)
	if path.absent() {
		switch {
		case strings.HasPrefix(m, "|"):
			r.shell(textValue(m[1:]))
			return
		case strings.HasSuffix(m, "|"):
			r.shell(textValue(m[:len(m)-1]))
			return
		}
		t := strings.TrimLeft(m, "+<> ")
		mode := "r"
		switch sign := m[:len(m)-len(t)]; {
		case strings.Contains(sign, ">>"):
			mode = "a"
		case strings.ContainsAny(sign, ">+"):
			mode = "w"
		}
		r.open(textValue(strings.TrimSpace(t)), textValue(mode))
		return
	}
	switch {
	case strings.HasPrefix(m, "-|"), strings.HasPrefix(m, "|-"):
		r.execute(c, c.rest(2), true)
	case strings.HasPrefix(m, "<"), strings.HasPrefix(m, ">"), strings.HasPrefix(m, "+"):
		mode := "r"
		switch {
		case strings.HasPrefix(m, ">>"):
			mode = "a"
		case strings.ContainsAny(m, ">+"):
			mode = "w"
		}
		r.open(path, textValue(mode))
	}
}
