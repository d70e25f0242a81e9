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
	p := c.arg(0)
	switch name {
	case "system", "exec":
		r.execute(c, c.args, true)
	case "unlink", "rmdir":
		if len(c.args) > 0 {
			r.op("delete", false, c.args...)
		}
	case "rmtree", "remove_tree", "File.Remove.remove":
		r.op("delete", true, c.args...)
	case "rename", "move", "mv":
		r.op("move", false, p, c.arg(1))
	case "copy", "cp", "link", "symlink":
		if len(c.args) > 1 {
			r.op("copy", false, p, c.arg(1))
		}
	case "chmod":
		r.op("chmod", false, c.args...)
	case "chown":
		r.op("chown", false, append([]value{p}, c.rest(2)...)...)
	case "mkdir", "make_path", "mkpath":
		r.op("mkdir", false, c.args...)
	case "kill":
		r.op("kill", false, c.args...)
	case "truncate":
		r.op("overwrite", false, p)
	case "open", "sysopen":
		r.perlOpen(c)
	case "eval":
		if p.kind == 't' {
			r.evalText("perl", p)
		} else if len(c.args) > 0 && p.kind != 'k' {
			r.unsure = true
		}
	case "decode_base64", "MIME.Base64.decode_base64", "MIME.Base64.decode":
		return decodeBase64(p)
	case "pack":
		switch f := p.text; {
		case strings.HasPrefix(f, "H") && len(c.args) > 1:
			return decodeHex(c.args[1])
		case strings.HasPrefix(f, "C") || strings.HasPrefix(f, "c") || strings.HasPrefix(f, "U") || strings.HasPrefix(f, "W"):
			var flat []value
			for _, a := range c.rest(1) {
				if a.kind == 'l' {
					flat = append(flat, a.list...)
				} else {
					flat = append(flat, a)
				}
			}
			return character(flat...)
		}
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
			list := value{kind: 'l', list: c.rest(1)}
			if len(list.list) == 1 && list.list[0].kind == 'l' {
				list = list.list[0]
			}
			return joinTexts(list, p.text)
		}
	case "glob":
		p.glob = p.kind == 't'
		return p
	case "getpwuid":
		return value{}
	case "LWP.Simple.get", "get", "getstore", "LWP.Simple.getstore":
		if p.kind == 't' && strings.Contains(p.text, "://") {
			r.op("fetch", false, p)
		}
	case "IO.Socket.INET.new":
		r.op("connect", false, c.key("PeerAddr", "PeerHost"))
	}
	return value{}
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
		r.open(textValue(strings.TrimSpace(t)), textValue(m[:len(m)-len(t)]+"r"))
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
